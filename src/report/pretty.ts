import { Chalk, type ChalkInstance } from 'chalk';
import type { CheckStatus } from '../checks/finding.js';
import { formatDuration } from './duration.js';
import { forTerminal } from './escape.js';
import type { Report, ScenarioResult, ScenarioStatus } from './model.js';
import { paragraph } from './paragraph.js';
import { failureLines } from './pretty-failure.js';
import { unfinishedLines } from './pretty-unfinished.js';
import {
  byRule,
  countsInWords,
  flakyInWords,
  type Problem,
  type Problems,
  placeInWords,
  plural,
  problemsOf,
  STATUS_WORDS,
  targetInWords,
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
    ...(options.quiet
      ? []
      : [remarks('Warnings', view.problems.warnings, view), expectedFailures(view), ...asides(view)]),
    flaky(view),
    stale(view),
    verdict(view),
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

interface View {
  readonly report: Report;
  readonly options: RenderOptions;
  readonly problems: Problems;
  readonly chalk: ChalkInstance;
}

/** Of more failures than these only the first of each rule is shown in full, unless `--verbose`. */
const FAILURES_IN_FULL = 10;

const REMARKS = 20;

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
  const { scenarios } = view.report;
  const idWidth = Math.min(48, Math.max(0, ...scenarios.map(({ id }) => forTerminal(id).length)));
  const counts = scenarios.map(scenarioSummary);
  const countWidth = Math.max(0, ...counts.map(({ length }) => length));
  return scenarios.map((scenario, i) => {
    const id = forTerminal(scenario.id).padEnd(idWidth);
    const start = `  ${symbol(scenario.status, view)} ${id}  ${(counts[i] ?? '').padStart(countWidth)}`;
    return `${start}${view.chalk.dim(formatDuration(scenario.durationMs).padStart(10))}`;
  });
}

function scenarioSummary({ checks, status }: ScenarioResult): string {
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
    const line = `${symbol('failed', view)} ${forTerminal(`${scenario.id} · ${check.id}`)} ${view.chalk.dim(forTerminal(placeInWords(check)))}`;
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

function remarks(title: string, problems: readonly Problem[], { chalk, options }: View): string[] {
  const shown = options.verbose ? problems : problems.slice(0, REMARKS);
  const rest = problems.length - shown.length;
  const lines = shown.flatMap(({ scenario, check }) => [
    `  ${paint(check.status, chalk)(STATUS_WORDS[check.status].symbol)} ${forTerminal(`${scenario.id} · ${check.id}`)} ${chalk.dim(forTerminal(placeInWords(check)))}`,
    ...paragraph(check.message, options.width - 5).map((text) => `     ${text}`),
    ...(options.verbose && check.rerun !== undefined ? [`     $ ${forTerminal(check.rerun)}`] : []),
  ]);
  const more = rest > 0 ? [chalk.dim(`  … and ${rest} more; --verbose shows them.`)] : [];
  return lines.length === 0 ? [] : [chalk.bold(title), ...lines, ...more];
}

/** Named even with `--quiet`: a verdict that comes and goes is the first thing to look into. */
function flaky({ problems, chalk }: View): string[] {
  const lines = problems.flaky.map(
    ({ scenario, check }) =>
      `  ${chalk.yellow('≈')} ${forTerminal(`${scenario.id} · ${check.id}`)}  ${chalk.dim(forTerminal(`${placeInWords(check)} · ${flakyInWords(check)}`))}`,
  );
  return lines.length === 0 ? [] : [chalk.bold('Flaky, the verdict of each round'), ...lines];
}

function expectedFailures({ problems, chalk }: View): string[] {
  const lines = problems.expected.map(({ scenario, check }) => {
    const { reason, issue } = check.expectedFailure ?? { reason: '' };
    const link = issue === undefined ? '' : ` (${issue})`;
    return `  ${chalk.dim('✘')} ${forTerminal(`${scenario.id} · ${check.id}`)}  ${chalk.dim(forTerminal(`${reason}${link}`))}`;
  });
  return lines.length === 0 ? [] : [chalk.bold('Expected failures'), ...lines];
}

/** What was not judged and why; and the notes, counted or one by one. */
function asides(view: View): string[][] {
  const { problems, chalk, options } = view;
  const skipped = problems.notApplicable.map(
    ({ id, reason }) =>
      `  ${chalk.dim('–')} ${forTerminal(id)}  ${chalk.dim(forTerminal(reason || 'no reason given'))}`,
  );
  if (options.verbose) {
    return [
      skipped.length === 0 ? [] : [chalk.bold('Not applicable'), ...skipped],
      remarks('Untestable', problems.untestable, view),
      remarks('Notes', problems.notes, view),
    ];
  }
  const counted = [
    ...(problems.untestable.length > 0
      ? [`${plural(problems.untestable.length, 'check')} could not be probed`]
      : []),
    ...(problems.notes.length > 0 ? [plural(problems.notes.length, 'note')] : []),
  ];
  return [
    skipped.length === 0 ? [] : [chalk.bold('Not applicable'), ...skipped],
    counted.length === 0 ? [] : [chalk.dim(`${counted.join(', ')}; --verbose shows them.`)],
  ];
}

function stale({ report, chalk }: View): string[] {
  const lines = (report.staleExpectations ?? []).map(
    ({ match, reason }) => `  ${chalk.red('✘')} ${forTerminal(match)}  ${chalk.dim(forTerminal(reason))}`,
  );
  const advice = '  These no longer fail: remove them, or run once with --update-expected-failures.';
  return lines.length === 0 ? [] : [chalk.bold('Stale expected failures'), ...lines, chalk.dim(advice)];
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

function symbol(status: CheckStatus | ScenarioStatus, { chalk }: Pick<View, 'chalk'>): string {
  return paint(status, chalk)(STATUS_WORDS[status].symbol);
}

function paint(status: CheckStatus | ScenarioStatus, chalk: ChalkInstance): ChalkInstance {
  return {
    passed: chalk.green,
    failed: chalk.red,
    warned: chalk.yellow,
    notApplicable: chalk.dim,
    untestable: chalk.dim,
    errored: chalk.magenta,
  }[status];
}
