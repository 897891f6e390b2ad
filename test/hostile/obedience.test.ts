import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandLine, hostileScenario, hostileServer, inFolder } from './command-line.js';
import { twoAtATime } from './gate.js';

const REPORTERS = ['pretty', 'junit', 'tap', 'github', 'markdown', 'html', 'json'];
const LIMITS = ['--timeout', '60000', '--passes', 'none'];

/** Everything that one run over a server's answers prints and writes, by where it went. */
async function everythingOf(manner: string, folder: string): Promise<Map<string, string>> {
  const files = REPORTERS.map((name) => [name, join(folder, `report.${name}`)] as const);
  const reporters = files.flatMap(([name, file]) => ['--reporter', `${name}=${file}`]);
  const words = [
    'run',
    '--scenarios',
    hostileScenario('models'),
    ...LIMITS,
    '--verbose',
    '--reporter',
    'pretty',
    ...reporters,
  ];
  const workplace = join(folder, 'workplace');
  await mkdir(workplace);
  const { exitCode, stdout, stderr } = await commandLine([...words, '--', ...hostileServer(manner)], folder, {
    cwd: workplace,
  });
  expect(exitCode).toBe(1);
  expect(await readdir(workplace)).toEqual([]);
  const written = await Promise.all(
    files.map(async ([name, file]) => [name, await readFile(file, 'utf8')] as const),
  );
  return new Map([['stdout', stdout], ['stderr', stderr], ...written]);
}

describe.concurrent('what a server says is shown and not obeyed', () => {
  it.each([
    'has-escapes-in-every-string',
    'has-XML-in-every-string',
    'has-HTML-in-every-string',
    'has-commands-in-every-string',
  ])('%s', (manner) =>
    twoAtATime(() =>
      inFolder(async (folder) => {
        const everything = await everythingOf(manner, folder);
        for (const [where, text] of everything) {
          expect
            .soft(text.match(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\ufffe\uffff]/)?.[0], where)
            .toBeUndefined();
        }
        expect.soft(everything.get('junit')).not.toContain('<testsuite name="owned"');
        expect.soft(everything.get('junit')).not.toContain('&#0;');
        for (const where of ['html', 'markdown']) {
          expect.soft(everything.get(where), where).not.toContain('<img src=x');
          expect.soft(everything.get(where), where).not.toContain('<script>owned');
        }
        // It is there to be read all the same.
        expect.soft(everything.get('stdout')).toMatch(/owned/);
      }),
    ),
  );
});

describe.concurrent('what a scenario says is sent and not obeyed', () => {
  it('commands, placeholders and globs reach the server as they are written', () =>
    twoAtATime(() =>
      inFolder(async (folder) => {
        const tricky = '$(touch owned) `touch owned` ; touch owned & {stateDir} {workspace} %PATH% ~ *';
        const scenario = join(folder, 'tricky');
        const traced = JSON.stringify({
          jsonrpc: '2.0',
          id: 2,
          method: 'model/list',
          trace: { tracestate: tricky },
        });
        await scenarioOf(scenario, (lines) =>
          lines.map((line) =>
            line.includes('model/list') ? JSON.stringify({ dir: 'client', raw: traced }) : line,
          ),
        );
        const kept = join(folder, tricky.slice(0, 20), 'kept');
        await mkdir(join(kept, '..'));
        const words = [
          'run',
          '--scenarios',
          scenario,
          ...LIMITS,
          '--',
          ...hostileServer('keeps-what-it-reads', kept),
        ];
        const { exitCode } = await commandLine(words, folder, { cwd: folder });
        expect(exitCode).toBe(0);
        expect(await readFile(kept, 'utf8')).toContain(`${traced}\n`);
        expect(await readdir(folder)).not.toContain('owned');
      }),
    ));

  it.each([
    'a b',
    'x;touch owned',
    '$(touch owned)',
    '-rf',
    '.hidden',
    '..x',
    'line\nbreak',
    '\u001b[2Jred',
    'naïve',
    '名前',
    "it's",
    '"',
  ])('a scenario cannot be named %j, so no report of it can leave --out', (name) =>
    twoAtATime(() =>
      inFolder(async (folder) => {
        await scenarioOf(join(folder, name), (lines) => lines);
        const out = join(folder, 'out');
        const { exitCode, stderr } = await commandLine(
          [
            'run',
            '--scenarios',
            join(folder, name),
            ...LIMITS,
            '--out',
            out,
            '--',
            ...hostileServer('is-polite'),
          ],
          folder,
        );
        expect(exitCode).toBe(2);
        expect(stderr).toMatch(/the scenario id .* is not usable; expected letters, digits/);
        expect(stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
        expect(await readdir(folder)).not.toContain('out');
      }),
    ),
  );

  it.each(['../escaped', '/tmp/escaped', 'models/../../escaped', ''])(
    'a manifest cannot call its scenario %j',
    (name) =>
      twoAtATime(() =>
        inFolder(async (folder) => {
          const scenario = join(folder, 'models');
          await scenarioOf(scenario, (lines) => lines);
          await writeFile(
            join(scenario, 'manifest.json'),
            JSON.stringify({ kind: 'mspTranscript', scenario: name }),
          );
          const { exitCode, stderr } = await commandLine(
            [
              'run',
              '--scenarios',
              scenario,
              ...LIMITS,
              '--out',
              join(folder, 'out'),
              '--',
              ...hostileServer('is-polite'),
            ],
            folder,
          );
          expect(exitCode).toBe(2);
          expect(stderr).toContain('manifest.json');
          expect(await readdir(folder)).not.toContain('escaped');
        }),
      ),
  );

  it('a folder whose path has spaces, line breaks and other scripts is as good as any', () =>
    twoAtATime(() =>
      inFolder(async (folder) => {
        const home = join(folder, 'my scenarios\n名前 $(touch owned)');
        await scenarioOf(join(home, 'models'), (lines) => lines);
        const words = ['run', '--scenarios', join(home, 'models'), ...LIMITS, '--out', join(home, 'out dir')];
        const { exitCode } = await commandLine([...words, '--', ...hostileServer('is-polite')], folder, {
          cwd: home,
        });
        expect(exitCode).toBe(0);
        expect((await readdir(home)).sort()).toEqual(['models', 'out dir']);
        expect(await readdir(join(home, 'out dir'))).toEqual(['report.json']);
      }),
    ));
});

describe('what a config file would have run', () => {
  it('is shown by --verbose before it is run', () =>
    inFolder(async (folder) => {
      const file = join(folder, 'hostile.config.json');
      const words = [
        ...hostileServer('keeps-what-it-reads', join(folder, 'kept')),
        '$(touch owned)',
        '\u001b[2J',
      ];
      await writeFile(file, JSON.stringify({ targets: { mine: { command: words } } }));
      const options = [
        '--config',
        file,
        '--target',
        'mine',
        '--scenarios',
        hostileScenario('models'),
        ...LIMITS,
        '--verbose',
      ];
      const { exitCode, stderr } = await commandLine(['run', ...options], folder, { cwd: folder });
      expect(exitCode).toBe(0);
      expect(stderr.split('\n')[0]).toMatch(/^the server: .*keeps-what-it-reads .*"\$\(touch owned\)"/);
      expect(stderr).not.toContain('\u001b');
      expect(await readdir(folder)).not.toContain('owned');
    }));
});

/** Writes a scenario that is the one with models but for its lines; it has no manifest. */
async function scenarioOf(
  folder: string,
  change: (lines: readonly string[]) => readonly string[],
): Promise<void> {
  const text = await readFile(join(hostileScenario('models'), 'transcript.ndjson'), 'utf8');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'transcript.ndjson'), `${change(text.trimEnd().split('\n')).join('\n')}\n`);
}
