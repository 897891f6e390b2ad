import type { ScenarioResult } from '../report/model.js';
import type { Scenario } from '../transcript/scenario.js';

/** The result of a scenario that was not run. */
export function errored(scenario: Pick<Scenario, 'id' | 'manifest'>, reason: string): ScenarioResult {
  const title = scenario.manifest?.conformance?.title ?? scenario.id;
  return { id: scenario.id, title, status: 'errored', reason, durationMs: 0, checks: [] };
}
