import type { CheckId } from '../checks/catalogue.js';
import type { PassName } from '../checks/finding.js';
import { HostStartError } from '../target/host.js';
import { isLateStart, isServersFault } from '../target/start-blame.js';
import { reportDeath } from './death.js';
import { GroundLost } from './failed-drive.js';
import { PassEnded, type Probe } from './probe.js';

/** How a part of the passes came out. */
export type PartEnd = 'done' | 'hostLost' | 'timedOut' | 'lateStart';

/**
 * Carries out one part of the passes. A server that dies, falls silent or does not start ends this part and is
 * reported; what the other parts find is not lost with it. Rejects with `HostStartError` where a start fails for a
 * reason that is not the server's.
 */
export async function carryOut(probe: Probe, pass: PassName, part: () => Promise<void>): Promise<PartEnd> {
  try {
    await part();
    return 'done';
  } catch (error) {
    if (error instanceof HostStartError && isServersFault(error)) {
      report(probe, 'process/restarts', pass, error.message);
      return isLateStart(error) ? 'lateStart' : 'hostLost';
    }
    if (!(error instanceof PassEnded)) throw error;
    if (error instanceof GroundLost) return error.timedOut ? 'timedOut' : 'hostLost';
    if (error.check !== undefined && error.check !== 'process/no-crash')
      report(probe, error.check, pass, error.reason);
    if (error.timedOut) return 'timedOut';
    if (probe.stage.exchange.isClosed) await reportDeath(probe, pass, error.reason);
    return 'hostLost';
  }
}

function report(probe: Probe, id: CheckId, pass: PassName, message: string): void {
  probe.findings.add(id, pass, { status: 'failed', message, evidence: probe.stage.options.trace.tail() });
}
