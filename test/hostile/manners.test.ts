import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Report } from '../../src/report/model.js';
import { commandLine, type Ended, hostileScenario, hostileServer, inFolder } from './command-line.js';
import { twoAtATime } from './gate.js';
import { longRequest } from './long-request.js';
import { ADDRESSEES, LIFE, PACE, type Row, WORDS } from './table.js';

describe.concurrent.each([
  ['how it lives and dies', LIFE],
  ['how it reads and writes', PACE],
  ['what it writes', WORDS],
  ['whom it answers', ADDRESSEES],
] as const)('a server with bad manners: %s', (_, rows) => {
  it.each(rows)('$manner: $verdict, exit $exit ($names)', (row) =>
    twoAtATime(() =>
      inFolder(async (folder) => {
        const { ended, report } = await meet(row, folder);
        expect({ exit: ended.exitCode, verdict: report.verdict, names: namesOf(report) }).toEqual({
          exit: row.exit,
          verdict: row.verdict,
          names: [...(row.names ?? [])].sort(),
        });
        expect(wordsOf(report)).toMatch(row.says ?? /./);
        expect(ended.memory).toBeLessThan((row.memoryMiB ?? 400) * 1024 * 1024);
        expect(ended.leftFiles).toEqual([]);
        await expectNobodyLeft(row, ended, folder);
      }),
    ),
  );
});

async function meet(row: Row, folder: string): Promise<{ ended: Ended; report: Report }> {
  const file = join(folder, 'report.json');
  const scenario =
    row.scenario === 'long-request' ? await longRequest(folder) : hostileScenario(row.scenario ?? 'models');
  const argument = row.argument?.replace('{folder}', folder);
  const limits = ['--timeout', '60000', '--start-timeout', '60000', '--grace', '60000'];
  const words = ['run', '--scenarios', scenario, '--passes', 'none', ...limits, ...(row.options ?? [])];
  const server = hostileServer(row.manner, ...(argument === undefined ? [] : [argument]));
  const ended = await commandLine(
    [...words, '--quiet', '--reporter', `json=${file}`, '--', ...server],
    folder,
  );
  const text = await readFile(file, 'utf8').catch(() => {
    throw new Error(`There is no report; the harness said:\n${ended.stderr}`);
  });
  return { ended, report: JSON.parse(text) as Report };
}

/** The checks that say something of the server, each once. */
function namesOf(report: Report): string[] {
  const telling = report.scenarios
    .flatMap(({ checks }) => checks)
    .filter(({ status, message }) => status !== 'passed' || message !== '');
  return [...new Set(telling.map(({ id }) => id))].sort();
}

function wordsOf(report: Report): string {
  return report.scenarios
    .flatMap(({ reason, checks }) => [reason, ...checks.map(({ message }) => message)])
    .concat(report.verdict)
    .join('\n');
}

async function expectNobodyLeft({ leavesDaemon }: Row, { left }: Ended, folder: string): Promise<void> {
  if (leavesDaemon !== true) {
    expect(left ?? []).toEqual([]);
    return;
  }
  const daemon = Number(await readFile(join(folder, 'daemon'), 'utf8'));
  process.kill(daemon, 'SIGKILL');
  expect(left ?? [daemon]).toEqual([daemon]);
}
