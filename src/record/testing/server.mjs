// A small MSP server for the recorder's tests: deterministic order, fresh ids in every life.
import { randomUUID } from 'node:crypto';
import { createInterface } from 'node:readline';

const manner = process.argv[2] ?? 'plain';
const say = (frame) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...frame })}\n`);
const notify = (method, params) => say({ method, params, emittedAtMs: Date.now() });
const sessionId = randomUUID();
let turnId;

const methods = {
  initialize: () => ({
    serverInfo: { name: 'small', version: '1' },
    museHome: process.env.MSP_STATE_DIR ?? '/nowhere',
    schema: { version: 1, fingerprint: `sha256:${'a'.repeat(64)}` },
  }),
  'session/start': (params) => {
    notify('session/started', { session: { sessionId, workspaceRoot: params.workspaceRoot } });
    return { session: { sessionId, workspaceRoot: params.workspaceRoot } };
  },
  'turn/start': (params) => {
    if (params.sessionId !== sessionId) throw new Error('sessionNotFound');
    turnId = params.commandId;
    return { commandId: params.commandId, status: 'accepted', turnId };
  },
};

const after = {
  'turn/start': (params) => {
    notify('turn/started', { sessionId, turnId, text: params.input?.[0]?.text });
    if (manner === 'dies') process.exit(7);
    say({ id: 1, method: 'approval/request', params: { sessionId, turnId, approvalId: randomUUID() } });
  },
};

createInterface({ input: process.stdin }).on('line', (line) => {
  let frame;
  try {
    frame = JSON.parse(line);
  } catch {
    return say({ id: null, error: { code: -32700, message: 'no JSON', data: { kind: 'parseError' } } });
  }
  if (frame.method === undefined) {
    notify('turn/completed', { sessionId, turnId, terminal: 'completed' });
    return notify('late/chatter', {});
  }
  if (frame.id === undefined || manner === 'silent') return;
  const method = methods[frame.method];
  try {
    if (method === undefined) throw new Error('methodNotFound');
    say({ id: frame.id, result: method(frame.params ?? {}) });
    after[frame.method]?.(frame.params ?? {});
  } catch (error) {
    say({ id: frame.id, error: { code: -32601, message: error.message, data: { kind: error.message } } });
  }
});
