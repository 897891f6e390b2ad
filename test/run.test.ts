import { existsSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm, watch, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Report } from '../src/report/model.js';
import { LISTING, SMALL_SERVER, written } from '../src/run/testing/suite.js';
import { type Built, build, type Ended } from './run/built.js';

const ROOT = join(import.meta.dirname, '..');
const CORPUS = join(ROOT, '..', 'shared', 'corpus');
const OTHER_SERVER = ['--', process.execPath, join(ROOT, 'test', 'other-server', 'main.mjs')];
const CUES = {
  slow: 'please take your time',
  fail: 'break please',
  approval: 'ask me first',
  question: 'any questions?',
  echo: 'repeat after me',
};
const OTHER_BEHAVIOURS = Object.entries(CUES).flatMap(([name, cue]) => ['--behaviour', `${name}=${cue}`]);
const small = (...words: readonly string[]) => ['--', process.execPath, SMALL_SERVER, ...words];

let program: Built;
let folder: string;

beforeAll(async () => {
  program = await build();
});
afterAll(() => program.dispose());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'msp-conformance-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const reportFile = () => join(folder, 'report.json');
const common = () => ['run', '--passes', 'none', '--reporter', `json=${reportFile()}`];

async function run(...args: readonly string[]): Promise<Ended & { readonly report: Report | undefined }> {
  const ended = await program.run([...common(), ...args]);
  return { ...ended, report: await reportOf() };
}

async function reportOf(): Promise<Report | undefined> {
  return existsSync(reportFile()) ? JSON.parse(await readFile(reportFile(), 'utf8')) : undefined;
}

function failuresIn(report: Report | undefined) {
  const scenarios = report?.scenarios ?? [];
  return scenarios.flatMap(({ id, checks }) =>
    checks.filter(({ status }) => status === 'failed').map((check) => ({ scenario: id, ...check })),
  );
}

describe('run, on a server of another make', () => {
  if (!existsSync(CORPUS))
    console.warn('run: the golden transcripts are not at hand, so they are not replayed');

  it
    .skipIf(!existsSync(CORPUS))
    .each(['text-run-single-turn', 'goal-set-round-trip', 'turn-unqueued-round-trip', 'approval-round-trip'])(
    'finds nothing against it in %s',
    async (scenario) => {
      const args = ['--scenarios', join(CORPUS, scenario), ...OTHER_BEHAVIOURS, ...OTHER_SERVER];
      const { exitCode, report, stdout } = await run(...args);
      expect(failuresIn(report)).toEqual([]);
      expect(report?.scenarios.map(({ status }) => status)).toEqual(['passed']);
      expect([exitCode, stdout]).toEqual([0, expect.stringContaining('CONFORMANT')]);
    },
  );

  it.skipIf(!existsSync(CORPUS))(
    'names scenario, step, path, expected and actual of a frame that was edited',
    async () => {
      const edited = join(folder, 'text-run-single-turn');
      await cp(join(CORPUS, basename(edited)), edited, { recursive: true });
      const transcript = join(edited, 'transcript.ndjson');
      const lines = (await readFile(transcript, 'utf8')).split('\n');
      const index = lines.findIndex((line) => line.includes('turn/completed'));
      lines[index] = (lines[index] ?? '').replace(
        '\\"terminal\\":\\"completed\\"',
        '\\"terminal\\":\\"cancelled\\"',
      );
      await writeFile(transcript, lines.join('\n'));
      const { exitCode, report, stdout } = await run('--scenarios', edited, ...OTHER_SERVER);
      expect(exitCode).toBe(1);
      expect(failuresIn(report)).toMatchObject([
        {
          scenario: 'text-run-single-turn',
          id: 'replay/event-matches',
          step: index + 1,
          method: 'turn/completed',
          differences: [{ path: '/params/terminal', expected: 'cancelled', actual: 'completed' }],
          rerun: expect.stringContaining('text-run-single-turn:replay/event-matches'),
        },
      ]);
      for (const word of [
        'text-run-single-turn',
        'replay/event-matches',
        '/params/terminal',
        'cancelled',
        'completed',
      ]) {
        expect(stdout).toContain(word);
      }
    },
  );
});

describe('run, on a server that is wrong in one pass alone', () => {
  it('names the pass in which a rule over all frames was broken', async () => {
    const chatter = 'test -e "$0/seen" && echo hello; touch "$0/seen"; exec "$@"';
    const server = [process.execPath, join(ROOT, 'bin', 'msp-conformance.js'), 'serve'];
    const args = ['--only', 'goal-blank', '--passes', 'duplicate,restart'];
    const { report } = await run(...args, '--', 'sh', '-c', chatter, '{stateDir}', ...server);
    expect(failuresIn(report)).toMatchObject([{ id: 'wire/stdout-only-frames', pass: 'restart' }]);
  });
});

describe('run, in shards', () => {
  const names = ['goal-blank', 'handshake-plain', 'plane-media-upload', 'session-unknown', 'wire-tolerance'];
  const args = [...names.flatMap((name) => ['--only', name]), '--passes', 'duplicate,conflict,restart'];

  /** All that is not a time. */
  const timeless = (report: Report | undefined) => ({
    ...report,
    startedAt: '',
    durationMs: 0,
    scenarios: report?.scenarios.map((scenario) => ({ ...scenario, durationMs: 0 })),
  });

  it('merges to the report that one machine would have written', async () => {
    const { report: whole } = await run(...args, '--seed', '1');
    expect(whole?.scenarios.map(({ id }) => id)).toEqual(names);
    const shards = ['1', '2', '3'].map((part) => join(folder, `${part}.json`));
    for (const [index, file] of shards.entries())
      await program.run(['run', ...args, '--shard', `${index + 1}/3`, '--reporter', `json=${file}`]);
    const merged = await program.run(['report', ...shards, '--reporter', `json=${reportFile()}`]);
    expect(merged.exitCode).toBe(0);
    expect(timeless(await reportOf())).toEqual(timeless(whole));
  });
});

describe('run, in trouble', () => {
  it('a server that does not exist is said so, with exit 3', async () => {
    const scenarios = ['--scenarios', await written(folder, 'listing', LISTING)];
    const { exitCode, report, stdout, stderr } = await run(...scenarios, '--', '/nowhere/no-such-server');
    expect(exitCode).toBe(3);
    expect(report?.verdict).toBe('incomplete');
    expect(stdout + stderr).toMatch(/\/nowhere\/no-such-server/);
    expect(report?.scenarios[0]).toMatchObject({
      status: 'errored',
      reason: expect.stringContaining('no-such-server'),
    });
  });

  it('a command that ends without a word is no server, with exit 3, its exit code and its stderr', async () => {
    const scenarios = ['--scenarios', await written(folder, 'listing', LISTING)];
    const { exitCode, report, stdout } = await run(
      ...scenarios,
      '--',
      process.execPath,
      '/nowhere/server.mjs',
    );
    expect([exitCode, report?.verdict]).toEqual([3, 'incomplete']);
    expect(report?.scenarios).toMatchObject([{ status: 'errored', checks: [] }]);
    for (const word of ['exit code 1', 'did not start', 'Cannot find module', 'Run the command by hand'])
      expect(stdout).toContain(word);
  });

  it('an expected-failures file that is not there is said so before anything is run, with exit 2', async () => {
    const known = join(folder, 'known.yaml');
    const lives = join(folder, 'lives');
    const args = ['--scenarios', await written(folder, 'listing', LISTING), '--expected-failures', known];
    const { exitCode, stderr } = await run(...args, ...small('honest', lives));
    expect([exitCode, existsSync(lives)]).toEqual([2, false]);
    expect(stderr).toContain(known);
    const updated = await run(...args, '--update-expected-failures', ...small('honest', lives));
    expect([updated.exitCode, existsSync(known)]).toEqual([0, true]);
  });

  it.each([
    ['--only', 'listing:replay/anwsered', 'replay/answered'],
    ['--only', '*:response-matches', 'replay/response-matches'],
    ['--skip', 'listing:schemo/*', 'Did you mean schema/'],
    ['--only', 'listin', 'listing'],
  ])('%s %s means nothing, which is said before anything is run', async (option, pattern, hint) => {
    const lives = join(folder, 'lives');
    const args = ['--scenarios', await written(folder, 'listing', LISTING), option, pattern];
    const { exitCode, stderr } = await run(...args, ...small('honest', lives));
    expect([exitCode, existsSync(lives)]).toEqual([2, false]);
    expect(stderr).toContain(hint);
  });

  it('a transcript that is unreadable is said so, with exit 2 and the place', async () => {
    const broken = await written(folder, 'broken', LISTING);
    await writeFile(join(broken, 'transcript.ndjson'), '{"dir":"client"}\n');
    const { exitCode, stderr } = await run('--scenarios', broken, ...small('honest'));
    expect(exitCode).toBe(2);
    expect(stderr).toContain('transcript.ndjson:1');
  });

  it('SIGTERM in the middle leaves no server, and a report of what is known', async () => {
    const counter = join(folder, 'lives');
    const folders = [await written(folder, 'a', LISTING), await written(folder, 'b', LISTING)];
    const args = folders.flatMap((path) => ['--scenarios', path]);
    const second = started(`${counter}.pid-1`);
    const { process: harness, ended } = program.start([
      ...common(),
      ...args,
      '--timeout',
      '600000',
      ...small('mute-later', counter),
    ]);
    const pid = await second;
    harness.kill('SIGTERM');
    const { exitCode } = await ended;
    expect(exitCode).toBe(143);
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
    const report = await reportOf();
    expect(report).toMatchObject({ verdict: 'incomplete', reason: expect.stringContaining('SIGTERM') });
    expect(report?.scenarios.map(({ id, status, reason }) => [id, status, reason])).toEqual([
      ['a', 'passed', ''],
      ['b', 'notApplicable', expect.stringMatching(/not finished/)],
    ]);
    expect(report?.endedBy).toBe('SIGTERM');
  });

  it('a check that was not reached is no pass', async () => {
    const scenarios = ['--scenarios', await written(folder, 'listing', LISTING)];
    const { exitCode, report } = await run(
      ...scenarios,
      '--only',
      'listing:durability/*',
      ...small('honest'),
    );
    expect(exitCode).toBe(3);
    expect(report?.scenarios[0]).toMatchObject({
      status: 'notApplicable',
      reason: expect.stringContaining('selected checks'),
    });
  });
});

/** The process id in a file that a server writes as it starts. */
async function started(path: string): Promise<number> {
  for await (const _change of watch(folder)) {
    const pid = existsSync(path) ? await readFile(path, 'utf8') : '';
    if (pid !== '') return Number(pid);
  }
  throw new Error('the watch ended');
}
