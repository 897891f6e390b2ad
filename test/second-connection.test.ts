import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Report } from '../src/report/model.js';
import { type Built, build } from './run/built.js';

const ROOT = join(import.meta.dirname, '..');
const OTHER = [process.execPath, join(ROOT, 'test', 'other-server', 'main.mjs')];
const REFERENCE = [
  process.execPath,
  join(ROOT, 'bin', 'msp-conformance.js'),
  'serve',
  '--state',
  '{stateDir}',
];
const BEHAVIOURS = ['--behaviour', 'slow=please take your time'];

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

/** The reconnect pass over a bundled scenario: the verdict, and every check that was not simply passed. */
async function reconnect(scenario: string, address: readonly string[], server: readonly string[]) {
  const file = join(folder, 'report.json');
  const chosen = ['--scenarios', join(ROOT, 'scenarios', scenario), '--passes', 'reconnect'];
  const options = [...chosen, '--reporter', `json=${file}`, ...address];
  const { exitCode } = await program.run(['run', ...options, '--', ...server]);
  const report: Report = JSON.parse(await readFile(file, 'utf8'));
  const checks = report.scenarios.flatMap((result) => result.checks);
  return {
    exitCode,
    failed: checks.filter(({ status }) => status === 'failed').map(({ id, message }) => `${id}: ${message}`),
    views: new Set(checks.filter(({ id }) => id === 'view/connections-agree').map(({ status }) => status)),
  };
}

describe('a session that is followed on two connections', () => {
  it.each([
    ['the reference server', 'turn-plain', [], REFERENCE],
    ['the reference server, whose turn died in the recording', 'crash-resume', [], REFERENCE],
    ['a server of another make', 'turn-plain', BEHAVIOURS, OTHER],
    ['a server of another make that keeps nothing', 'turn-plain', BEHAVIOURS, [...OTHER, '--ephemeral']],
  ])('is one view to %s', async (_server, scenario, options, command) => {
    const address = ['--unix', '{stateDir}/host.sock', ...options];
    const server = [...command, '--listen', 'unix:{stateDir}/host.sock'];
    expect(await reconnect(scenario, address, server)).toEqual({
      exitCode: 0,
      failed: [],
      views: new Set(['passed']),
    });
  });

  it.each(['cursors-per-connection', 'event-for-one-connection'])(
    'is not one view with %s',
    async (fault) => {
      const address = ['--tcp', '127.0.0.1:{port}'];
      const server = [...REFERENCE, '--listen', 'tcp:127.0.0.1:{port}', '--fault', fault];
      const { exitCode, failed } = await reconnect('turn-plain', address, server);
      expect(exitCode).toBe(1);
      expect(failed).toEqual([
        expect.stringMatching(/^view\/connections-agree: .* followed on two connections/),
      ]);
    },
  );

  it('is not asked of a server over stdio', async () => {
    const { views } = await reconnect('turn-plain', [], REFERENCE);
    expect(views).toEqual(new Set(['notApplicable']));
  });
});
