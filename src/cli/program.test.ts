import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { mixedReport, reportOf, scenarioOf } from '../../test/report/sample-report.js';
import { COMMANDS } from './commands.js';
import { failureOf, UsageError } from './errors.js';
import { main } from './main.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'msp-conformance-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Runs a command line in this process and collects what it prints. */
async function run(...argv: string[]) {
  const printed = { stdout: '', stderr: '' };
  const collect = (name: keyof typeof printed) => (text: unknown) => {
    printed[name] += String(text);
    return true;
  };
  const spies = [
    vi.spyOn(process.stdout, 'write').mockImplementation(collect('stdout')),
    vi.spyOn(process.stderr, 'write').mockImplementation(collect('stderr')),
  ];
  try {
    return { code: await main(argv), ...printed };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

async function fileOf(name: string, value: unknown): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, JSON.stringify(value));
  return file;
}

describe('the command line', () => {
  it.each([
    ['a misspelt command', ['repot'], /^error: There is no command "repot"\. Did you mean report\?\n$/],
    ['a name of every object', ['constructor'], /There is no command "constructor"/],
    ['an unknown option', ['list', '--jsn'], /unknown option '--jsn'\n\(Did you mean --json\?\)/],
    ['a missing argument', ['report'], /missing required argument/],
    ['a server where none is started', ['list', '--', 'node'], /list starts no server/],
    ['a file that is not there', ['report', 'none.json'], /none\.json: cannot be read/],
    [
      'an unknown check',
      ['explain', 'idempotency/conflict-rejectd'],
      /Did you mean idempotency\/conflict-rejected\?/,
    ],
    ['a check without its family', ['explain', 'idempotency/replayed'], /no check and no scenario/],
    [
      'a misspelt scenario to list',
      ['list', '--only', 'goal-blnk'],
      /selects no scenario. Did you mean goal-blank\?/,
    ],
    [
      'a misspelt check to list',
      ['list', '--only', '*:replay/anwsered'],
      /no check .*Did you mean replay\/answered\?/,
    ],
    [
      'a misspelt fault',
      ['serve', '--fault', 'conflict-acepted'],
      /no fault .*Did you mean conflict-accepted\?/,
    ],
    ['what cannot be listed', ['list', 'fault'], /Did you mean faults\?/],
    ['an unknown reporter', ['report', 'x', '--reporter', 'htm'], /no reporter "htm"/],
    ['nothing', [], /Usage: msp-conformance/],
  ])('ends with 2 for %s', async (_, argv, message) => {
    const { code, stderr, stdout } = await run(...argv);
    expect(stderr).toMatch(message);
    expect(code).toBe(2);
    expect(stdout).toBe('');
  });

  it('explains a check with its usual causes and a command that shows it fail', async () => {
    const { code, stdout } = await run('explain', 'idempotency/restart-single-effect');
    expect(code).toBe(0);
    expect(stdout).toContain('A ledger in memory alone');
    expect(stdout).toMatch(
      /^ {2}\$ msp-conformance run .* -- msp-conformance serve --fault ledger-in-memory$/m,
    );
  });

  it('prints the version', async () => {
    const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string };
    expect(await run('--version')).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
  });

  it.each(Object.keys(COMMANDS))('has help with examples for %s', async (name) => {
    const { code, stdout } = await run(name, '--help');
    expect(code).toBe(0);
    expect(stdout).toMatch(/Examples:\n {2}# .+\n {2}\$ msp-conformance /);
    expect(await run('help', name)).toMatchObject({ code: 0, stdout });
  });

  it.each(['info', 'diff', 'check'])('has help with examples for schema %s', async (name) => {
    expect((await run('schema', name, '--help')).stdout).toMatch(
      new RegExp(`Examples:\\n {2}# .+\\n {2}\\$ msp-conformance schema ${name}`),
    );
  });

  it.each(['bash', 'zsh', 'fish'])('completes every command in %s', async (shell) => {
    const { code, stdout } = await run('completion', shell);
    expect(code).toBe(0);
    for (const name of Object.keys(COMMANDS)) expect(stdout).toContain(name);
    expect(stdout).toMatch(/(--|-l )reporter/);
  });
});

describe('errors', () => {
  it.each([
    [new UsageError('u'), 2, false],
    [Object.assign(new Error('i'), { name: 'InputError', hint: 'rename it' }), 2, false],
    [Object.assign(new Error('h'), { name: 'HostStartError' }), 3, false],
    [Object.assign(new Error('w'), { exitCode: 3 }), 3, false],
    [new TypeError('x is undefined'), 3, true],
    ['a thrown string', 3, true],
  ])('%s ends with the right code', (error, exitCode, isInternal) => {
    expect(failureOf(error)).toMatchObject({ exitCode, isInternal });
  });

  it('carry their hint', () => {
    expect(failureOf(Object.assign(new Error('i'), { name: 'InputError', hint: 'rename it' })).message).toBe(
      'i\nrename it',
    );
  });
});

describe('report', () => {
  it('ends with the verdict’s exit code', async () => {
    const good = await fileOf('good.json', reportOf([scenarioOf()]));
    const bad = await fileOf('bad.json', mixedReport());
    const empty = await fileOf('empty.json', reportOf([]));
    expect(await run('report', good)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('CONFORMANT'),
    });
    expect(await run('report', bad)).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('NONCONFORMANT'),
    });
    expect(await run('report', empty, '--quiet')).toMatchObject({
      code: 3,
      stdout: expect.stringMatching(/^INCOMPLETE/),
    });
  });

  it('merges shards and writes what is asked for', async () => {
    const one = await fileOf('1.json', reportOf([scenarioOf({ id: 'b' })]));
    const two = await fileOf('2.json', reportOf([scenarioOf({ id: 'a' })]));
    const out = join(folder, 'out');
    expect(await run('report', one, two, '--reporter', 'json', '--out', out)).toMatchObject({ code: 0 });
    const merged = JSON.parse(await readFile(join(out, 'report.json'), 'utf8')) as {
      scenarios: { id: string }[];
    };
    expect(merged.scenarios.map(({ id }) => id)).toEqual(['a', 'b']);
    expect(await run('report', one, one)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('more than one report'),
    });
  });
});

describe('list and explain', () => {
  it('list the checks for people and programs', async () => {
    expect(await run('list', 'checks')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('idempotency/conflict-rejected'),
    });
    const { stdout } = await run('list', 'checks', '--json');
    expect(JSON.parse(stdout)).toMatchObject({
      checks: expect.arrayContaining([expect.objectContaining({ id: 'wire/utf8' })]),
    });
  });

  it('explain a check', async () => {
    const { code, stdout } = await run('explain', 'idempotency/conflict-rejected');
    expect(code).toBe(0);
    for (const part of ['What is demanded', 'Where from', 'What servers get wrong', 'How to see it'])
      expect(stdout).toContain(part);
  });

  it('list and explain scenarios of a folder', async () => {
    const scenario = join(folder, 'my-scenario');
    await mkdir(scenario);
    await writeFile(join(scenario, 'transcript.ndjson'), '{"dir":"client","raw":"{}"}\n');
    const manifest = {
      scenario: 'my-scenario',
      conformance: { title: 'A title', requirement: 'It holds.', behaviours: { '1': 'slow' } },
    };
    await writeFile(join(scenario, 'manifest.json'), JSON.stringify(manifest));
    expect((await run('list', 'scenarios', '--scenarios', folder)).stdout).toBe(
      'Scenarios\n  my-scenario  A title  It holds.\n',
    );
    expect((await run('explain', 'my-scenario', '--scenarios', folder)).stdout).toContain('behaviour slow');
    expect(await run('explain', 'my-scenaro', '--scenarios', folder)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Did you mean my-scenario?'),
    });
  });
});

describe('schema', () => {
  it('tells what the bundled bundle holds and that it is sound', async () => {
    expect(await run('schema', 'info')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^methods +57$/m),
    });
    expect(await run('schema', 'check')).toMatchObject({ code: 0 });
  });

  it('exits 1 for a breaking change and 0 for an additive one', async () => {
    const text = await readFile('schema/msp.schema.json', 'utf8');
    const bundle = JSON.parse(text) as { methods: Record<string, unknown> };
    const { 'usage/read': _, ...methods } = bundle.methods;
    const smaller = await fileOf('smaller.schema.json', { ...bundle, methods });
    const whole = await fileOf('whole.schema.json', bundle);
    const { code, stdout } = await run('schema', 'diff', whole, smaller);
    expect({ code, stdout }).toMatchObject({ code: 1, stdout: expect.stringMatching(/^Breaking\n/) });
    expect(await run('schema', 'diff', smaller, whole)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Additive\n/),
    });
    expect(await run('schema', 'diff', whole, whole)).toMatchObject({ code: 0 });
    expect(await run('schema', 'info', await fileOf('no.json', []))).toMatchObject({ code: 2 });
  });
});
