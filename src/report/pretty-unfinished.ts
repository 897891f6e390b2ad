import type { ChalkInstance } from 'chalk';
import { forTerminal } from './escape.js';
import type { ScenarioResult } from './model.js';
import { paragraph } from './paragraph.js';
import { stderrTail } from './pretty-failure.js';
import { byReason, STATUS_WORDS } from './problems.js';
import type { RenderOptions } from './render.js';

/** Scenarios that have no failed check to show for it: a block per reason, since one cause often stops many. */
export function unfinishedLines(
  scenarios: readonly ScenarioResult[],
  { chalk, options }: { readonly chalk: ChalkInstance; readonly options: RenderOptions },
): string[][] {
  const width = options.width - INDENT.length;
  return byReason(scenarios).map(({ status, reason, scenarios: stopped }) => {
    const { symbol, words } = STATUS_WORDS[status];
    const color = status === 'errored' ? chalk.magenta : chalk.red;
    const [first] = stopped;
    const ids = forTerminal(stopped.map(({ id }) => id).join(', '));
    const isOne = stopped.length === 1;
    const tail = stderrTail(first?.stderr, chalk);
    return [
      `${color(symbol)} ${chalk.bold(isOne ? ids : `${stopped.length} scenarios`)} ${words}`,
      ...paragraph(reason || 'no reason given', width).map((line) => `${INDENT}${line}`),
      ...(isOne ? [] : paragraph(ids, width).map((line) => `${INDENT}${chalk.dim(line)}`)),
      ...(tail.length === 0 ? [] : [`${INDENT}${chalk.dim('stderr of the server, its last lines')}`]),
      ...tail.map((line) => `${INDENT}${line}`),
    ];
  });
}

const INDENT = '     ';
