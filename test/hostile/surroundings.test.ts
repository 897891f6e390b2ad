import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { cp, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandLine, hostileScenario, hostileServer, inFolder } from './command-line.js';
import { twoAtATime } from './gate.js';

const isRoot = process.getuid?.() === 0;
const NOBODY = 65534;

const runModels = (...more: readonly string[]) => [
  ...['run', '--scenarios', hostileScenario('models'), '--passes', 'none', '--timeout', '60000', '--quiet'],
  ...[...more, '--', ...hostileServer('is-polite')],
];

describe.concurrent('inputs that are no files, or no folders', () => {
  it.each([
    [
      'a link that leads to itself',
      (at: string) => symlinkSync('transcript.ndjson', at),
      /symbolic links go round/,
    ],
    ['a link to nowhere', (at: string) => symlinkSync('nowhere', at), /no such file/],
    ['a FIFO', (at: string) => system('mkfifo', at), /no regular file/],
    ['a device without end', (at: string) => symlinkSync('/dev/zero', at), /no regular file/],
    ['a folder', (at: string) => mkdirSync(at), /is a folder|the folder is empty/],
  ] as const)('%s for a transcript', (_, make, says) =>
    twoAtATime(() =>
      inFolder(async (folder) => {
        const scenario = join(folder, 'odd');
        mkdirSync(scenario);
        make(join(scenario, 'transcript.ndjson'));
        for (const command of [
          ['validate', scenario],
          ['run', '--scenarios', scenario, '--', ...hostileServer('is-polite')],
        ]) {
          const { exitCode, stdout, stderr } = await commandLine(command, folder);
          expect(exitCode).toBe(2);
          expect(stderr).toMatch(says);
          expect(stderr).toContain(join(scenario, 'transcript.ndjson'));
          expect(stdout).not.toMatch(/\bconformant/i);
        }
      }),
    ),
  );

  it('a folder that contains itself is searched one level deep', () =>
    twoAtATime(() =>
      inFolder(async (folder) => {
        const scenarios = join(folder, 'scenarios');
        mkdirSync(scenarios);
        symlinkSync('.', join(scenarios, 'itself'));
        symlinkSync('lost', join(scenarios, 'lost'));
        await cp(hostileScenario('models'), join(scenarios, 'models'), { recursive: true });
        const { exitCode, stdout } = await commandLine(['validate', scenarios], folder);
        expect(stdout).toMatch(/^1 transcripts/m);
        expect(exitCode).toBe(0);
      }),
    ));
});

describe.concurrent('places that cannot be written to', () => {
  it.skipIf(!existsSync('/dev/full'))('a device that is full: exit 3, and says so', () =>
    twoAtATime(() =>
      inFolder(async (folder) => {
        const { exitCode, stderr } = await commandLine(runModels('--reporter', 'json=/dev/full'), folder);
        expect(stderr).toMatch(/\/dev\/full could not be written: the disk is full/);
        expect(exitCode).toBe(3);
      }),
    ),
  );

  it('a full disk: exit 3, the earlier report stays whole, and nothing half-written is left', (test) =>
    twoAtATime(() =>
      inFolder(async (folder) => {
        const disk = join(folder, 'disk');
        mkdirSync(disk);
        if (!mountSmall(disk)) return test.skip('no small disk can be mounted here (it takes root)');
        try {
          expect((await commandLine(runModels('--out', disk), folder)).exitCode).toBe(0);
          const before = await readFile(join(disk, 'report.json'), 'utf8');
          fill(join(disk, 'ballast'));
          const { exitCode, stderr } = await commandLine(runModels('--out', disk), folder);
          expect(stderr).toMatch(/could not be written: the disk is full/);
          expect(exitCode).toBe(3);
          expect((await readdir(disk)).sort()).toEqual(['ballast', 'report.json']);
          expect(await readFile(join(disk, 'report.json'), 'utf8')).toBe(before);
        } finally {
          system('umount', disk);
        }
      }),
    ));

  it('a folder without rights: exit 3 for a report, exit 2 for a scenario', (test) =>
    twoAtATime(() =>
      inFolder(async (folder) => {
        const closed = join(folder, 'closed');
        mkdirSync(closed, { mode: 0o755 });
        await cp(hostileScenario('models'), join(closed, 'models'), { recursive: true });
        chmodSync(closed, 0);
        if (isRoot) chownSync(folder, NOBODY, NOBODY);
        const options = isRoot ? { uid: NOBODY, gid: NOBODY } : {};
        try {
          const version = await commandLine(['--version'], folder, options).catch(() => undefined);
          if (version?.exitCode !== 0) return test.skip('another user cannot read this checkout');
          const report = await commandLine(runModels('--out', join(closed, 'out')), folder, options);
          expect(report.stderr).toMatch(/could not be written: no permission/);
          expect(report.exitCode).toBe(3);
          const scenario = await commandLine(['validate', join(closed, 'models')], folder, options);
          expect(scenario.stderr).toMatch(/cannot be read: permission denied/);
          expect(scenario.exitCode).toBe(2);
        } finally {
          chmodSync(closed, 0o755);
        }
      }),
    ));

  it('a file where a folder is wanted: exit 3', () =>
    twoAtATime(() =>
      inFolder(async (folder) => {
        writeFileSync(join(folder, 'file'), 'mine');
        const { exitCode, stderr } = await commandLine(runModels('--out', join(folder, 'file')), folder);
        expect(stderr).toMatch(/is a file, not a folder/);
        expect(exitCode).toBe(3);
        expect(await readFile(join(folder, 'file'), 'utf8')).toBe('mine');
      }),
    ));

  it('two runs that write to one folder leave the reports of one of them, whole', () =>
    inFolder(async (folder) => {
      const out = join(folder, 'out');
      const reporters = ['junit', 'markdown', 'html'].flatMap((name) => ['--reporter', name]);
      const runs = await Promise.all(
        [1, 2, 3].map((seed) =>
          commandLine(runModels('--seed', String(seed), '--out', out, ...reporters), folder),
        ),
      );
      expect(runs.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0]);
      const names = (await readdir(out)).sort();
      expect(names.filter((name) => name.startsWith('.'))).toEqual([]);
      expect(names).toContain('report.json');
      const { seed } = JSON.parse(await readFile(join(out, 'report.json'), 'utf8'));
      expect([1, 2, 3]).toContain(seed);
    }));
});

function system(program: string, ...words: readonly string[]): void {
  execFileSync(program, words, { stdio: 'ignore' });
}

function mountSmall(folder: string): boolean {
  if (!isRoot || process.platform !== 'linux') return false;
  try {
    system('mount', '-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', folder);
    return true;
  } catch {
    return false;
  }
}

function fill(file: string): void {
  try {
    writeFileSync(file, Buffer.alloc(1024 * 1024));
  } catch {
    // As much as there was room for has been written.
  }
}
