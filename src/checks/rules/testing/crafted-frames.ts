import type { StreamFault } from '../../../wire/stream-fault.js';
import type { ConnectionEnd } from '../observation.js';

/** A crafted stream: frames of either side, ends of connections, and things that are no frame. */
export type Act =
  | { readonly dir: 'client' | 'server'; readonly raw: string | Uint8Array }
  | { readonly end: ConnectionEnd }
  | { readonly fault: StreamFault };

export const SESSION = '0198f0aa-1111-7000-8000-0000000000aa';
export const COMMAND = '018f6a1e-9b3c-7c21-a54a-2f30bd3c9f10';
export const COMMAND_2 = '018f6a1e-9b3c-7c21-a54a-2f30bd3c9f11';
const RECORD = '018f9008-71aa-7000-8000-000000000001';

type Members = Readonly<Record<string, unknown>>;

export const client = (frame: Members | string): Act => act('client', frame);
export const server = (frame: Members | string): Act => act('server', frame);

function act(dir: 'client' | 'server', frame: Members | string): Act {
  return { dir, raw: typeof frame === 'string' ? frame : JSON.stringify({ jsonrpc: '2.0', ...frame }) };
}

export const end = (how: ConnectionEnd): Act => ({ end: how });

export const ask = (id: number | string, method: string, params?: Members): Act =>
  client({ id, method, ...(params && { params }) });
export const answer = (id: number | string, result: unknown): Act => server({ id, result });
export const refuse = (id: number | string | null, code: number, kind?: string, data: Members = {}): Act =>
  server({ id, error: { code, message: 'refused', ...(kind && { data: { kind, ...data } }) } });
export const notify = (method: string, params: Members): Act =>
  server({ method, params, emittedAtMs: 1754590931500 });

export const initialize = (capabilities?: Members): Act =>
  ask(1, 'initialize', {
    clientInfo: { name: 'crafted', version: '1' },
    ...(capabilities && { capabilities }),
  });

export const welcome = (more: Members = {}, id: number | string = 1): Act =>
  answer(id, {
    serverInfo: { name: 'server', version: '1' },
    userAgent: 'server/1',
    museHome: '/home/muse',
    platformFamily: 'unix',
    platformOs: 'linux',
    schema: { version: 1, fingerprint: `sha256:${'0'.repeat(64)}` },
    grantedCapabilities: [],
    experimentalApi: false,
    sessionDurability: 'durable',
    ...more,
  });

export const initialized: Act = client({ method: 'initialized' });

/** A finished handshake. */
export const hello = (capabilities?: Members, result?: Members): readonly Act[] => [
  initialize(capabilities),
  welcome(result),
  initialized,
];

export const session = (more: Members = {}): Members => ({
  sessionId: SESSION,
  status: 'idle',
  turnCount: 0,
  path: '/home/muse/session.jsonl',
  createdAt: '2026-08-07T18:02:11Z',
  updatedAt: '2026-08-07T18:02:11Z',
  workspaceRoot: '/work',
  providerId: 'muse',
  modelId: 'muse-1',
  forkedFrom: null,
  activeTurnId: null,
  ...more,
});

/** The cursor of the n-th event, in a spelling of nobody's. */
export const cursor = (n: number): string => `c${'abcdefghijklmnopqrstuvwxyz'.charAt(n)}`;

const sourceRange = {
  stream: { kind: 'run', id: RECORD },
  first: { id: RECORD, sequence: 1 },
  last: { id: RECORD, sequence: 1 },
};

/** Params of a durable view event at a cursor. */
export const eventParams = (at: string, more: Members): Members => ({
  sessionId: SESSION,
  viewCursor: at,
  sourceRange,
  ...more,
});

export const event = (n: number | string, method: string, more: Members): Act =>
  notify(method, eventParams(typeof n === 'number' ? cursor(n) : n, more));

export const item = (more: Members = {}): Members => ({
  itemId: 'item-1',
  kind: 'agentMessage',
  turnId: COMMAND,
  revision: 1,
  status: 'completed',
  recordedAt: '2026-08-07T18:02:11Z',
  text: 'hello',
  ...more,
});

export const itemCompleted = (n: number | string, more?: Members): Act =>
  event(n, 'item/completed', { item: item(more) });
export const itemStarted = (n: number, more?: Members): Act =>
  event(n, 'item/started', { item: item({ status: 'inProgress', text: '', ...more }) });
export const delta = (n: number, text: string, more: Members = {}): Act =>
  notify('item/delta', { sessionId: SESSION, viewCursor: cursor(n), itemId: 'item-1', delta: text, ...more });

export const turnStarted = (n: number, turnId = COMMAND, commandId = turnId): Act =>
  event(n, 'turn/started', { turnId, commandId });
export const turnCompleted = (n: number, more: Members = {}): Act =>
  event(n, 'turn/completed', { turnId: COMMAND, terminal: 'completed', ...more });

export const submit = (id: number | string, more: Members = {}): Act =>
  ask(id, 'turn/start', {
    sessionId: SESSION,
    commandId: COMMAND,
    input: [{ type: 'text', text: 'hello' }],
    ...more,
  });
export const accept = (id: number | string, more: Members = {}): Act =>
  answer(id, {
    commandId: COMMAND,
    status: 'accepted',
    turnId: COMMAND,
    startedNewTurn: true,
    disposition: 'started',
    ...more,
  });

export const rename = (id: number | string, name: string, more: Members = {}): Act =>
  ask(id, 'session/rename', { sessionId: SESSION, commandId: COMMAND, name, ...more });
export const renamed = (id: number | string, more: Members = {}): Act =>
  answer(id, { commandId: COMMAND, status: 'accepted', ...more });

export const page = (id: number, more: Members = {}): Act =>
  ask(id, 'view/page', { sessionId: SESSION, limit: 10, ...more });
export const pageOf = (id: number, events: readonly Act[], nextCursor: string | null = null): Act =>
  answer(id, { events: events.map(unframed), nextCursor });

function unframed(notification: Act): unknown {
  const { method, params } = JSON.parse('raw' in notification ? String(notification.raw) : '{}');
  return { method, params };
}

export const resume = (id: number, more: Members = {}): Act =>
  ask(id, 'session/resume', { sessionId: SESSION, commandId: COMMAND, ...more });
export const resumed = (id: number, history: Members = {}): Act =>
  answer(id, {
    session: session(),
    viewCursor: cursor(0),
    history: { mode: 'none', items: null, snapshot: null, noneReason: 'excluded', ...history },
    pendingRequests: [],
  });

export const approvalRequest = (id: number | string): Act =>
  server({ id, method: 'userInput/request', params: promptParams });

const promptParams = {
  sessionId: SESSION,
  viewCursor: 'cz',
  userInputId: 'prompt-1',
  turnId: COMMAND,
  itemId: 'item-1',
  toolCallId: 'call-1',
  toolName: 'ask',
  questions: [
    {
      id: 'q',
      header: 'Q',
      question: 'Which?',
      selection: { mode: 'single' },
      options: [
        { label: 'A', description: 'a' },
        { label: 'B', description: 'b' },
      ],
    },
  ],
};
