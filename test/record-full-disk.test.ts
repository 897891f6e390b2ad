import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createConnection, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadScenario } from '../src/transcript/load-scenario.js';

const PROGRAM = join(import.meta.dirname, '..', 'bin', 'msp-conformance.js');

/** No file may grow beyond this many blocks of 1024 bytes: the system refuses as it does on a full disk. */
const BLOCKS = 16;

const FRAMES = Array.from(
  { length: 300 },
  (_, n) => `{"jsonrpc":"2.0","id":${n},"result":{"text":"${'é'.repeat(n % 90)}"}}`,
);
const BYTES = Buffer.from(FRAMES.map((frame) => `${frame}\n`).join(''));

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'msp-conformance-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe.skipIf(process.platform === 'win32')('a recorder whose disk is full', () => {
  it.each([
    ['0, which becomes its own', 0, 3],
    ['another, which stays the server’s', 7, 7],
  ])(
    'passes every byte on, says that it stopped, and ends with the server’s code %s',
    async (_which, code, seen) => {
      const echo = `process.stdin.pipe(process.stdout); process.stdin.on('end', () => { process.exitCode = ${code}; })`;
      const child = recorder(['--id', 'made', '--', process.execPath, '-e', echo]);
      const [back, said] = [buffer(child.stdout as never), text(child.stderr as never)];
      child.stdin?.end(BYTES);
      expect((await back).equals(BYTES)).toBe(true);
      expect(await once(child, 'exit')).toEqual([seen, null]);
      expect(await said).toMatch(/recording stopped, the conversation goes on: EFBIG/);
      await expectWholeLines();
    },
  );

  it('passes every byte on between sockets, too, and ends with 3', async () => {
    const [up, down] = [join(folder, 'up'), join(folder, 'down')];
    const server = createServer({ allowHalfOpen: true }, (socket) => socket.pipe(socket));
    await once(server.listen(up), 'listening');
    const child = recorder(['--id', 'made', '--listen', `unix:${down}`, '--unix', up]);
    const said = lines(child);
    await said.until(/listening at/);
    const client = createConnection({ path: down, allowHalfOpen: true });
    client.end(BYTES);
    expect((await buffer(client)).equals(BYTES)).toBe(true);
    await said.until(/recorded .*made/);
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([3, null]);
    expect(said.all()).toContain('recording stopped');
    server.close();
    await expectWholeLines();
  });

  it('leaves nothing where it drives the server itself, and ends with 3', async () => {
    const script = join(folder, 'script.jsonl');
    const ask = (id: number) =>
      JSON.stringify({ jsonrpc: '2.0', id, method: 'm', params: { text: 'x'.repeat(900) } });
    await writeFile(script, Array.from({ length: 40 }, (_, n) => ask(n + 1)).join('\n'));
    const echo = `require('node:readline').createInterface({ input: process.stdin })
      .on('line', (line) => console.log(JSON.stringify({ jsonrpc: '2.0', id: JSON.parse(line).id, result: {} })))`;
    const child = recorder(['--id', 'made', '--client', script, '--', process.execPath, '-e', echo]);
    const said = text(child.stderr as never);
    expect(await once(child, 'exit')).toEqual([3, null]);
    expect(await said).toContain('EFBIG');
    expect(await readdir(join(folder, 'out'))).toEqual([]);
  });
});

/** What is there is a scenario, whose lines are the first ones of the conversation, none of them half. */
async function expectWholeLines(): Promise<void> {
  const { steps, manifest } = await loadScenario(join(folder, 'out', 'made'));
  expect(manifest?.conformance).toEqual({ cutShort: true });
  for (const dir of ['client', 'server'] as const) {
    const recorded = steps.flatMap((step) => (step.dir === dir ? [step.raw] : []));
    expect(recorded).toEqual(FRAMES.slice(0, recorded.length));
  }
  expect(steps.length).toBeGreaterThan(0);
}

function recorder(words: readonly string[]): ChildProcess {
  const command = [process.execPath, PROGRAM, 'record', '--out', join(folder, 'out'), ...words];
  // Without the trap the system ends a program that writes beyond the limit.
  const limited = `trap '' XFSZ; ulimit -f ${BLOCKS}; exec "$@"`;
  return spawn('bash', ['-c', limited, 'bash', ...command], { stdio: 'pipe' });
}

/** What a recorder says, for waiting. */
function lines(child: ChildProcess) {
  let all = '';
  child.stderr?.setEncoding('utf8').on('data', (part: string) => {
    all += part;
  });
  const until = async (pattern: RegExp) => {
    while (!pattern.test(all)) await once(child.stderr as never, 'data');
  };
  return { all: () => all, until };
}
