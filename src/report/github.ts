import { forWorkflowMessage, forWorkflowProperty } from './escape.js';
import type { Report } from './model.js';
import { everyRuleFirst, flakyInWords, type Problem, placeInWords, problemsOf } from './problems.js';

/** Annotations as GitHub workflow commands, at most as many of each kind as GitHub shows for a step. */
export function renderGithub(report: Report): string {
  const problems = problemsOf(report);
  const errors = [
    ...everyRuleFirst(problems.violations).map((problem) =>
      annotation('error', titleOf(problem), bodyOf(problem)),
    ),
    ...problems.scenarios.map(({ id, reason, status }) => annotation('error', id, reason || status)),
    ...(report.staleExpectations ?? []).map(({ match }) =>
      annotation('error', 'stale expected failure', `${match} no longer fails: remove it from the file`),
    ),
  ];
  const warnings = everyRuleFirst(problems.warnings).map((problem) =>
    annotation('warning', titleOf(problem), bodyOf(problem)),
  );
  const verdict = `MSP conformance: ${report.verdict}${report.reason === undefined ? '' : `: ${report.reason}`}`;
  const lines = [
    ...capped('error', errors),
    ...capped('warning', warnings),
    ...(problems.flaky.length > 0
      ? [annotation('warning', 'flaky', problems.flaky.map(flakyLine).join('\n'))]
      : []),
    annotation('notice', 'verdict', verdict),
  ];
  return `${lines.join('\n')}\n`;
}

/** GitHub shows ten annotations of a kind per step and drops the rest in silence. */
const SHOWN = 10;

type Level = 'error' | 'warning' | 'notice';

function capped(level: Level, annotations: readonly string[]): string[] {
  if (annotations.length <= SHOWN) return [...annotations];
  const rest = annotations.length - (SHOWN - 1);
  return [...annotations.slice(0, SHOWN - 1), annotation(level, 'more', `${rest} more: see the job summary`)];
}

function annotation(level: Level, title: string, message: string): string {
  return `::${level} title=${forWorkflowProperty(title)}::${forWorkflowMessage(message)}`;
}

function flakyLine({ scenario, check }: Problem): string {
  return `${scenario.id} ${check.id} (${placeInWords(check)}) ${flakyInWords(check)}`;
}

function titleOf({ scenario, check }: Problem): string {
  return `${scenario.id} ${check.id}`;
}

function bodyOf({ check }: Problem): string {
  const differences = check.differences
    .slice(0, 5)
    .map(({ path, expected, actual }) => `${path}: expected ${shown(expected)}, found ${shown(actual)}`);
  const again = check.rerun === undefined ? [] : [`Again, just this: ${check.rerun}`];
  const where = [placeInWords(check), flakyInWords(check), check.requirement].filter(Boolean).join('; ');
  return [check.message, `(${where})`, ...differences, ...again].join('\n');
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length <= 200 ? text : `${text.slice(0, 200)}…`;
}
