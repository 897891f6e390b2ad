import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';

const program = join(import.meta.dirname, '..', 'bin', 'msp-conformance.js');
const execute = promisify(execFile);

let script: string;
beforeAll(async () => {
  ({ stdout: script } = await execute(process.execPath, [program, 'completion', 'bash']));
});

/** What bash would offer for the last word, as `complete -F` calls the function. */
async function offered(...words: string[]): Promise<readonly string[]> {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the shell's
  const call = 'COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _msp_conformance; echo "${COMPREPLY[*]}"';
  const { stdout } = await execute('bash', ['-c', `${script}\n${call}`, 'bash', 'msp-conformance', ...words]);
  return stdout
    .trim()
    .split(' ')
    .filter((word) => word !== '');
}

describe('completion in bash', () => {
  it.each([
    [['re'], ['record', 'report']],
    [['run', '--exp'], ['--expected-failures']],
    [
      ['run', '--match', ''],
      ['conformant', 'exact'],
    ],
    [
      ['run', '--reporter', 'j'],
      ['json', 'junit'],
    ],
    [['run', '--passes', 'crash-a'], ['crash-after-ack']],
    [['explain', 'idempotency/missing'], ['idempotency/missing-command-id']],
    [['schema', 'd'], ['diff']],
    [['completion', 'z'], ['zsh']],
    [['run', '--', 're'], []],
  ])('%j', async (words, expected) => {
    expect(await offered(...words)).toEqual(expected);
  });
});
