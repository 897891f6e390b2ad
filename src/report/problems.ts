import type { CheckStatus } from '../checks/finding.js';
import type { CheckResult, Report, ScenarioResult, ScenarioStatus } from './model.js';
import { isNote, isViolation } from './verdict.js';

/** A check with the scenario it belongs to. */
export interface Problem {
  readonly scenario: ScenarioResult;
  readonly check: CheckResult;
}

/** What a report has to say beside the plain passes, each list in the report's order. */
export interface Problems {
  readonly violations: readonly Problem[];
  readonly expected: readonly Problem[];
  readonly warnings: readonly Problem[];
  readonly notes: readonly Problem[];
  readonly untestable: readonly Problem[];
  /** Checks whose verdict changed between the rounds of `--repeat`; they are in the lists above as well. */
  readonly flaky: readonly Problem[];
  /** Scenarios that failed or could not be finished for a reason of their own, without a failed check. */
  readonly scenarios: readonly ScenarioResult[];
  readonly notApplicable: readonly ScenarioResult[];
}

export function problemsOf(report: Report): Problems {
  const all = report.scenarios.flatMap((scenario) => scenario.checks.map((check) => ({ scenario, check })));
  const having = (wanted: (check: CheckResult) => boolean) => all.filter(({ check }) => wanted(check));
  return {
    violations: having(isViolation),
    expected: having((check) => check.status === 'failed' && !isViolation(check)),
    warnings: having(({ status }) => status === 'warned'),
    notes: having(isNote),
    untestable: having(({ status }) => status === 'untestable'),
    flaky: having(({ flaky }) => flaky !== undefined),
    scenarios: report.scenarios.filter(
      ({ status, checks }) => status === 'errored' || (status === 'failed' && !checks.some(isViolation)),
    ),
    notApplicable: report.scenarios.filter(({ status }) => status === 'notApplicable'),
  };
}

/** Scenarios that share a status and a reason. */
export interface ReasonGroup {
  readonly status: ScenarioStatus;
  readonly reason: string;
  readonly scenarios: readonly ScenarioResult[];
}

/** Scenarios grouped by status and reason, in the order of each group's first. */
export function byReason(scenarios: readonly ScenarioResult[]): ReasonGroup[] {
  const groups = new Map<string, ScenarioResult[]>();
  for (const scenario of scenarios) {
    // What a server wrote to its stderr belongs to one scenario alone.
    const key = JSON.stringify([scenario.status, scenario.reason, scenario.stderr]);
    groups.set(key, [...(groups.get(key) ?? []), scenario]);
  }
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    return first === undefined ? [] : [{ status: first.status, reason: first.reason, scenarios: group }];
  });
}

/** Problems of one rule together, in the order of each rule's first. */
export function byRule(problems: readonly Problem[]): (readonly Problem[])[] {
  const groups = new Map<string, Problem[]>();
  for (const problem of problems)
    groups.set(problem.check.id, [...(groups.get(problem.check.id) ?? []), problem]);
  return [...groups.values()];
}

/** The first of each rule, then the others: where only some are shown, no rule hides another. */
export function everyRuleFirst(problems: readonly Problem[]): readonly Problem[] {
  const rules = byRule(problems);
  return [...rules.flatMap((group) => group.slice(0, 1)), ...rules.flatMap((group) => group.slice(1))];
}

/** Problems that say the same of the same check, in the order of each group's first. */
export function byMessage(problems: readonly Problem[]): (readonly [Problem, ...Problem[]])[] {
  const groups = new Map<string, [Problem, ...Problem[]]>();
  for (const problem of problems) {
    const key = JSON.stringify([problem.check.id, problem.check.status, problem.check.message]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [problem]);
    else group.push(problem);
  }
  return [...groups.values()];
}

/** What is shown of a scenario or a check; `expected` is a failure that the expected-failures file names. */
export type ShownStatus = CheckStatus | ScenarioStatus | 'expected';

/** A scenario that passes only because its failures were expected says so. */
export function shownStatus({ status, checks }: ScenarioResult): ShownStatus {
  return status === 'passed' && checks.some((check) => check.status === 'failed') ? 'expected' : status;
}

/** False for a scenario that the run did not begin: its row says nothing that its reason does not. */
export function wasBegun({ checks, durationMs }: ScenarioResult): boolean {
  return checks.length > 0 || durationMs > 0;
}

/** Statuses in words, with a symbol for readers who do not see colour. */
export const STATUS_WORDS: Readonly<Record<ShownStatus, { symbol: string; words: string }>> = {
  passed: { symbol: '✔', words: 'passed' },
  failed: { symbol: '✘', words: 'failed' },
  warned: { symbol: '▲', words: 'warned' },
  notApplicable: { symbol: '–', words: 'not applicable' },
  untestable: { symbol: '?', words: 'untestable' },
  errored: { symbol: '!', words: 'errored' },
  expected: { symbol: '⊘', words: 'failed as expected' },
};

/** `22 passed, 1 failed`: the counts that are not zero, or `none`. */
export function countsInWords(
  counts: Readonly<Partial<Record<CheckStatus | ScenarioStatus, number>>>,
): string {
  const order = Object.keys(STATUS_WORDS) as (CheckStatus | ScenarioStatus)[];
  const parts = order.flatMap((status) =>
    counts[status] ? [`${counts[status]} ${STATUS_WORDS[status].words}`] : [],
  );
  return parts.length === 0 ? 'none' : parts.join(', ');
}

/** `1 note`, `2 notes`. */
export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** Where a check stands: pass, step and method, those that are known. */
export function placeInWords(check: CheckResult): string {
  return [
    `pass ${check.pass}`,
    check.step === null ? '' : `step ${check.step}`,
    check.method === null ? '' : check.method,
  ]
    .filter((part) => part !== '')
    .join(' · ');
}

/** `flaky: passed, failed, passed`, the verdict of each round; empty where it never changed. */
export function flakyInWords({ flaky }: CheckResult): string {
  return flaky === undefined ? '' : `flaky: ${flaky.map((status) => STATUS_WORDS[status].words).join(', ')}`;
}

/** The server as a person would name it: `name version (label)`. */
export function targetInWords({ target }: Report): string {
  const server = target.serverInfo;
  const name = server === null ? '' : `${server.name} ${server.version}`;
  return [name, [target.label, target.transport, target.sessionDurability].filter(Boolean).join(', ')]
    .filter((part) => part !== '')
    .join(' · ');
}
