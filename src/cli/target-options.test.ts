import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import type { TargetConfig } from './config.js';
import { UsageError } from './errors.js';
import { addTargetOptions, type TargetOptions, targetSpec } from './target-options.js';

const bundled = { label: 'bundled', command: ['node', 'reference.js'], behaviours: { slow: 'slow' } };

/** Reads a command line as the program does: the words after `--` are the server's. */
function read(words: readonly string[], target?: TargetConfig) {
  const dashes = words.indexOf('--');
  const own = dashes < 0 ? words : words.slice(0, dashes);
  const command = addTargetOptions(new Command('run')).parse(own, { from: 'user' });
  return targetSpec(command.opts<TargetOptions>(), {
    serverCommand: dashes < 0 ? undefined : words.slice(dashes + 1),
    ...(target && { named: { name: 'mine', target } }),
    bundled,
  });
}

describe('the target on the command line', () => {
  it('is the bundled server over stdio by default', () => {
    expect(read([])).toEqual({
      label: 'bundled',
      command: bundled.command,
      address: { kind: 'stdio' },
      env: {},
      inheritEnv: false,
      behaviours: { slow: 'slow' },
      startTimeoutMs: 10_000,
      timeoutMs: 10_000,
      graceMs: 5_000,
    });
  });

  it.each([
    [['--', 'node', 's.js'], { command: ['node', 's.js'], address: { kind: 'stdio' }, behaviours: {} }],
    [
      ['--unix', '{stateDir}/s', '--', 's'],
      { command: ['s'], address: { kind: 'unix', path: '{stateDir}/s' } },
    ],
    [['--tcp', '[::1]:70'], { address: { kind: 'tcp', host: '::1', port: 70 }, label: '[::1]:70' }],
    [
      ['--tcp', 'localhost:{port}', '--', 's'],
      { address: { kind: 'tcp', host: 'localhost', port: '{port}' } },
    ],
    [
      ['--unix', 's', '--restart-command', "svc 'a b'", '--kill-command', 'kill x'],
      { restartCommand: ['svc', 'a b'], killCommand: ['kill', 'x'] },
    ],
    [['--env', 'A=1=2', '--env', 'B=', '--inherit-env'], { env: { A: '1=2', B: '' }, inheritEnv: true }],
    [['--behaviour', 'fail=fail, please', '--', 's'], { behaviours: { fail: 'fail, please' } }],
    [
      ['--start-timeout', '1', '--timeout', '2', '--grace', '3'],
      { startTimeoutMs: 1, timeoutMs: 2, graceMs: 3 },
    ],
  ])('%j', (words, expected) => {
    expect(read(words)).toMatchObject(expected);
  });

  it('goes before the target that it names', () => {
    const target = {
      unix: 's',
      restartCommand: ['svc'],
      env: { A: 'a', B: 'b' },
      behaviours: { slow: 'count' },
    };
    expect(read(['--env', 'B=c'], target)).toMatchObject({
      label: 'mine',
      address: { kind: 'unix', path: 's' },
      restartCommand: ['svc'],
      env: { A: 'a', B: 'c' },
      behaviours: { slow: 'count' },
    });
    expect(read(['--tcp', 'h:1'], target)).toMatchObject({
      label: 'h:1',
      address: { kind: 'tcp', host: 'h', port: 1 },
    });
    expect(read(['--', 'node', 's.js'], { command: ['other'] })).toMatchObject({ label: 'node s.js' });
  });

  it('takes over no restart command when it launches the server itself', () => {
    expect(read(['--', 's'], { unix: 's', restartCommand: ['svc'] })).not.toHaveProperty('restartCommand');
  });

  it.each([
    [['--unix', 'a', '--tcp', 'h:1'], /not both/],
    [['--unix', ''], /path of a socket/],
    [['--tcp', '7000'], /HOST:PORT.*"7000"/],
    [['--tcp', 'h:65536'], /HOST:PORT/],
    [['--tcp', 'h:{port}'], /only a command/],
    [['--env', '=1'], /--env expects NAME=VALUE, found "=1"/],
    [['--behaviour', 'slwo=x'], /"slwo".*Did you mean slow/],
    [['--timeout', '0'], /--timeout expects whole milliseconds/],
    [['--grace', '1.5'], /--grace/],
    [['--start-timeout', '2147483648'], /--start-timeout/],
    [['--restart-command', 'svc', '--', 's'], /only connected to/],
    [['--', ''], /empty word/],
  ])('refuses %j', (words, message) => {
    expect(() => read(words)).toThrow(UsageError);
    expect(() => read(words)).toThrow(message);
  });

  it('refuses a named target that says no place', () => {
    expect(() => read([], { env: {} })).toThrow(/mine says neither/);
  });
});
