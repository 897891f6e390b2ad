import type { CheckId } from '../checks/catalogue.js';
import type { PassName } from '../checks/finding.js';
import type { Findings } from '../checks/findings.js';
import type { Probe } from './probe.js';

/** The check that stands for a whole pass when it cannot be run. */
const MAIN_CHECK: Readonly<Partial<Record<PassName, CheckId>>> = {
  duplicate: 'idempotency/duplicate-single-effect',
  reordered: 'idempotency/reordered-is-duplicate',
  pipelined: 'idempotency/pipelined-single-effect',
  conflict: 'idempotency/conflict-rejected',
  rejected: 'idempotency/rejection-replayed',
  malformed: 'idempotency/malformed-command-id',
  reconnect: 'idempotency/reconnect-duplicate',
  restart: 'idempotency/restart-duplicate-identical',
  carrierless: 'idempotency/carrierless-no-new-effect',
  'crash-after-ack': 'idempotency/crash-after-ack-durable',
  'crash-before-ack': 'idempotency/crash-before-ack-safe',
};

/** Says for passes that were asked for why they were not run: counted and printed, never hidden. */
export function skipPass(probe: Probe, passes: readonly PassName[], why: string): void {
  const isEphemeral = probe.stage.identity?.sessionDurability === 'ephemeral';
  for (const pass of passes) {
    const id = MAIN_CHECK[pass];
    if (id === undefined || !probe.passes.has(pass)) continue;
    probe.findings.add(id, pass, { status: isEphemeral ? 'notApplicable' : 'untestable', message: why });
  }
}

/** Says which passes a scenario's manifest leaves out, and how they are run all the same. */
export function leaveOut(findings: Findings, passes: readonly PassName[]): void {
  for (const pass of passes) {
    const id = MAIN_CHECK[pass];
    const message = `The scenario's manifest leaves this pass out; --passes ${pass} runs it.`;
    if (id !== undefined) findings.add(id, pass, { status: 'notApplicable', message });
  }
}
