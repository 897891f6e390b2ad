import type { PassName } from '../checks/finding.js';
import { describeExit } from '../replay/judge-exit.js';
import type { Probe } from './probe.js';

/** Reports that the server ended by itself, with its exit and its last words. */
export async function reportDeath(probe: Probe, pass: PassName, reason: string): Promise<void> {
  const { stage, findings } = probe;
  const exit = await stage.host.kill();
  const stderr = stage.stderrTail().trimEnd().split('\n').slice(-STDERR_LINES).join('\n');
  const last = stderr === '' ? 'It wrote nothing to its stderr.' : `The end of its stderr:\n${stderr}`;
  findings.add('process/no-crash', pass, {
    status: 'failed',
    message: `${reason} The server ended with ${describeExit(exit)}. ${last}`,
    evidence: stage.options.trace.tail(),
  });
}

const STDERR_LINES = 12;
