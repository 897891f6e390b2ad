import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');
const program = join(root, 'bin', 'msp-conformance.js');
const corpus = join(root, '..', 'shared', 'corpus');

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'msp-conformance-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe.skipIf(!existsSync(corpus))(
  'run against mock (skipped where the corpus is not beside the repository)',
  () => {
    it('passes with every golden transcript that a server can play', async () => {
      for (const id of await readdir(corpus)) {
        const manifest = await readFile(join(corpus, id, 'manifest.json'), 'utf8');
        if (!manifest.includes('sdk-tolerance'))
          await cp(join(corpus, id), join(folder, 'all', id), { recursive: true });
      }
      const { code, report } = await run(join(folder, 'all'), '{scenarioDir}');
      expect(report.scenarios.filter(({ status }) => status !== 'passed')).toEqual([]);
      expect(report.scenarios.length).toBeGreaterThan(20);
      expect(code).toBe(0);
    });

    it.each([
      [
        'another value of the server',
        '\\"terminal\\":\\"completed\\"',
        '\\"terminal\\":\\"failed\\"',
        '/params/terminal',
      ],
      ['a member less', ',\\"timeToFirstTokenMs\\":902', '', '/params/timeToFirstTokenMs'],
      ['another number', '\\"sequence\\":140', '\\"sequence\\":141', '/params/sourceRange/first/sequence'],
      ['another text of the client', 'Run the agent test suite', 'Run it', '/params/input/0/text'],
    ])('fails and names the path: %s', async (_, from, to, path) => {
      const id = 'text-run-single-turn';
      await cp(join(corpus, id), join(folder, 'altered', id), { recursive: true });
      const file = join(folder, 'altered', id, 'transcript.ndjson');
      const before = await readFile(file, 'utf8');
      await writeFile(file, before.replace(from, to));
      expect(await readFile(file, 'utf8')).not.toBe(before);
      const { code, report } = await run(join(corpus, id), join(folder, 'altered', id));
      expect(code).toBe(1);
      expect(JSON.stringify(report)).toContain(path);
    });
  },
);

describe('the program', () => {
  const ask = '{"jsonrpc":"2.0","id":7,"method":"x"}\n';
  const answer = '{"jsonrpc":"2.0","id":7,"result":{}}\n';

  it.each([
    [
      'plays and ends with 0',
      [],
      ask,
      { code: 0, signal: null, stdout: answer, stderr: /"report":"mockComplete"/ },
    ],
    [
      'dies when told to',
      ['--exit-code', '70', '--stderr-lines', '2'],
      ask,
      { code: 70, signal: null, stdout: answer, stderr: /line 2 of 2/ },
    ],
    [
      'answers no other frame',
      [],
      ask.replace('x', 'y'),
      { code: 1, signal: null, stdout: '', stderr: /"report":"mockFailure".*"path":"\/method"/ },
    ],
    [
      'refuses an unknown address',
      ['--listen', 'udp:1'],
      '',
      { code: 2, signal: null, stdout: '', stderr: /unix:PATH or tcp:HOST:PORT/ },
    ],
  ])('%s', async (_, words, input, expected) => {
    await writeScenario(['client', ask.replace('7', '1')], ['server', answer.replace('7', '1')]);
    expect(await mock(words, input)).toEqual({ ...expected, stderr: expect.stringMatching(expected.stderr) });
  });

  it('kills itself at a crash, and goes on behind it in its next life', async () => {
    await writeScenario(['client', ask], ['control', 'crash'], ['client', ask], ['server', answer]);
    expect(await mock([], ask)).toMatchObject({ code: null, signal: 'SIGKILL', stdout: '' });
    expect(await mock([], ask)).toMatchObject({ code: 0, stdout: answer });
  });
});

interface Report {
  readonly scenarios: readonly { readonly status: string }[];
}

async function run(scenarios: string, played: string): Promise<{ code: number | null; report: Report }> {
  const file = join(folder, 'report.json');
  const options = ['--passes', 'none', '--match', 'exact', '--ids', 'recorded', '--scenarios', scenarios];
  const words = [
    'run',
    ...options,
    '--reporter',
    `json=${file}`,
    '--',
    process.execPath,
    program,
    'mock',
    played,
  ];
  const child = execFile(process.execPath, [program, ...words]);
  const [code] = await once(child, 'exit');
  return { code, report: JSON.parse(await readFile(file, 'utf8')) };
}

async function mock(words: readonly string[], input: string) {
  const child = spawn(process.execPath, [program, 'mock', join(folder, 'made.ndjson'), ...words], {
    env: { ...process.env, MSP_STATE_DIR: join(folder, 'state') },
  });
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const [stdout, stderr, [code, signal]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  return { code, signal, stdout, stderr };
}

async function writeScenario(...lines: readonly (readonly [dir: string, what: string])[]): Promise<void> {
  const steps = lines.map(([dir, what]) =>
    dir === 'control' ? { dir, op: what } : { dir, raw: what.trimEnd() },
  );
  await writeFile(join(folder, 'made.ndjson'), steps.map((step) => `${JSON.stringify(step)}\n`).join(''));
}
