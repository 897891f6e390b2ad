import type { PassName } from '../checks/finding.js';
import type { Fault } from '../reference/faults.js';
import type { CheckResult } from '../report/model.js';
import { silentObserver } from '../report/observer.js';
import { runSuite } from '../run/suite.js';
import { type Laboratory, setupFor } from './laboratory.js';

/** What came of trying the suite on one fault. */
export interface FaultTrial {
  readonly fault: Fault;
  /** Every check that the fault names has failed (or warned, where that is all that can be asked). */
  readonly isCaught: boolean;
  /** The first failing (or warning) result of each check, the named ones first. */
  readonly complaints: readonly CheckResult[];
  /** Why nothing could be seen, when a scenario did not apply or could not be run. */
  readonly obstacle: string | undefined;
  readonly durationMs: number;
}

/** Runs the scenarios that show a fault, one after another, until every check that must catch it has. */
export async function tryFault(
  fault: Fault,
  laboratory: Laboratory,
  signal: AbortSignal,
): Promise<FaultTrial> {
  const began = performance.now();
  const complaints = new Map<string, CheckResult>();
  const obstacles: string[] = [];
  const isCaught = () => fault.caughtBy.every((id) => complaints.has(id));
  for (const id of fault.shownBy.scenarios) {
    if (isCaught() || signal.aborted) break;
    const setup = setupFor(laboratory, fault.shownBy.passes as readonly PassName[], fault);
    const paths = [laboratory.pathOf(id)];
    const outcome = await runSuite({
      setup,
      paths,
      workers: 1,
      repeat: 1,
      bail: true,
      observer: silentObserver,
      signal,
    });
    for (const { status, reason, checks } of outcome.scenarios) {
      if (reason !== '') obstacles.push(`${id} (${status}): ${reason}`);
      for (const check of checks)
        if (isComplaint(check, fault) && !complaints.has(check.id)) complaints.set(check.id, check);
    }
  }
  const named = (id: string) => fault.caughtBy.includes(id);
  return {
    fault,
    isCaught: isCaught(),
    complaints: [...complaints.values()].sort((a, b) => Number(named(b.id)) - Number(named(a.id))),
    obstacle: obstacles.length > 0 ? obstacles.join('; ') : undefined,
    durationMs: Math.round(performance.now() - began),
  };
}

/** A warning counts where the fault asks for no more, and never for a fault that must fail. */
function isComplaint({ id, status }: CheckResult, { caughtBy, warnsOnly }: Fault): boolean {
  return status === 'failed' || (status === 'warned' && warnsOnly === true && caughtBy.includes(id));
}
