import { forTerminal } from './escape.js';
import { paragraph } from './paragraph.js';
import { symbolOf, type View } from './pretty-view.js';
import { byMessage, byReason, flakyInWords, type Problem, placeInWords, plural } from './problems.js';

/** Of more remarks than these the rest is counted, unless `--verbose`. */
const REMARKS = 20;
/** Of a remark that many scenarios share, the first few are named. */
const NAMES = 5;

export function warnings(view: View): string[] {
  return remarks('Warnings', view.problems.warnings, view);
}

/** Each sentence once, however many scenarios it is about. */
function remarks(title: string, problems: readonly Problem[], { chalk, options }: View): string[] {
  const groups = byMessage(problems);
  const shown = options.verbose ? groups : groups.slice(0, REMARKS);
  const rest = groups.length - shown.length;
  const lines = shown.flatMap(([first, ...others]) => {
    const { scenario, check } = first;
    const name = others.length === 0 ? `${scenario.id} · ${check.id}` : check.id;
    const where = others.length === 0 ? placeInWords(check) : sharedBy([first, ...others], options.verbose);
    return [
      `  ${symbolOf(check.status, chalk)} ${forTerminal(name)} ${chalk.dim(forTerminal(where))}`,
      ...paragraph(check.message, options.width - 5).map((text) => `     ${text}`),
      ...(options.verbose && check.rerun !== undefined ? [`     $ ${forTerminal(check.rerun)}`] : []),
    ];
  });
  const more = rest > 0 ? [chalk.dim(`  … and ${rest} more; --verbose shows them.`)] : [];
  return lines.length === 0 ? [] : [chalk.bold(title), ...lines, ...more];
}

/** `in 61 scenarios (a, b, c, …)`; several times in one scenario are `3 times in a`. */
function sharedBy(problems: readonly Problem[], isVerbose: boolean): string {
  const ids = [...new Set(problems.map(({ scenario }) => scenario.id))];
  if (ids.length === 1) return `${problems.length} times in ${ids[0]}`;
  return `in ${ids.length} scenarios (${named(ids, isVerbose)})`;
}

function named(ids: readonly string[], isVerbose: boolean): string {
  const shown = isVerbose ? ids : ids.slice(0, NAMES);
  return [...shown, ...(shown.length < ids.length ? ['…'] : [])].join(', ');
}

/** Named even with `--quiet`: a verdict that comes and goes is the first thing to look into. */
export function flaky({ problems, chalk }: View): string[] {
  const lines = problems.flaky.map(
    ({ scenario, check }) =>
      `  ${chalk.yellow('≈')} ${forTerminal(`${scenario.id} · ${check.id}`)}  ${chalk.dim(forTerminal(`${placeInWords(check)} · ${flakyInWords(check)}`))}`,
  );
  return lines.length === 0 ? [] : [chalk.bold('Flaky, the verdict of each round'), ...lines];
}

export function expectedFailures({ problems, chalk }: View): string[] {
  const lines = problems.expected.map(({ scenario, check }) => {
    const { reason, issue } = check.expectedFailure ?? { reason: '' };
    const link = issue === undefined ? '' : ` (${issue})`;
    return `  ${symbolOf('expected', chalk)} ${forTerminal(`${scenario.id} · ${check.id}`)}  ${chalk.dim(forTerminal(`${reason}${link}`))}`;
  });
  return lines.length === 0 ? [] : [chalk.bold('Expected failures'), ...new Set(lines)];
}

/** What was not judged and why; and the notes, counted or one by one. */
export function asides(view: View): string[][] {
  const { problems, chalk, options } = view;
  const skipped = notApplicable(view);
  if (options.verbose) {
    return [
      skipped,
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
  return [skipped, counted.length === 0 ? [] : [chalk.dim(`${counted.join(', ')}; --verbose shows them.`)]];
}

/** A line per reason, with every scenario that it is about: none is hidden. */
function notApplicable({ problems, chalk, options }: View): string[] {
  const lines = byReason(problems.notApplicable).flatMap(({ reason, scenarios }) => {
    const ids = scenarios.map(({ id }) => id);
    const [first = ''] = ids;
    const name = forTerminal(ids.length === 1 ? first : plural(ids.length, 'scenario'));
    const names = ids.length === 1 ? [] : paragraph(ids.join(', '), options.width - 5);
    return [
      `  ${symbolOf('notApplicable', chalk)} ${name}  ${chalk.dim(forTerminal(reason || 'no reason given'))}`,
      ...names.map((line) => `     ${chalk.dim(line)}`),
    ];
  });
  return lines.length === 0 ? [] : [chalk.bold('Not applicable'), ...lines];
}

export function stale({ report, chalk }: View): string[] {
  const lines = (report.staleExpectations ?? []).map(
    ({ match, reason }) => `  ${chalk.red('✘')} ${forTerminal(match)}  ${chalk.dim(forTerminal(reason))}`,
  );
  const advice = '  These no longer fail: remove them, or run once with --update-expected-failures.';
  return lines.length === 0 ? [] : [chalk.bold('Stale expected failures'), ...lines, chalk.dim(advice)];
}
