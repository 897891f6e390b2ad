import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const program = join(import.meta.dirname, '..', 'bin', 'msp-conformance.js');

let out: string;
beforeEach(async () => {
  out = await mkdtemp(join(tmpdir(), 'msp-conformance-'));
});
afterEach(() => rm(out, { recursive: true, force: true }));

describe('a recorder that stands in for a server', () => {
  it('passes every byte on in both directions, whatever they are', async () => {
    const bytes = Buffer.concat([
      randomBytes(300_000),
      Buffer.from('\n\r\n\n{"a":1}\n'),
      randomBytes(300_000),
    ]);
    const child = standIn('process.stdin.pipe(process.stdout)');
    const received = collect(child);
    child.stdin?.end(bytes);
    expect((await received).equals(bytes)).toBe(true);
    expect(await ended(child)).toEqual([0, null]);
  });

  it.each([
    ['process.exit(0)', [0, null]],
    ['process.exit(7)', [7, null]],
    ['process.kill(process.pid, "SIGTERM")', [null, 'SIGTERM']],
    ['process.kill(process.pid, "SIGKILL")', [null, 'SIGKILL']],
  ])('ends as the server ends: %s', async (script, end) => {
    expect(await ended(standIn(script))).toEqual(end);
  });

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR2'] as const)('passes %s on', async (signal) => {
    const child = standIn(`
      process.on(${JSON.stringify(signal)}, () => { console.log('got it'); process.exit(5); });
      process.stdin.resume();
      console.log('ready');`);
    if (child.stdout) await once(child.stdout, 'data');
    child.kill(signal);
    const said = collect(child);
    expect(await ended(child)).toEqual([5, null]);
    expect(String(await said)).toBe('got it\n');
  });

  it('leaves stderr to the server', async () => {
    const child = standIn('console.error("mine"); process.exit(1)');
    expect(await text(child.stderr as NodeJS.ReadableStream & AsyncIterable<Buffer>)).toBe('mine\n');
    expect(await ended(child)).toEqual([1, null]);
  });

  it('passes the end of either direction on while the other stays open', async () => {
    const child = standIn(`
      require('node:fs').closeSync(1);
      process.stdin.resume().on('end', () => process.exit(3));`);
    expect(String(await collect(child))).toBe('');
    child.stdin?.end();
    expect(await ended(child)).toEqual([3, null]);
  });

  it('tells the server when its client takes no more', async () => {
    const child = standIn(`
      process.stdout.on('error', () => process.exit(4));
      setInterval(() => process.stdout.write('x\\n'), 1);`);
    child.stdout?.destroy();
    expect(await ended(child)).toEqual([4, null]);
  });

  it('writes the frames in the order in which they went through', async () => {
    const child = standIn(`
      require('node:readline').createInterface({ input: process.stdin })
        .on('line', (line) => process.stdout.write(line.replace('ask', 'answer') + '\\n'));`);
    for (let n = 0; n < 50; n += 1) {
      child.stdin?.write(`{"ask":${n}}\n`);
      if (child.stdout) await once(child.stdout, 'data');
    }
    child.stdin?.end();
    await ended(child);
    const lines = await transcript();
    expect(lines.map(({ dir, raw }) => `${dir} ${raw}`)).toEqual(
      Array.from({ length: 50 }, (_, n) => [`client {"ask":${n}}`, `server {"answer":${n}}`]).flat(),
    );
  });

  it('killed at any moment, takes the server with it and leaves what went through', async () => {
    const child = standIn(`
      process.stdout.write(JSON.stringify({ pid: process.pid }) + '\\n');
      process.stdin.resume(); setInterval(() => process.stdout.write('{"tick":1}\\n'), 1);`);
    const [first] = child.stdout ? await once(child.stdout, 'data') : [];
    const { pid } = JSON.parse(String(first).split('\n')[0] ?? '');
    // A chunk reaches the client before it is written down: with the next one the first is.
    if (child.stdout) await once(child.stdout, 'data');
    child.kill('SIGKILL');
    expect(await ended(child)).toEqual([null, 'SIGKILL']);
    while (isAlive(pid)) await nextTurn();
    const lines = await transcript();
    expect(lines[0]?.raw).toBe(JSON.stringify({ pid }));
    expect(JSON.parse(await readFile(join(out, 'made', 'manifest.json'), 'utf8'))).toMatchObject({
      scenario: 'made',
    });
  });

  it('says nothing of its own where a program cannot be run, but why', async () => {
    const child = recorder(['--id', 'made', '--', join(out, 'no-such-program')]);
    const complaint = text(child.stderr as NodeJS.ReadableStream & AsyncIterable<Buffer>);
    expect(await ended(child)).toEqual([3, null]);
    expect(await complaint).toMatch(/cannot run .*no-such-program/);
    expect(await readdir(out)).toEqual([]);
  });

  it('finds names of their own for recordings made at the same time', async () => {
    const children = Array.from({ length: 4 }, () =>
      recorder(['--', process.execPath, '-e', 'console.log("{}")']),
    );
    await Promise.all(children.map(ended));
    expect(await readdir(out)).toHaveLength(4);
  });

  it('touches no scenario that is there', async () => {
    await ended(standIn('console.log("{}")'));
    const second = standIn('console.log("[]")');
    expect(await ended(second)).toEqual([2, null]);
    expect((await transcript()).map(({ raw }) => raw)).toEqual(['{}']);
  });
});

function standIn(script: string): ChildProcess {
  return recorder(['--id', 'made', '--', process.execPath, '-e', script]);
}

function recorder(words: readonly string[]): ChildProcess {
  return spawn(process.execPath, [program, 'record', '--out', out, ...words], { stdio: 'pipe' });
}

async function collect(child: ChildProcess): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of child.stdout ?? []) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function ended(child: ChildProcess): Promise<unknown[]> {
  child.stdout?.resume();
  child.stderr?.resume();
  return child.exitCode === null && child.signalCode === null
    ? once(child, 'exit')
    : [child.exitCode, child.signalCode];
}

async function transcript(): Promise<{ dir: string; raw: string }[]> {
  const written = await readFile(join(out, 'made', 'transcript.ndjson'), 'utf8');
  expect(written.endsWith('\n')).toBe(true);
  return written
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
