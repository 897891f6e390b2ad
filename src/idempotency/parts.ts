import type { CheckId } from '../checks/catalogue.js';
import type { PassName } from '../checks/finding.js';
import { describeExit } from '../replay/stage.js';
import { HostStartError } from '../target/host.js';
import { PassEnded, type Probe } from './probe.js';

/** How a part of the passes came out. */
export type PartEnd = 'done' | 'hostLost' | 'timedOut';

/**
 * Carries out one part of the passes. A server that dies, falls silent or does not start ends this part and is
 * reported; what the other parts find is not lost with it.
 */
export async function carryOut(probe: Probe, pass: PassName, part: () => Promise<void>): Promise<PartEnd> {
  try {
    await part();
    return 'done';
  } catch (error) {
    if (error instanceof HostStartError) {
      report(probe, 'process/restarts', pass, error.message);
      return 'hostLost';
    }
    if (!(error instanceof PassEnded)) throw error;
    if (error.check !== undefined && error.check !== 'process/no-crash')
      report(probe, error.check, pass, error.reason);
    if (error.timedOut) return 'timedOut';
    if (probe.stage.exchange.isClosed) await reportDeath(probe, pass, error.reason);
    return 'hostLost';
  }
}

async function reportDeath(probe: Probe, pass: PassName, reason: string): Promise<void> {
  const exit = await probe.stage.host.kill();
  const stderr = probe.stage.stderrTail().trimEnd().split('\n').slice(-STDERR_LINES).join('\n');
  const last = stderr === '' ? 'It wrote nothing to its stderr.' : `The end of its stderr:\n${stderr}`;
  report(probe, 'process/no-crash', pass, `${reason} The server ended with ${describeExit(exit)}. ${last}`);
}

const STDERR_LINES = 12;

function report(probe: Probe, id: CheckId, pass: PassName, message: string): void {
  probe.findings.add(id, pass, { status: 'failed', message, evidence: probe.stage.options.trace.tail() });
}
