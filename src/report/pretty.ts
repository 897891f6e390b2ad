import { Chalk } from 'chalk';
import { formatDuration } from './duration.js';
import { forTerminal } from './escape.js';
import type { Report, ScenarioResult } from './model.js';
import { failureLines } from './pretty-failure.js';
import { asides, expectedFailures, flaky, stale, warnings } from './pretty-remarks.js';
import { unfinishedLines } from './pretty-unfinished.js';
import { symbolOf, type View } from './pretty-view.js';
import {
  byRule,
  countsInWords,
  type Problem,
  placeInWords,
  plural,
  problemsOf,
  STATUS_WORDS,
  shownStatus,
  targetInWords,
  wasBegun,
} from './problems.js';
import type { RenderOptions } from './render.js';
import { isViolation } from './verdict.js';

/** The report for a person at a terminal: scenarios, failures in full, verdict and totals at the end. */
export function renderPretty(report: Report, options: RenderOptions): string {
  const view: View = {
    report,
    options,
    problems: problemsOf(report),
    chalk: new Chalk({ level: options.colorLevel }),
  };
  const sections = [
    ...(options.quiet ? [] : [header(view), scenarioTable(view)]),
    ...failures(view),
    ...(options.quiet ? [] : [warnings(view), expectedFailures(view), ...asides(view)]),
    flaky(view),
    stale(view),
    verdict(view),
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

/** Of more failures than these only the first of each rule is shown in full, unless `--verbose`. */
const FAILURES_IN_FULL = 10;

function header({ report, chalk }: View): string[] {
  const { schema } = report;
  const served =
    schema.served === null
      ? 'the server announced none'
      : schema.match
        ? 'as the server announced'
        : `the server announced ${shortFingerprint(schema.served)}`;
  return [
    `${chalk.bold(forTerminal(`${report.tool.name} ${report.tool.version}`))}  ${forTerminal(targetInWords(report))}`,
    chalk.dim(`schema ${shortFingerprint(schema.fingerprint)}, ${served} · seed ${report.seed}`),
  ];
}

function shortFingerprint(fingerprint: string): string {
  return forTerminal(fingerprint.slice(0, 'sha256:'.length + 12));
}

function scenarioTable(view: View): string[] {
  const all = view.report.scenarios;
  // Their reason names them below.
  const left = all.filter((scenario) => !wasBegun(scenario));
  const scenarios = left.length <= ROWS_NOT_BEGUN ? all : all.filter(wasBegun);
  const more =
    scenarios === all
      ? []
      : [
          `  ${symbolOf('notApplicable', view.chalk)} ${left.length} of ${all.length} were not run: see below`,
        ];
  const idWidth = Math.min(48, Math.max(0, ...scenarios.map(({ id }) => forTerminal(id).length)));
  const counts = scenarios.map(scenarioSummary);
  const countWidth = Math.max(0, ...counts.map(({ length }) => length));
  const rows = scenarios.map((scenario, i) => {
    const id = forTerminal(scenario.id).padEnd(idWidth);
    const start = `  ${symbolOf(shownStatus(scenario), view.chalk)} ${id}  ${(counts[i] ?? '').padStart(countWidth)}`;
    return `${start}${view.chalk.dim(formatDuration(scenario.durationMs).padStart(10))}`;
  });
  return [...rows, ...more];
}

/** More rows than these of scenarios that were not begun become one. */
const ROWS_NOT_BEGUN = 3;

function scenarioSummary(scenario: ScenarioResult): string {
  const { checks, status } = scenario;
  if (shownStatus(scenario) === 'expected') {
    const expected = checks.filter((check) => check.status === 'failed').length;
    return `${expected} of ${plural(checks.length, 'check')} failed as expected`;
  }
  const failed = checks.filter(isViolation).length;
  if (failed > 0) return `${failed} of ${plural(checks.length, 'check')} failed`;
  if (status === 'notApplicable' || status === 'errored') return STATUS_WORDS[status].words;
  return plural(checks.length, 'check');
}

function failures(view: View): string[][] {
  const { problems, chalk, options } = view;
  const shown = shownInFull(problems.violations, options.verbose);
  const rest = byRule(problems.violations)
    .flat()
    .filter((problem) => !shown.includes(problem));
  const blocks = [
    ...shown.map((problem, i) =>
      failureLines(problem, { number: i + 1, chalk, options, isFirst: isFirst(problem, shown) }),
    ),
    inOneLine(rest, view),
    ...unfinishedLines(problems.scenarios, view),
  ].filter((lines) => lines.length > 0);
  const hint =
    rest.length > 0
      ? [[chalk.dim(`  ${plural(rest.length, 'failure')} in short; --verbose shows all in full.`)]]
      : [];
  return blocks.length === 0 ? [] : [[chalk.bold('Failures')], ...blocks, ...hint];
}

/** All of a few, rule by rule; of many the first of each rule, which usually explains the others. */
function shownInFull(violations: readonly Problem[], isVerbose: boolean): readonly Problem[] {
  const rules = byRule(violations);
  if (isVerbose || violations.length <= FAILURES_IN_FULL) return rules.flat();
  return rules.flatMap(([first]) => first ?? []).slice(0, FAILURES_IN_FULL);
}

/** A line for each place, however often a rule was broken there. */
function inOneLine(problems: readonly Problem[], view: View): string[] {
  const times = new Map<string, number>();
  for (const { scenario, check } of problems) {
    const line = `${symbolOf('failed', view.chalk)} ${forTerminal(`${scenario.id} · ${check.id}`)} ${view.chalk.dim(forTerminal(placeInWords(check)))}`;
    times.set(line, (times.get(line) ?? 0) + 1);
  }
  return [...times].map(([line, count]) =>
    count === 1 ? line : `${line} ${view.chalk.dim(`· ${count} times`)}`,
  );
}

/** The server's stderr belongs to the scenario, so it stands under the scenario's first failure only. */
function isFirst(problem: Problem, shown: readonly Problem[]): boolean {
  return shown.find(({ scenario }) => scenario === problem.scenario) === problem;
}

function verdict({ report, problems, chalk }: View): string[] {
  const color = { conformant: chalk.green, nonconformant: chalk.red, incomplete: chalk.yellow }[
    report.verdict
  ];
  const expected =
    problems.expected.length > 0 ? ` (${problems.expected.length} of the failures expected)` : '';
  const flakies = problems.flaky.length > 0 ? `, ${problems.flaky.length} of them flaky` : '';
  const reason = report.reason === undefined ? '' : `: ${forTerminal(report.reason)}`;
  return [
    `${color.bold(report.verdict.toUpperCase())}${reason}`,
    `  scenarios  ${countsInWords(report.totals.scenarios)}`,
    `  checks     ${countsInWords(report.totals.checks)}${expected}${flakies}`,
    `  time       ${formatDuration(report.durationMs)}`,
  ];
}
