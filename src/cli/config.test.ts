import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { namedTarget, readConfig } from './config.js';
import { applyConfigDefaults } from './config-defaults.js';
import type { CliContext } from './context.js';
import { addRunOptions, readRunOptions } from './run-options.js';

const FULL = `
targets:
  mine:
    command: [node, server.js, --port, 7000]
    env: { LEVEL: 3 }
    behaviours: { slow: count to a million }
  remote: { tcp: "localhost:7000", restartCommand: [systemctl, restart, msp] }
defaults:
  target: mine
  timeout: 2500
  passes: [duplicate]
  reporter: [pretty, junit=junit.xml]
  strict: true
`;

function runOptions(words: readonly string[], text?: string) {
  const command = addRunOptions(new Command('run'))
    .exitOverride()
    .configureOutput({ writeErr: () => {} });
  command.parse(words, { from: 'user' });
  const config = text === undefined ? undefined : readConfig(text, 'c.yaml');
  if (config !== undefined) applyConfigDefaults(command, config);
  return readRunOptions(command, { serverCommand: undefined } satisfies Pick<CliContext, 'serverCommand'>);
}

describe('a config file', () => {
  it('names targets', () => {
    const config = readConfig(FULL, 'c.yaml');
    expect(namedTarget(config, 'mine')).toEqual({
      command: ['node', 'server.js', '--port', '7000'],
      env: { LEVEL: '3' },
      behaviours: { slow: 'count to a million' },
    });
    expect(() => namedTarget(config, 'remot')).toThrow(
      /c\.yaml has no target "remot": it names mine, remote\. Did you mean remote\?/,
    );
    expect(() => namedTarget(config, 'constructor')).toThrow(/no target/);
    expect(() => namedTarget(undefined, 'mine')).toThrow(/needs a config file/);
  });

  it('may be JSON, and may be empty', () => {
    expect(readConfig('{"targets": {"a": {"unix": "s"}}}', 'c.json').targets).toEqual({ a: { unix: 's' } });
    expect(readConfig('', 'c.yaml').targets).toEqual({});
  });

  it.each([
    ['target:\n  a: 1', /c\.yaml:1:1: unknown key "target"\. Did you mean targets\?/],
    ['targets:\n  a:\n    comand: [x]', /c\.yaml:3:5: unknown key "comand"\. Did you mean command\?/],
    ['targets:\n  a:\n    command: node x', /c\.yaml:3:14: targets\.a\.command must be a list of words/],
    ['targets:\n  a:\n    command: []', /c\.yaml:3:14: .* at least one word/],
    ['targets:\n  a:\n    inheritEnv: maybe', /c\.yaml:3:17: .* true or false, found "maybe"/],
    ['targets:\n  a: [1]', /c\.yaml:2:6: targets\.a must be a mapping/],
    ['- a', /c\.yaml:1:1: the file must be a mapping/],
    ['targets: {', /c\.yaml:1:1\d: /],
    ['targets: {}\ntargets: {}', /c\.yaml:2:1: /],
    ['a: &a [x]\nb: *c', /c\.yaml/],
  ])('says where %j is wrong', (text, message) => {
    expect(() => readConfig(text, 'c.yaml')).toThrow(message);
  });
});

describe('defaults of a config file', () => {
  it('are read as if they stood on the command line', () => {
    expect(runOptions([], FULL.replace('  target: mine\n', ''))).toMatchObject({
      passes: ['duplicate'],
      reporters: [{ name: 'pretty' }, { name: 'junit', file: 'junit.xml' }],
      strict: true,
      target: { timeoutMs: 2500 },
    });
  });

  it('yield to the command line', () => {
    const words = ['--passes', 'none', '--timeout', '1', '--reporter', 'tap'];
    expect(runOptions(words, FULL.replace('  target: mine\n', ''))).toMatchObject({
      passes: [],
      reporters: [{ name: 'tap' }],
      target: { timeoutMs: 1 },
    });
  });

  it.each([
    ['defaults:\n  timout: 1', /c\.yaml:2:11: there is no option --timout\. Did you mean timeout\?/],
    ['defaults:\n  strict: 1', /c\.yaml:2:11: --strict is either true or false here/],
    ['defaults:\n  workers: many', /c\.yaml:2:12: --workers: It must be a whole number/],
    ['defaults:\n  workers: [1, 2]', /c\.yaml:2:12: --workers takes one value, found 2/],
    ['defaults:\n  match: loose', /c\.yaml:2:10: --match is one of conformant, exact, found loose/],
    ['defaults:\n  only: [{a: 1}]', /c\.yaml:2:9: --only takes a text or a number/],
    ['defaults:\n  reporter: jsn', /c\.yaml:2:13: --reporter: There is no reporter "jsn"/],
  ])('say where %j is wrong', (text, message) => {
    expect(() => runOptions([], text)).toThrow(message);
  });
});

describe('the run options', () => {
  it('have defaults', () => {
    expect(runOptions([])).toMatchObject({
      scenarios: [],
      repeat: 1,
      match: 'conformant',
      ids: 'fresh',
      require: 'core',
      strict: false,
      shard: undefined,
      target: { label: 'bundled reference server' },
    });
    expect(runOptions([]).passes).toHaveLength(11);
    expect(runOptions([]).asksForPasses).toBe(false);
    expect(Number.isSafeInteger(runOptions([]).seed)).toBe(true);
  });

  it.each([
    // Shards are merged only under one seed.
    [['--shard', '2/3'], { shard: { index: 2, count: 3 }, seed: 1 }],
    [['--shard', '2/3', '--seed', '9'], { seed: 9 }],
    [['--passes', 'conflict, duplicate'], { passes: ['duplicate', 'conflict'], asksForPasses: true }],
    [['--passes', 'all'], { asksForPasses: true }],
    [['--only', 'a', '--only', 'b:*'], { only: ['a', 'b:*'] }],
    [['--seed', '0', '--out', 'x'], { seed: 0, outDir: 'x' }],
  ])('read %j', (words, options) => {
    expect(runOptions(words)).toMatchObject(options);
  });

  it.each([
    [['--shard', '4/3']],
    [['--shard', '0/3']],
    [['--passes', 'conflcit']],
    [['--workers', '0']],
    [['--seed', '-1']],
    [['--match', 'loose']],
    [['--quiet', '--verbose']],
    [['--update-expected-failures']],
    [['--reporter', 'x']],
    [['stray']],
    [['--target', 'mine']],
  ])('refuse %j', (words) => {
    expect(() => runOptions(words)).toThrow();
  });
});
