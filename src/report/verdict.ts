import type { CheckStatus, PassName } from '../checks/finding.js';
import type { CheckResult, Expectation, Report, ScenarioResult, ScenarioStatus } from './model.js';

/** What a run came to. `reason` says why it is incomplete. */
export interface Outcome {
  readonly verdict: Report['verdict'];
  readonly reason?: string;
}

/** Scenarios and checks counted by status; every status is present. */
export function totalsOf(scenarios: readonly ScenarioResult[]): Report['totals'] {
  const totals = {
    scenarios: { passed: 0, failed: 0, notApplicable: 0, errored: 0 } satisfies Record<
      ScenarioStatus,
      number
    >,
    checks: { passed: 0, failed: 0, warned: 0, notApplicable: 0, untestable: 0 } satisfies Record<
      CheckStatus,
      number
    >,
  };
  for (const scenario of scenarios) {
    totals.scenarios[scenario.status] += 1;
    for (const check of scenario.checks) totals.checks[check.status] += 1;
  }
  return totals;
}

/**
 * A violation decides, even when other scenarios could not be finished. Without one, a run that was cut short, a
 * scenario that errored, or a run that checked nothing is incomplete: silence is not conformance. A stale expectation
 * counts as a violation.
 */
export function verdictOf(
  scenarios: readonly ScenarioResult[],
  stale: readonly Expectation[] = [],
  { endedBy, askedPasses = [] }: Pick<Report, 'endedBy' | 'askedPasses'> = {},
): Outcome {
  if (stale.length > 0 || scenarios.some(hasViolation)) return { verdict: 'nonconformant' };
  if (endedBy !== undefined) return { verdict: 'incomplete', reason: endedReason(scenarios, endedBy) };
  const errored = scenarios.filter((scenario) => scenario.status === 'errored');
  if (errored.length > 0) return { verdict: 'incomplete', reason: erroredReason(errored) };
  // A handshake that went well before a scenario turned out not to apply is no check of the scenario.
  if (!scenarios.some(({ status, checks }) => status === 'passed' && checks.some(isJudged))) {
    return { verdict: 'incomplete', reason: nothingCheckedReason(scenarios) };
  }
  if (askedPasses.length > 0 && !scenarios.some(({ checks }) => checks.some(isFrom(askedPasses)))) {
    const named = askedPasses.join(', ');
    const reason = `none of the passes that were asked for (${named}) had anything to judge in the selected scenarios`;
    return { verdict: 'incomplete', reason };
  }
  return { verdict: 'conformant' };
}

/** 0 conformant, 1 a violation, 3 the harness could not finish. */
export function exitCodeOf(report: Pick<Report, 'verdict'>): 0 | 1 | 3 {
  return ({ conformant: 0, nonconformant: 1, incomplete: 3 } as const)[report.verdict];
}

/** `--strict`: every warning is a failure, and the scenario fails with it. */
export function strictly(scenario: ScenarioResult): ScenarioResult {
  if (!scenario.checks.some(({ status }) => status === 'warned')) return scenario;
  const checks = scenario.checks.map(
    (check): CheckResult => (check.status === 'warned' ? { ...check, status: 'failed' } : check),
  );
  return { ...scenario, checks, status: scenario.status === 'errored' ? 'errored' : 'failed' };
}

/** A failed check that no expectation excuses. */
export function isViolation(check: CheckResult): boolean {
  return check.status === 'failed' && check.expectedFailure === undefined;
}

/** A check that says something against or about the server although it did not fail. */
export function isNote(check: CheckResult): boolean {
  return check.status === 'passed' && check.message !== '';
}

function hasViolation(scenario: ScenarioResult): boolean {
  // A failed scenario without a failed check comes from `--require all`: its reason is the violation.
  return scenario.status === 'failed' || scenario.checks.some(isViolation);
}

function isJudged({ status }: CheckResult): boolean {
  return status === 'passed' || status === 'warned' || status === 'failed';
}

/** A verdict of one of these passes; what the stream rules see and how a process ends meanwhile is none. */
function isFrom(passes: readonly PassName[]): (check: CheckResult) => boolean {
  return (check) =>
    passes.includes(check.pass) && /^(idempotency|durability)\//.test(check.id) && isJudged(check);
}

/** How far a run came that was ended: the reasons of what it did not come to say so. */
function endedReason(scenarios: readonly ScenarioResult[], endedBy: string): string {
  const left = scenarios.filter(({ reason }) => /^not (run|finished):/.test(reason)).length;
  const rest = left === 0 ? '' : `; ${left} of ${scenarios.length} scenarios were not run to their end`;
  return `the run was ended by ${endedBy}${rest}`;
}

function erroredReason(errored: readonly ScenarioResult[]): string {
  const [first] = errored;
  const others = errored.length > 1 ? ` (and ${errored.length - 1} more)` : '';
  return `${first?.id} could not be finished: ${first?.reason || 'no reason given'}${others}`;
}

function nothingCheckedReason(scenarios: readonly ScenarioResult[]): string {
  return scenarios.length === 0
    ? 'no scenario was selected, so nothing was checked'
    : 'nothing was checked: no selected scenario applies to this target';
}
