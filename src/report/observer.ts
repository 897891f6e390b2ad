import type { PassName } from '../checks/finding.js';
import type { ScenarioResult } from './model.js';

/** Told what a run does while it does it. Methods must not throw and must return at once. */
export interface RunObserver {
  runStarted(plan: RunPlan): void;
  scenarioStarted(id: string): void;
  passStarted(id: string, pass: PassName): void;
  scenarioFinished(result: ScenarioResult): void;
  /** Called once, also when the run is cut short. */
  runFinished(): void;
}

export interface RunPlan {
  /** Ids in the order in which they will start. */
  readonly scenarios: readonly string[];
  readonly workers: number;
}

/** An observer that keeps quiet. */
export const silentObserver: RunObserver = {
  runStarted: () => {},
  scenarioStarted: () => {},
  passStarted: () => {},
  scenarioFinished: () => {},
  runFinished: () => {},
};
