import type { CheckStatus } from '../checks/finding.js';
import type { CheckResult, ScenarioResult } from '../report/model.js';

/**
 * The rounds of `--repeat` as one result: the worst round's, with every check whose verdict changed from round to
 * round marked flaky, naming all its verdicts.
 */
export function mergeRounds(rounds: readonly ScenarioResult[]): ScenarioResult {
  const worst = rounds.reduce((a, b) => (rank(b) > rank(a) ? b : a));
  if (rounds.length === 1) return worst;
  const verdicts = rounds.map((round) => statusByCheck(round.checks));
  const checks = worst.checks.map((check): CheckResult => {
    const seen = verdicts.map(
      (byCheck) => byCheck.get(keyOf(check)) ?? byCheck.get(check.id) ?? 'notApplicable',
    );
    return new Set(seen).size > 1 && isSpeaker(check, worst.checks) ? { ...check, flaky: seen } : check;
  });
  return { ...worst, checks };
}

function rank({ status, checks }: ScenarioResult): number {
  const order = { notApplicable: 0, passed: 1, errored: 2, failed: 3 } as const;
  return order[status] * 10_000 + checks.filter((check) => check.status === 'failed').length;
}

const WORST_LAST: readonly CheckStatus[] = ['notApplicable', 'untestable', 'passed', 'warned', 'failed'];

/**
 * The worst status of each check of a round, in each pass and in all; a check may report once per command. A rule over
 * all frames names the pass in which it was broken, and none when it was not.
 */
function statusByCheck(checks: readonly CheckResult[]): Map<string, CheckStatus> {
  const worst = new Map<string, CheckStatus>();
  for (const check of checks) {
    for (const key of [keyOf(check), check.id]) {
      const known = worst.get(key);
      if (known === undefined || WORST_LAST.indexOf(check.status) > WORST_LAST.indexOf(known))
        worst.set(key, check.status);
    }
  }
  return worst;
}

function keyOf({ id, pass }: CheckResult): string {
  return `${id} ${pass}`;
}

/** Of several results of one check, the first with the worst status speaks for all. */
function isSpeaker(check: CheckResult, checks: readonly CheckResult[]): boolean {
  const worst = statusByCheck(checks).get(keyOf(check));
  return checks.find((other) => keyOf(other) === keyOf(check) && other.status === worst) === check;
}
