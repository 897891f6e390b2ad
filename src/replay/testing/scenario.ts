import type { Manifest, Scenario, Step } from '../../transcript/scenario.js';
import { readScript, type Script } from '../script.js';
import { bundle } from './match-context.js';

type Json = Readonly<Record<string, unknown>>;

/** One line of a transcript as tests write it: `['client', frame]`, `['server', frame]` or `['control', op]`. Strings are raw. */
export type Line =
  | readonly ['client' | 'server', Json | string]
  | readonly ['control', 'restart' | 'crash' | 'reconnect' | 'wait'];

export function scenarioOf(lines: readonly Line[], manifest?: Manifest): Scenario {
  const steps = lines.map(([dir, content], index): Step => {
    const line = index + 1;
    if (dir === 'control') return { dir, op: content, line };
    return { dir, raw: typeof content === 'string' ? content : JSON.stringify(content), line };
  });
  return {
    id: 'a-scenario',
    folder: '/nowhere/a-scenario',
    transcriptPath: '/nowhere/a-scenario/transcript.ndjson',
    manifest,
    steps,
  };
}

export function scriptOf(lines: readonly Line[], manifest?: Manifest): Script {
  return readScript(scenarioOf(lines, manifest), bundle);
}

export function request(id: string | number, method: string, params?: Json): Line {
  return ['client', { jsonrpc: '2.0', id, method, ...(params && { params }) }];
}

export function result(id: string | number, value: Json): Line {
  return ['server', { jsonrpc: '2.0', id, result: value }];
}

export function error(id: string | number | null, code: number, kind: string, data: Json = {}): Line {
  return ['server', { jsonrpc: '2.0', id, error: { code, message: kind, data: { kind, ...data } } }];
}

export function event(method: string, params: Json): Line {
  return ['server', { jsonrpc: '2.0', method, params, emittedAtMs: 1 }];
}

export const INITIALIZE: Line = request(1, 'initialize', {
  clientInfo: { name: 'conformance', version: '1' },
});
export const INITIALIZED: Line = ['client', { jsonrpc: '2.0', method: 'initialized' }];

export function greeting(changes: Json = {}): Json {
  return {
    serverInfo: { name: 'scripted', version: '1' },
    userAgent: 'scripted/1',
    museHome: '/home',
    platformFamily: 'unix',
    platformOs: 'linux',
    schema: { version: 1, fingerprint: bundle.fingerprint },
    grantedCapabilities: [],
    experimentalApi: false,
    ...changes,
  };
}

export const HANDSHAKE: readonly Line[] = [INITIALIZE, result(1, greeting()), INITIALIZED];

/** Well-formed UUIDv7s for what a client mints. */
export function uuid(number: number): string {
  return `018f0000-0000-7000-8000-${String(number).padStart(12, '0')}`;
}

export function session(sessionId: string, changes: Json = {}): Json {
  return {
    sessionId,
    status: 'idle',
    turnCount: 0,
    path: '/sessions/1',
    createdAt: '2026-01-01T00:00:00Z',
    updatedAt: '2026-01-01T00:00:00Z',
    workspaceRoot: null,
    providerId: 'p',
    modelId: 'm',
    forkedFrom: null,
    activeTurnId: null,
    ...changes,
  };
}

export function turnAck(commandId: string, changes: Json = {}): Json {
  return {
    commandId,
    status: 'accepted',
    turnId: commandId,
    startedNewTurn: true,
    disposition: 'started',
    ...changes,
  };
}

const provenance = {
  stream: { kind: 'run', id: 'r' },
  first: { id: 'a', sequence: 1 },
  last: { id: 'a', sequence: 1 },
};

/** A view event of a session. */
export function viewed(method: string, sessionId: string, viewCursor: string, params: Json = {}): Line {
  return event(method, { sessionId, viewCursor, sourceRange: provenance, ...params });
}

export function userMessage(turnId: string, text: string): Json {
  return {
    item: {
      itemId: `item of ${turnId}`,
      kind: 'userMessage',
      turnId,
      revision: 1,
      status: 'completed',
      recordedAt: 'now',
      text,
    },
  };
}
