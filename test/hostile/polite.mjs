import { readFileSync } from 'node:fs';

/**
 * A small server that keeps the protocol as far as the scenarios beside it go, and the places where a manner may
 * take over: `begins` (true: nothing else is served), `answers` by method, `says` (bytes of a frame), `ends`.
 */
export function serve({
  begins,
  answers = {},
  says = (line) => `${line}\n`,
  ends = () => process.exit(0),
  input = process.stdin,
  output = process.stdout,
  writes = (bytes) => new Promise((resolve) => output.write(bytes, resolve)),
}) {
  let written;
  const io = {
    write: (bytes) => {
      written = writes(bytes);
      return written;
    },
    say: (frame) => io.write(says(JSON.stringify({ jsonrpc: '2.0', ...frame }))),
    answer: (request, result = RESULTS[request.method]?.(request.params)) =>
      io.say(result === undefined ? { id: request.id, error: UNKNOWN_METHOD } : { id: request.id, result }),
  };
  if (begins?.(io) === true) return;
  linesOf(input, (line) => {
    const request = JSON.parse(line);
    const manner = Object.hasOwn(answers, request.method) ? answers[request.method] : undefined;
    if (manner !== undefined) manner(request, io);
    else if (request.id !== undefined && request.method !== undefined) io.answer(request);
  });
  input.on('end', async () => {
    await written;
    ends(io);
  });
}

const UNKNOWN_METHOD = {
  code: -32601,
  message: 'no such method',
  data: { kind: 'methodNotFound', retryable: false },
};

/** Read from the project's own bundle, so that no manner is blamed for a fingerprint. */
const { fingerprint } = JSON.parse(
  readFileSync(new URL('../../schema/manifest.json', import.meta.url), 'utf8'),
);

/** What the server answers when it behaves. */
export const RESULTS = {
  initialize: () => ({
    serverInfo: { name: 'hostile', version: '1.0.0' },
    userAgent: 'hostile/1.0.0',
    museHome: '/home/hostile/.muse',
    platformFamily: 'unix',
    platformOs: 'linux',
    schema: { version: 1, fingerprint },
    grantedCapabilities: [],
    experimentalApi: false,
    sessionDurability: 'durable',
  }),
  'model/list': () => ({ models: [model()], profileId: null, providerId: 'hostile', source: 'fakeCatalog' }),
  'session/start': ({ workspaceRoot }) => ({ session: session(workspaceRoot), viewCursor: 'v:1' }),
};

export function model(text = 'plain') {
  return {
    modelId: text,
    providerId: 'hostile',
    profileId: null,
    displayLabel: text,
    description: text,
    releaseDate: null,
    contextLimit: null,
    outputLimit: null,
    cost: null,
    isDefault: true,
    isActive: true,
  };
}

const SESSION = '0198f0aa-1111-7000-8000-0000000000aa';

export function session(workspaceRoot) {
  return {
    sessionId: SESSION,
    status: 'idle',
    turnCount: 0,
    path: `/home/hostile/.muse/sessions/${SESSION}/session.jsonl`,
    createdAt: '2026-08-07T18:02:11.412Z',
    updatedAt: '2026-08-07T18:02:11.412Z',
    workspaceRoot,
    providerId: 'hostile',
    modelId: 'plain',
    approvalMode: { mode: 'promptUnmatched', source: 'startup', lastCommandId: null },
    forkedFrom: null,
    activeTurnId: null,
  };
}

function linesOf(input, take) {
  let held = [];
  input.on('data', (chunk) => {
    let from = 0;
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, from)) {
      const line = Buffer.concat([...held, chunk.subarray(from, at)]).toString();
      held = [];
      from = at + 1;
      if (line.trim() !== '') take(line);
    }
    held.push(chunk.subarray(from));
  });
}
