import type { ChalkInstance } from 'chalk';
import { type DifferenceLine, differenceLines, labelOf } from './difference-lines.js';
import { forTerminal } from './escape.js';
import type { CheckResult } from './model.js';
import { paragraph } from './paragraph.js';
import { flakyInWords, type Problem, placeInWords } from './problems.js';
import type { RenderOptions } from './render.js';
import { traceLines } from './trace-lines.js';

export interface FailureView {
  readonly number: number;
  readonly chalk: ChalkInstance;
  readonly options: RenderOptions;
  /** Whether this is its scenario's first failure, which shows the server's stderr. */
  readonly isFirst: boolean;
}

/** One failure in full: rule, message, differences, wire trace, stderr, and the command that re-runs just it. */
export function failureLines({ scenario, check }: Problem, view: FailureView): string[] {
  const { chalk, number } = view;
  const heading = `${chalk.red(`✘ ${number})`)} ${chalk.bold(forTerminal(check.id))}`;
  return [
    heading,
    `${INDENT}${chalk.dim(forTerminal([scenario.id, placeInWords(check), flakyInWords(check)].filter(Boolean).join(' · ')))}`,
    ...rule(check, view),
    ...section('', check.message === '' ? [] : paragraph(check.message, view.options.width - INDENT.length)),
    ...section(chalk.dim('differences'), differences(check, view)),
    ...section(
      chalk.dim('wire, in ms since the scenario began  (→ client, ← server, ⟲ harness)'),
      trace(check, view),
    ),
    ...(view.isFirst
      ? section(chalk.dim('stderr of the server, its last lines'), stderrTail(scenario.stderr, chalk))
      : []),
    ...section(
      chalk.dim('again, just this'),
      check.rerun === undefined ? [] : [`$ ${forTerminal(check.rerun)}`],
    ),
    ...section(chalk.dim('what it demands, and what usually causes it'), [
      `$ msp-conformance explain ${forTerminal(check.id)}`,
    ]),
  ];
}

function rule({ requirement }: CheckResult, { chalk, options }: FailureView): string[] {
  const label = 'rule ';
  return paragraph(requirement, options.width - INDENT.length - label.length).map(
    (line, i) => `${INDENT}${i === 0 ? chalk.dim(label) : ' '.repeat(label.length)}${line}`,
  );
}

const INDENT = '     ';
const DIFFERENCES = 12;
const STDERR_LINES = 12;

function section(title: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return [];
  return ['', ...(title === '' ? [] : [`${INDENT}${title}`]), ...lines.map((line) => `${INDENT}${line}`)];
}

function differences({ differences: all }: CheckResult, { chalk, options }: FailureView): string[] {
  const shown = options.verbose ? all : all.slice(0, DIFFERENCES);
  const lines = shown.flatMap((difference) => [
    `${forTerminal(difference.path === '' ? '(the whole value)' : difference.path)}`,
    ...differenceLines(difference).map((line) => `  ${paintLine(line, chalk)}`),
  ]);
  return all.length === shown.length
    ? lines
    : [...lines, `… and ${all.length - shown.length} more; --verbose shows them`];
}

function paintLine(line: DifferenceLine, chalk: ChalkInstance): string {
  const color = line.mark === '-' ? chalk.green : line.mark === '+' ? chalk.red : chalk.dim;
  const parts = line.parts.map(({ text, differs }) => (differs ? color(text) : chalk.dim(text)));
  return `${color(line.mark)} ${chalk.dim(labelOf(line))}${parts.join('')}`;
}

function trace({ evidence }: CheckResult, { chalk, options }: FailureView): string[] {
  const limits = options.verbose
    ? { lines: 60, characters: 4000 }
    : { lines: 14, characters: 3 * options.width };
  const lines = traceLines(evidence, limits);
  const timeWidth = Math.max(0, ...lines.map(({ at }) => at.length));
  const color = { client: chalk.cyan, server: chalk.blue, control: chalk.yellow };
  return lines.map(
    ({ at, dir, arrow, text }) => `${chalk.dim(at.padStart(timeWidth))} ${color[dir](arrow)} ${text}`,
  );
}

/** The last lines of a server's stderr behind a bar, so that none of them can pass for a line of ours. */
export function stderrTail(stderr: string | undefined, chalk: ChalkInstance): string[] {
  const text = (stderr ?? '').trimEnd();
  return text === ''
    ? []
    : text
        .split('\n')
        .slice(-STDERR_LINES)
        .map((line) => `${chalk.dim('│')} ${forTerminal(line)}`);
}
