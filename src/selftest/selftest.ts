import type { PassName } from '../checks/finding.js';
import type { Fault } from '../reference/faults.js';
import { type FaultTrial, tryFault } from './fault-trial.js';
import { type HonestTrial, tryHonest } from './honest-trial.js';
import type { Laboratory } from './laboratory.js';

export interface SelftestOptions {
  readonly faults: readonly Fault[];
  readonly laboratory: Laboratory;
  readonly workers: number;
  /** Aborted by a signal: what was tried so far is reported. */
  readonly signal: AbortSignal;
  /** Told of each trial as it ends. */
  readonly tried?: (trial: FaultTrial | HonestTrial) => void;
}

/** The kill matrix, in the order of the fault table. */
export interface SelftestOutcome {
  readonly honest: readonly HonestTrial[];
  readonly faults: readonly FaultTrial[];
  readonly durationMs: number;
}

/**
 * Runs the suite against the reference server and against each fault of it, several at a time: each fault with the
 * scenarios and passes that show it, the honest server with all of these.
 */
export async function selftest({
  faults,
  laboratory,
  workers,
  signal,
  tried,
}: SelftestOptions): Promise<SelftestOutcome> {
  const began = performance.now();
  const outcome = { honest: new Map<string, HonestTrial>(), faults: new Map<string, FaultTrial>() };
  const jobs = [
    // The honest runs take longest, so they go first.
    ...[...passesByScenario(faults)].map(([scenario, passes]) => async () => {
      const trial = await tryHonest(scenario, [...passes], laboratory, signal);
      outcome.honest.set(scenario, trial);
      return trial;
    }),
    ...faults.map((fault) => async () => {
      const trial = await tryFault(fault, laboratory, signal);
      outcome.faults.set(fault.name, trial);
      return trial;
    }),
  ];
  const worker = async () => {
    for (let job = jobs.shift(); job !== undefined && !signal.aborted; job = jobs.shift()) {
      const trial = await job();
      tried?.(trial);
    }
  };
  await Promise.all(Array.from({ length: workers }, worker));
  return {
    honest: [...outcome.honest.values()],
    faults: faults.flatMap(({ name }) => outcome.faults.get(name) ?? []),
    durationMs: Math.round(performance.now() - began),
  };
}

/** False when a fault survived, or the honest server was accused, or something was not tried. */
export function isProven({ honest, faults }: SelftestOutcome, expected: readonly Fault[]): boolean {
  const isQuiet = honest.every(({ alarms, obstacle }) => alarms.length === 0 && obstacle === undefined);
  return isQuiet && faults.length === expected.length && faults.every(({ isCaught }) => isCaught);
}

function passesByScenario(faults: readonly Fault[]): Map<string, Set<PassName>> {
  const passes = new Map<string, Set<PassName>>();
  for (const { shownBy } of faults) {
    for (const scenario of shownBy.scenarios) {
      const known = passes.get(scenario) ?? new Set<PassName>();
      for (const pass of shownBy.passes) known.add(pass as PassName);
      passes.set(scenario, known);
    }
  }
  return passes;
}
