import type { ScenarioResult } from '../report/model.js';
import type { Scenario } from '../transcript/scenario.js';

/** The result of a scenario that could not be run. */
export function errored(scenario: Pick<Scenario, 'id' | 'manifest'>, reason: string): ScenarioResult {
  return unrun(scenario, 'errored', reason);
}

/** The result of a scenario that the run did not come to: it says nothing, and stays countable. */
export function notRun(scenario: Pick<Scenario, 'id' | 'manifest'>, reason: string): ScenarioResult {
  return unrun(scenario, 'notApplicable', reason);
}

function unrun(
  { id, manifest }: Pick<Scenario, 'id' | 'manifest'>,
  status: 'errored' | 'notApplicable',
  reason: string,
): ScenarioResult {
  return { id, title: manifest?.conformance?.title ?? id, status, reason, durationMs: 0, checks: [] };
}
