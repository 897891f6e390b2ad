import type { Evidence, PassName } from '../checks/finding.js';
import type { Findings } from '../checks/findings.js';
import type { ExitStatus, StopOutcome } from '../target/host.js';

interface ExitGround {
  readonly findings: Findings;
  readonly graceMs: number;
  readonly evidence: readonly Evidence[];
}

/** Judges how a server ended that was asked to in order. */
export function judgeExit(
  { endedBy, exit, leftProcesses }: StopOutcome,
  pass: PassName,
  { findings, graceMs, evidence }: ExitGround,
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

/**
 * Judges the end of a server that was met on a socket. How one ends in order is not promised; an unhandled error or a
 * crash is one however the server is met. What it does at a SIGTERM is its own business.
 */
export function judgeListenersExit(
  { endedBy, exit }: StopOutcome,
  pass: PassName,
  { findings, evidence }: ExitGround,
): void {
  const isAsked = endedBy === 'SIGTERM' || endedBy === 'SIGKILL';
  if (isAsked || !(exit.code === UNHANDLED_ERROR || CRASHES.has(exit.signal))) return;
  const message = `The server ended with ${describeExit(exit)} before it was told to stop.`;
  findings.add('process/no-crash', pass, { status: 'failed', message, evidence });
}

/** The exit code of a server that met an error which it did not handle. */
const UNHANDLED_ERROR = 1;

/** Signals by which a program ends through its own fault. */
const CRASHES: ReadonlySet<string | null> = new Set(['SIGABRT', 'SIGBUS', 'SIGFPE', 'SIGILL', 'SIGSEGV']);

export function describeExit({ code, signal }: ExitStatus): string {
  return signal !== null ? `signal ${signal}` : `exit code ${code}`;
}
