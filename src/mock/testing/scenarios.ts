import type { Scenario, Step } from '../../transcript/scenario.js';

/** A scenario of these frames; `restart` and its like are control lines. */
export function scenarioOf(
  ...lines: readonly (readonly ['client' | 'server', unknown] | ControlOp)[]
): Scenario {
  const steps = lines.map((line, index): Step => {
    if (typeof line === 'string') return { dir: 'control', op: line, line: index + 1 };
    const [dir, frame] = line;
    return { dir, raw: typeof frame === 'string' ? frame : JSON.stringify(frame), line: index + 1 };
  });
  return {
    id: 'made',
    folder: '/nowhere',
    transcriptPath: '/nowhere/transcript.ndjson',
    manifest: undefined,
    steps,
  };
}

type ControlOp = 'restart' | 'crash' | 'reconnect' | 'wait';

export const request = (id: number | string, method: string, params?: object) => ({
  jsonrpc: '2.0',
  id,
  method,
  ...(params && { params }),
});
export const answer = (id: number | string | null, result: object = {}) => ({ jsonrpc: '2.0', id, result });
export const note = (method: string, params: object = {}) => ({ jsonrpc: '2.0', method, params });

export const COMMAND = '018f6a32-1111-7000-8000-0000000000a1';
export const OTHER_COMMAND = '018f6a32-2222-7000-8000-0000000000b2';
export const SESSION = '0198f0aa-1111-7000-8000-0000000000aa';

/** A handshake, a session, a turn that is answered, asks for an approval and ends. */
export const CONVERSATION = scenarioOf(
  ['client', request(1, 'initialize', { clientInfo: { name: 'a', version: '1' } })],
  ['server', answer(1, { serverInfo: { name: 's', version: '1' } })],
  ['client', { jsonrpc: '2.0', method: 'initialized' }],
  ['client', request(2, 'session/start', { commandId: OTHER_COMMAND, workspaceRoot: '/w' })],
  ['server', answer(2, { session: { sessionId: SESSION } })],
  [
    'client',
    request(3, 'turn/start', {
      sessionId: SESSION,
      commandId: COMMAND,
      input: [{ type: 'text', text: 'go' }],
    }),
  ],
  ['server', answer(3, { commandId: COMMAND, turnId: COMMAND })],
  ['server', request(1, 'approval/request', { approvalId: 'ap' })],
  ['client', answer(1)],
  ['client', request(4, 'turn/cancel', { sessionId: SESSION, commandId: OTHER_COMMAND, turnId: COMMAND })],
  ['server', note('turn/completed', { n: 1 })],
);
