import { lstat, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hostileReport, mixedReport, reportOf, scenarioOf } from '../../test/report/sample-report.js';
import { parseReport, readReport } from './read-report.js';
import { parseReporter, type ReportDestinations, type ReporterChoice, writeReports } from './reporters.js';

const OPTIONS = { colorLevel: 0, width: 100, quiet: false, verbose: false } as const;

let folder: string;
let printed: string[];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'msp-conformance-'));
  printed = [];
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function write(
  choices: readonly ReporterChoice[],
  destinations: Partial<ReportDestinations> = {},
  report = mixedReport(),
) {
  return writeReports(report, choices, { stdout: (text) => printed.push(text), ...destinations }, OPTIONS);
}

describe('--reporter', () => {
  it.each([
    ['json', { name: 'json' }],
    ['junit=a/b=c.xml', { name: 'junit', file: 'a/b=c.xml' }],
  ])('%s', (text, choice) => {
    expect(parseReporter(text)).toEqual(choice);
  });

  it.each([
    ['jsn', /no reporter "jsn".*Did you mean json\?/],
    ['constructor', /no reporter "constructor"/],
    ['json=', /names no file: write json=FILE/],
  ])('%s is refused', (text, message) => {
    expect(() => parseReporter(text)).toThrow(message);
  });
});

describe('writing reports', () => {
  it('prints what has no file, in order', async () => {
    await write([{ name: 'tap' }, { name: 'json' }]);
    expect(printed.map((text) => text.slice(0, 8))).toEqual(['TAP vers', '{\n  "for']);
  });

  it('prints the pretty report when no reporter prints', async () => {
    await write([{ name: 'json', file: join(folder, 'deep/er/report.json') }]);
    expect(printed.join('')).toContain('NONCONFORMANT');
    expect(await readReport(join(folder, 'deep/er/report.json'))).toEqual(mixedReport());
  });

  it('fills --out with report.json and every reporter that makes a file', async () => {
    await write([{ name: 'junit' }, { name: 'markdown' }, { name: 'github' }], { outDir: folder });
    expect((await readdir(folder)).sort()).toEqual(['junit.xml', 'report.json', 'report.md']);
    expect(printed.join('')).toMatch(/^::error/);
  });

  it('appends the job summary, and only for the github reporter', async () => {
    const stepSummary = join(folder, 'summary');
    await writeFile(stepSummary, 'before\n');
    await write([{ name: 'pretty' }], { stepSummary });
    expect(await readFile(stepSummary, 'utf8')).toBe('before\n');
    await write([{ name: 'github' }], { stepSummary });
    expect(await readFile(stepSummary, 'utf8')).toMatch(/^before\n## ❌ MSP/);
  });

  it('leaves nothing half-written when one of the files cannot be put in its place', async () => {
    await mkdir(join(folder, 'junit.xml'));
    await expect(write([{ name: 'junit', file: join(folder, 'junit.xml') }])).rejects.toThrow(
      /junit\.xml could not be written/,
    );
    expect(await readdir(folder)).toEqual(['junit.xml']);
    expect(printed).toEqual([]);
  });

  it('names the file and the reason with exit code 3 when it cannot write', async () => {
    await writeFile(join(folder, 'file'), '');
    await expect(write([{ name: 'json', file: join(folder, 'file', 'x.json') }])).rejects.toMatchObject({
      name: 'ReportWriteError',
      exitCode: 3,
      message: expect.stringMatching(/file could not be written: a part of its path is a file/),
    });
  });

  it('follows a link and leaves it a link', async () => {
    await writeFile(join(folder, 'real.json'), 'old');
    await symlink(join(folder, 'real.json'), join(folder, 'link.json'));
    await write([{ name: 'json', file: join(folder, 'link.json') }]);
    expect((await lstat(join(folder, 'link.json'))).isSymbolicLink()).toBe(true);
    expect(await readReport(join(folder, 'real.json'))).toEqual(mixedReport());
  });

  it.runIf(process.platform === 'linux')(
    'says that a disk is full, and does not replace a device',
    async () => {
      const writing = write([
        { name: 'json', file: '/dev/full' },
        { name: 'tap', file: join(folder, 'x.tap') },
      ]);
      await expect(writing).rejects.toThrow('/dev/full could not be written: the disk is full (ENOSPC)');
      expect((await stat('/dev/full')).isCharacterDevice()).toBe(true);
      expect(await readdir(folder)).toEqual([]);
    },
  );

  it('never mixes the files of two runs that write to one folder', async () => {
    const runs = Array.from({ length: 8 }, (_, seed) =>
      reportOf([scenarioOf({ id: `of-${seed}` })], { seed }),
    );
    const choices: ReporterChoice[] = [{ name: 'tap' }, { name: 'junit' }];
    await Promise.all(runs.map((report) => write(choices, { outDir: folder }, report)));
    const { seed } = await readReport(join(folder, 'report.json'));
    expect(await readFile(join(folder, 'report.tap'), 'utf8')).toContain(`of-${seed}`);
    expect(await readFile(join(folder, 'junit.xml'), 'utf8')).toContain(`of-${seed}`);
    expect((await readdir(folder)).sort()).toEqual(['junit.xml', 'report.json', 'report.tap']);
  });

  it('takes over the lock of a run that died', async () => {
    // No process has this id: it is above the largest that Linux or macOS hand out.
    await writeFile(join(folder, '.msp-conformance.lock'), '2147483646');
    await write([{ name: 'pretty' }], { outDir: folder });
    expect(await readdir(folder)).toEqual(['report.json']);
  });
});

describe('reading a report', () => {
  const text = JSON.stringify(reportOf([scenarioOf()]), null, 2);

  it('gives back what was written, hostile strings and all', () => {
    const report = JSON.parse(JSON.stringify(hostileReport('\ud800\u0000'))) as unknown;
    expect(parseReport(JSON.stringify(report), 'r.json')).toEqual(report);
  });

  it('ignores members of a later version', () => {
    expect(parseReport(text.replace('"seed"', '"later": 1,\n  "seed"'), 'r.json')).toMatchObject({
      seed: 42,
      later: 1,
    });
  });

  it.each([
    [
      'a word that is no verdict',
      text.replace('"conformant"', '"fine"'),
      /r\.json:\d+:\d+: \/verdict must be equal to one of the allowed values \(\["conformant"/,
    ],
    [
      'a later format',
      text.replace('"formatVersion": 1', '"formatVersion": 2'),
      /r\.json:2:20: \/formatVersion must be equal to constant \(1\)/,
    ],
    ['a missing member', '{"formatVersion": 1}', /r\.json:1:1: the file must have required property 'tool'/],
    ['another kind of JSON', '[]', /r\.json:1:1: the file must be object/],
    ['half a file', text.slice(0, 900), /r\.json/],
    ['no JSON', 'hello', /r\.json: this is no JSON/],
    ['nothing', '', /r\.json: this is no JSON/],
  ])('refuses %s', (_, broken, message) => {
    expect(() => parseReport(broken, 'r.json')).toThrow(message);
  });

  it('names a file that is not there', async () => {
    await expect(readReport(join(folder, 'none.json'))).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringMatching(/none\.json: cannot be read: ENOENT/),
    });
  });
});
