import type { ChalkInstance } from 'chalk';
import type { Report } from './model.js';
import { type Problems, type ShownStatus, STATUS_WORDS } from './problems.js';
import type { RenderOptions } from './render.js';

/** What the parts of the pretty report are made from. */
export interface View {
  readonly report: Report;
  readonly options: RenderOptions;
  readonly problems: Problems;
  readonly chalk: ChalkInstance;
}

/** A status as its symbol, in its colour. */
export function symbolOf(status: ShownStatus, chalk: ChalkInstance): string {
  const paint = {
    passed: chalk.green,
    failed: chalk.red,
    warned: chalk.yellow,
    notApplicable: chalk.dim,
    untestable: chalk.dim,
    errored: chalk.magenta,
    expected: chalk.yellow,
  }[status];
  return paint(STATUS_WORDS[status].symbol);
}
