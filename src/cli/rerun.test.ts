import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { rerunCommand } from './rerun.js';
import { addRunOptions, readRunOptions } from './run-options.js';

function rerun(words: readonly string[], serverCommand?: readonly string[]): string {
  const command = addRunOptions(new Command('run')).parse([...words, '--seed', '7'], { from: 'user' });
  return rerunCommand(readRunOptions(command, { serverCommand }), 'goal-set', 'wire/utf8');
}

describe('the command that re-runs one check', () => {
  it.each([
    [[], undefined, ''],
    [['--only', 'x', '--shard', '1/2', '--reporter', 'tap', '--quiet'], undefined, ''],
    [['--passes', 'none'], undefined, ' --passes none'],
    [['--passes', 'conflict,duplicate'], ['s'], ' --passes duplicate,conflict -- s'],
    [[], ['node', 'my server.js', "it's"], ` -- node 'my server.js' 'it'\\''s'`],
    [
      ['--timeout', '5000', '--strict', '--behaviour', 'slow=a b', '--scenarios', 'x', '--scenarios', 'y'],
      ['s'],
      ` --behaviour 'slow=a b' --timeout 5000 --scenarios x --scenarios y --strict -- s`,
    ],
    [['--unix', '{stateDir}/s'], ['s'], ` --unix '{stateDir}/s' -- s`],
  ])('repeats the target and the limits of %j', (words, server, rest) => {
    expect(rerun(words, server)).toBe(`msp-conformance run --only goal-set:wire/utf8 --seed 7${rest}`);
  });
});
