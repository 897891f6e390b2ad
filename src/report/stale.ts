import { CATALOGUE } from '../checks/catalogue.js';
import type { PassName } from '../checks/finding.js';
import { judgingPasses } from '../checks/judging-passes.js';
import type { Expectation, ScenarioResult } from './model.js';
import { compilePattern, type Pattern } from './pattern.js';

/** How much of the suite a run was about: what was left out may still fail as it is expected to. */
export interface RunScope {
  /** Every scenario was to be run; false with `--only`, `--skip`, or a run that was cut short. */
  readonly allScenarios: boolean;
  /** Every check of a scenario was reported; false where checks were selected by name. */
  readonly allChecks: boolean;
  /** Derived passes that were left out of the run. */
  readonly withoutPasses: ReadonlySet<PassName>;
}

/**
 * Whether an expectation no longer holds: checks that it names were judged, none of them failed or warned, and all
 * that it may mean was run. Only then is nothing left that could still fail as expected.
 */
export function isStale(pattern: Pattern, scenarios: readonly ScenarioResult[], scope: RunScope): boolean {
  if (pattern.isScenarioGlob && !scope.allScenarios) return false;
  if (pattern.isCheckGlob && !scope.allChecks) return false;
  if (scope.withoutPasses.size > 0 && mayFailElsewhere(pattern, scope.withoutPasses)) return false;
  const judged = scenarios
    // A scenario that broke off may have stopped before the failure that is expected of it.
    .filter(({ status }) => status !== 'errored')
    .flatMap(({ id, checks }) => checks.filter((check) => pattern.matchesCheck(id, check.id)))
    .filter(({ status }) => status === 'passed' || status === 'failed' || status === 'warned');
  return judged.length > 0 && judged.every(({ status }) => status === 'passed');
}

/** Stale entries that a shard can be sure of: a glob over scenarios may still be needed by another shard. */
export function certainlyStale(stale: readonly Expectation[]): Expectation[] {
  return stale.filter(({ match }) => !compilePattern(match).isScenarioGlob);
}

/** Whether a check that the pattern names may be judged in a pass that was not run. */
function mayFailElsewhere({ matchesCheckId }: Pattern, left: ReadonlySet<PassName>): boolean {
  return [...CATALOGUE.keys()].filter(matchesCheckId).some((id) => {
    const passes = judgingPasses(id);
    return passes === 'any' || passes.some((pass) => left.has(pass));
  });
}
