import type { Evidence, PassName } from '../checks/finding.js';
import type { Findings } from '../checks/findings.js';
import type { ExitStatus, StopOutcome } from '../target/host.js';

/** Judges how a server ended that was asked to in order. */
export function judgeExit(
  { endedBy, exit, leftProcesses }: StopOutcome,
  pass: PassName,
  {
    findings,
    graceMs,
    evidence,
  }: { readonly findings: Findings; readonly graceMs: number; readonly evidence: readonly Evidence[] },
): void {
  if (endedBy === 'before') {
    const message = `The server had ended before it was asked to (${describeExit(exit)}).`;
    findings.add('process/no-crash', pass, { status: 'failed', message, evidence });
    return;
  }
  if (endedBy !== 'inputClosed') {
    const message = `The server did not exit within ${graceMs} ms after its input was closed; it took ${endedBy}.`;
    findings.add('process/orderly-exit', pass, { status: 'failed', message, evidence });
    return;
  }
  findings.add('process/orderly-exit', pass, { status: 'passed' });
  const isZero = exit.code === 0;
  findings.add('process/exit-code', pass, {
    status: isZero ? 'passed' : 'failed',
    message: isZero ? '' : `An orderly end must exit with 0; the server ended with ${describeExit(exit)}.`,
    ...(!isZero && { evidence }),
  });
  if (leftProcesses) {
    findings.note('process/orderly-exit', pass, 'Processes of the server outlived it and were killed.');
  }
}

export function describeExit({ code, signal }: ExitStatus): string {
  return signal !== null ? `signal ${signal}` : `exit code ${code}`;
}
