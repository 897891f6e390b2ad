import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

type Direction = 'client' | 'server';
type Line = readonly [Direction, object];

/** Writes a transcript of whole turns until it has at least so many frames, or bytes; gives the number of frames. */
export async function writeTurns(
  file: string,
  enough: { readonly frames: number } | { readonly bytes: number },
): Promise<number> {
  const stream = createWriteStream(file);
  let frames = 0;
  let bytes = 0;
  const isEnough = () => ('frames' in enough ? frames >= enough.frames : bytes >= enough.bytes);
  const write = async (lines: readonly Line[]) => {
    const text = lines.map(textOf).join('');
    frames += lines.length;
    bytes += text.length;
    if (!stream.write(text)) await once(stream, 'drain');
  };
  await write(opening());
  for (let turn = 0; !isEnough(); turn += 1) await write(turnOf(turn));
  stream.end();
  await once(stream, 'close');
  return frames;
}

/** Writes a scenario of so many exchanges after its opening: a command with an id of its own and its ack, by turns. */
export async function writeExchanges(folder: string, exchanges: number): Promise<void> {
  const lines = [...opening()];
  for (let each = 0; each < exchanges; each += 1) lines.push(...exchangeOf(each));
  await writeFile(await writeManifest(folder), lines.map(textOf).join(''));
}

/** Makes a scenario's folder with its manifest; gives the file that its transcript goes to. */
export async function writeManifest(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  const manifest = {
    kind: 'mspTranscript',
    schemaVersion: 1,
    scenario: folder.slice(dirname(folder).length + 1),
  };
  await writeFile(join(folder, 'manifest.json'), JSON.stringify(manifest));
  return join(folder, 'transcript.ndjson');
}

/** What a client sends in so many exchanges with a server that keeps sessions, its opening before them. */
export function exchangeRequests(exchanges: number): readonly object[] {
  const start = { commandId: idOf('c0', 0), sessionId: SESSION, workspaceRoot: '/home/someone/project' };
  return [
    { id: 1, method: 'initialize', params: { clientInfo: { name: 'bench', version: '1.0.0' } } },
    { method: 'initialized' },
    { id: 2, method: 'session/start', params: start },
    ...Array.from({ length: exchanges }, (_, index) => renameRequest(index)),
  ];
}

function textOf([dir, frame]: Line): string {
  return `${JSON.stringify({ dir, raw: JSON.stringify({ jsonrpc: '2.0', ...frame }) })}\n`;
}

const SESSION = '0198f0aa-1111-7000-8000-0000000000aa';
const START_MS = 1_754_590_931_500;

/** The results in the opening, by method: what the server that a scenario is played to has to answer there. */
export function openingResults(): Readonly<Record<string, unknown>> {
  const results = opening().flatMap(([, frame]) => ('result' in frame ? [frame.result] : []));
  return { initialize: results[0], 'session/start': results[1] };
}

function opening(): readonly Line[] {
  const session = {
    ...{ sessionId: SESSION, status: 'idle', turnCount: 0, path: `/home/someone/.muse/sessions/${SESSION}` },
    ...{ createdAt: timeAt(0), updatedAt: timeAt(0), workspaceRoot: '/home/someone/project' },
    ...{ providerId: 'muse', modelId: 'muse-large', forkedFrom: null, activeTurnId: null },
    approvalMode: { mode: 'promptUnmatched', source: 'startup', lastCommandId: null },
  };
  const welcome = {
    serverInfo: { name: 'echo', version: '1.0.0' },
    ...{
      userAgent: 'echo/1.0.0',
      museHome: '/home/someone/.muse',
      platformFamily: 'unix',
      platformOs: 'linux',
    },
    schema: { version: 1, fingerprint: `sha256:${'0'.repeat(64)}` },
    ...{ grantedCapabilities: [], experimentalApi: false, sessionDurability: 'durable' },
  };
  const start = { commandId: idOf('c0', 0), workspaceRoot: '/home/someone/project' };
  return [
    ['client', { id: 1, method: 'initialize', params: { clientInfo: { name: 'bench', version: '1.0.0' } } }],
    ['server', { id: 1, result: welcome }],
    ['client', { method: 'initialized' }],
    ['client', { id: 2, method: 'session/start', params: start }],
    ['server', { method: 'session/started', params: { session }, emittedAtMs: START_MS }],
    ['server', { id: 2, result: { session, viewCursor: cursorAt(0) } }],
  ];
}

function exchangeOf(index: number): readonly Line[] {
  const request = renameRequest(index);
  const { commandId, name } = request.params;
  return [
    ['client', request],
    ['server', { id: request.id, result: { commandId, status: 'accepted', name } }],
  ];
}

function renameRequest(index: number) {
  const params = {
    sessionId: SESSION,
    commandId: idOf('c1', index),
    name: `the session's name number ${index}`,
  };
  return { id: index + 3, method: 'session/rename', params };
}

const DELTAS = 8;
const EVENTS = DELTAS + 5;

/** A turn as servers tell of it: its ack, the input, a message that grows by deltas, its whole text, the end. */
function turnOf(turn: number): readonly Line[] {
  const id = turn + 3;
  const turnId = idOf('c2', turn);
  const itemId = idOf('e1', turn);
  const input = `Run the tests of part ${turn} and summarise what fails, with the names of the files`;
  const words = Array.from(
    { length: DELTAS },
    (_, index) => `Part ${turn}, suite ${index}: 214 tests pass. `,
  );
  let position = turn * EVENTS;
  const event = (method: string, params: object): Line => {
    position += 1;
    const shared = { sessionId: SESSION, viewCursor: cursorAt(position) };
    return ['server', { method, params: { ...shared, ...params }, emittedAtMs: START_MS + position }];
  };
  const durable = (method: string, params: object): Line => {
    const record = { id: idOf('d1', position), sequence: position + 1 };
    const sourceRange = { stream: { kind: 'run', id: turnId }, first: record, last: record };
    return event(method, { sourceRange, ...params });
  };
  const message = { itemId, kind: 'agentMessage', turnId };
  const usage = { inputTokens: 48_210, outputTokens: 1_211, cachedTokens: 40_100, reasoningTokens: 384 };
  return [
    [
      'client',
      {
        id,
        method: 'turn/start',
        params: { sessionId: SESSION, commandId: turnId, input: [{ type: 'text', text: input }] },
      },
    ],
    [
      'server',
      {
        id,
        result: {
          commandId: turnId,
          status: 'accepted',
          turnId,
          startedNewTurn: true,
          disposition: 'started',
        },
      },
    ],
    durable('turn/started', { turnId, commandId: turnId }),
    durable('item/completed', {
      item: {
        ...{ itemId: idOf('e0', turn), kind: 'userMessage', turnId, revision: 1, status: 'completed' },
        ...{ recordedAt: timeAt(position), text: input, commandId: turnId },
      },
    }),
    event('item/started', { item: { ...message, revision: 1, status: 'inProgress', text: '' } }),
    ...words.map((delta) => event('item/delta', { itemId, field: 'text', delta })),
    durable('item/completed', {
      item: {
        ...message,
        revision: 2,
        status: 'completed',
        recordedAt: timeAt(position),
        text: words.join(''),
      },
    }),
    durable('turn/completed', {
      ...{ turnId, terminal: 'completed', durationMs: 48_211, timeToFirstTokenMs: 902, usage },
    }),
  ];
}

function idOf(family: string, index: number): string {
  return `0198f0ab-${family}00-7000-8000-${index.toString(16).padStart(12, '0')}`;
}

function cursorAt(position: number): string {
  return `v:${SESSION}:${position + 3}`;
}

function timeAt(position: number): string {
  return new Date(START_MS + position).toISOString();
}
