import type { RunOptions } from './run-options.js';

/** The command line that runs one check of one scenario again, quoted for a POSIX shell. */
export function rerunCommand(
  options: Pick<RunOptions, 'rerunWords' | 'seed'>,
  scenarioId: string,
  checkId: string,
): string {
  const dashes = options.rerunWords.indexOf('--');
  const own = dashes < 0 ? options.rerunWords : options.rerunWords.slice(0, dashes);
  const server = dashes < 0 ? [] : options.rerunWords.slice(dashes);
  const words = [
    'run',
    '--only',
    `${scenarioId}:${checkId}`,
    '--seed',
    String(options.seed),
    ...own,
    ...server,
  ];
  return ['msp-conformance', ...words.map(quoted)].join(' ');
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
