import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ConnectionEnd, StreamChecker } from '../src/checks/stream-checker.js';
import type { Bundle } from '../src/schema/bundle.js';
import { bundledSchemaPath, loadBundle } from '../src/schema/load-bundle.js';
import { decodeFrame } from '../src/wire/decode.js';
import { LineSplitter } from '../src/wire/line-splitter.js';
import { Client, spawnServer } from './other-server/client.js';
import { CARRIERLESS, playAll, replayAll } from './other-server/repertoire.js';

const FRAME_LIMIT = 10 * 1024 * 1024;

let stateDir: string;
let bundle: Bundle;
let server: ReturnType<typeof spawnServer>;

beforeEach(async () => {
  stateDir = await mkdtemp(join(tmpdir(), 'msp-conformance-'));
  bundle = await loadBundle(bundledSchemaPath());
});
afterEach(async () => {
  if (server.exitCode === null && server.signalCode === null) {
    server.kill('SIGKILL');
    await once(server, 'close');
  }
  await rm(stateDir, { recursive: true, force: true });
});

/** A client whose every frame, sent or received, passes under the checker's eyes. */
function watched(checker: StreamChecker, args: readonly string[] = []): Client {
  server = spawnServer({ stateDir, args });
  const { stdin, stdout } = server;
  if (stdin === null || stdout === null) throw new Error('the server has no pipes');
  const seen = new PassThrough();
  stdout.on('data', (chunk: Buffer) => seen.write(chunk));
  stdout.on('close', () => seen.destroy());
  observeLines(stdout, 'server', checker);
  const sent = new LineSplitter({ capBytes: FRAME_LIMIT });
  const output = new Writable({
    write(chunk: Buffer, _encoding, done) {
      observe(sent.push(chunk), 'client', checker);
      stdin.write(chunk, () => done());
    },
    final(done) {
      stdin.end(done);
    },
  });
  return new Client(seen, output);
}

function observeLines(stream: NodeJS.ReadableStream, dir: 'server', checker: StreamChecker): void {
  const splitter = new LineSplitter({ capBytes: FRAME_LIMIT });
  stream.prependListener('data', (chunk: Buffer) => observe(splitter.push(chunk), dir, checker));
}

function observe(
  events: ReturnType<LineSplitter['push']>,
  dir: 'client' | 'server',
  checker: StreamChecker,
): void {
  for (const event of events)
    if (event.kind === 'line') checker.observe({ dir, frame: decodeFrame(event.bytes), atMs: 0 });
}

async function close(client: Client, checker: StreamChecker, how: ConnectionEnd): Promise<void> {
  const closed = once(server, 'close');
  client.end();
  await closed;
  checker.connectionClosed(how);
}

describe('the stream rules on an honest server of another manner', () => {
  it('accuse it of nothing: every command, every replay, conflicts, pages, and a restart', async () => {
    const checker = new StreamChecker({ bundle, live: false, frameLimitBytes: FRAME_LIMIT, tolerant: false });
    const first = watched(checker);
    await first.greet();
    const { result } = await first.command('session/start', { workspaceRoot: stateDir });
    const { sessionId } = result.session;
    const sent = await playAll(first, sessionId);
    await first.history(sessionId);
    await replayAll(first, sessionId, sent);
    await close(first, checker, 'restart');

    const second = watched(checker);
    await second.greet();
    await second.command('session/resume', { sessionId });
    await replayAll(
      second,
      sessionId,
      sent.filter(({ method }) => !CARRIERLESS.has(method)),
    );
    await second.command('session/resume', { sessionId });
    await second.history(sessionId);
    await close(second, checker, 'drained');

    const findings = checker.finish();
    expect(findings.filter(({ status }) => status === 'failed')).toEqual([]);
    expect(findings.map(({ id }) => id)).toEqual(
      expect.arrayContaining([
        'view/page-agrees-with-stream',
        'view/deltas-add-up',
        'turn/has-terminal',
        'idempotency/duplicate-ack-identical',
        'idempotency/restart-duplicate-identical',
      ]),
    );
  });
});
