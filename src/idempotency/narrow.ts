import type { LiveCommand } from '../replay/drive-context.js';
import { describeExcess } from './report-excess.js';
import { inlineDrive, type InlinePlan } from './inline-drive.js';
import type { MutationMeans } from './mutations.js';
import { called, judge, type Probe } from './probe.js';

/** The single replays that a shared drive is taken apart into, each with the check that it convicts under. */
const SUSPICIONS = [
  { plan: { pipelines: false, duplicates: true, conflicts: false }, id: 'idempotency/duplicate-single-effect', pass: 'duplicate', how: 'sent again after its ack' },
  { plan: { pipelines: true, duplicates: false, conflicts: false }, id: 'idempotency/pipelined-single-effect', pass: 'pipelined', how: 'written twice in one write' },
  { plan: { pipelines: false, duplicates: false, conflicts: true }, id: 'idempotency/conflict-no-effect', pass: 'conflict', how: 'followed by a conflicting payload' },
] as const;

/**
 * A shared drive had an effect too many that names no command: replays each command alone, in one manner at a time,
 * each on a fresh host, until one is found guilty. Reports it; says so when nobody could be.
 */
export async function narrowDown(
  probe: Probe,
  commands: readonly LiveCommand[],
  excess: string,
  means: MutationMeans,
  control: ReadonlyMap<string, number>,
  freshProbe: () => Promise<{ readonly probe: Probe; close(): Promise<void> }>,
): Promise<void> {
  for (const { plan, id, pass, how } of SUSPICIONS) {
    for (const command of commands) {
      const alone = await freshProbe();
      try {
        const only: InlinePlan = { ...plan, only: new Set([command.step.line]) };
        const { excess: found } = await inlineDrive(alone.probe, only, means, control);
        if (found.length === 0) continue;
        const message =
          `${called(command)}, ${how}, had more than one effect: ` +
          `${found.map(describeExcess).join('; ')}.`;
        judge(alone.probe, id, pass, command, { status: 'failed', message });
        return;
      } finally {
        await alone.close();
      }
    }
  }
  const [first] = commands;
  if (first === undefined) return;
  const message = `Replays of this scenario's commands together had more effects than due (${excess}); no single one of them has.`;
  judge(probe, 'idempotency/duplicate-single-effect', 'duplicate', first, { status: 'failed', message });
}
