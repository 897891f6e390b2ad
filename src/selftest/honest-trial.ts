import type { PassName } from '../checks/finding.js';
import type { CheckResult } from '../report/model.js';
import { silentObserver } from '../report/observer.js';
import { runSuite } from '../run/suite.js';
import { type Laboratory, setupFor } from './laboratory.js';

/** What came of running a scenario against the server that breaks nothing. */
export interface HonestTrial {
  readonly scenario: string;
  /** Results that accuse it: failures and warnings. There must be none. */
  readonly alarms: readonly CheckResult[];
  /** Why the scenario showed nothing. */
  readonly obstacle: string | undefined;
  readonly durationMs: number;
}

/** Runs one scenario with its derived passes against the honest server. */
export async function tryHonest(
  scenario: string,
  passes: readonly PassName[],
  laboratory: Laboratory,
  signal: AbortSignal,
): Promise<HonestTrial> {
  const began = performance.now();
  const setup = setupFor(laboratory, passes);
  const paths = [laboratory.pathOf(scenario)];
  const { scenarios } = await runSuite({
    setup,
    paths,
    workers: 1,
    repeat: 1,
    bail: false,
    observer: silentObserver,
    signal,
  });
  const alarms = scenarios.flatMap(({ checks }) =>
    checks.filter(({ status }) => status === 'failed' || status === 'warned'),
  );
  const reasons = scenarios
    .filter(({ reason }) => reason !== '')
    .map(({ status, reason }) => `${status}: ${reason}`);
  return {
    scenario,
    alarms,
    obstacle: reasons.length > 0 ? reasons.join('; ') : undefined,
    durationMs: Math.round(performance.now() - began),
  };
}
