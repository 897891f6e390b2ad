import type { LiveCommand } from '../replay/drive-context.js';
import type { Excess } from './effects.js';
import { type InlinePlan, inlineDrive } from './inline-drive.js';
import type { MutationMeans } from './mutations.js';
import { judge, type Probe } from './probe.js';
import { describeExcess, reportExcess } from './report-excess.js';

/** The single replays that a shared drive is taken apart into, each with the check that it convicts under. */
const SUSPICIONS = [
  {
    plan: { pipelines: false, duplicates: true, conflicts: false },
    id: 'idempotency/duplicate-single-effect',
    pass: 'duplicate',
    how: 'sent again after its ack',
  },
  {
    plan: { pipelines: true, duplicates: false, conflicts: false },
    id: 'idempotency/pipelined-single-effect',
    pass: 'pipelined',
    how: 'written twice in one write',
  },
  {
    plan: { pipelines: false, duplicates: false, conflicts: true },
    id: 'idempotency/conflict-no-effect',
    pass: 'conflict',
    how: 'followed by a conflicting payload',
  },
] as const;

/** A probe on a host of its own, which has been initialized. */
export interface FreshHost {
  readonly probe: Probe;
  close(): Promise<void>;
}

/**
 * A shared drive had an effect too many that names no command: replays each command alone, in one manner at a time,
 * each on a fresh host, until one is found guilty. Reports it. Nobody is accused where a drive without any replay has
 * the excess too, nor where no single replay brings it about: a sum of which nobody's part is known is a warning.
 */
export async function narrowDown(
  probe: Probe,
  commands: readonly LiveCommand[],
  excess: string,
  means: MutationMeans,
  control: ReadonlyMap<string, number>,
  freshHost: () => Promise<FreshHost>,
): Promise<void> {
  const [first] = commands;
  if (first === undefined) return;
  const sum = `Replays of this scenario's commands together had more effects than due (${excess})`;
  if (await isExcessiveUndisturbed(means, control, freshHost)) {
    const message = `${sum}; a drive without replays had too: effects cannot be counted here.`;
    return judge(probe, SHARED, 'duplicate', first, { status: 'untestable', message });
  }
  for (const { plan, id, pass, how } of SUSPICIONS) {
    if (!probe.passes.has(pass)) continue;
    for (const command of commands) {
      const alone = await freshHost();
      try {
        const only: InlinePlan = { ...plan, only: new Set([command.step.line]) };
        const { excess: found } = await inlineDrive(alone.probe, only, means, control);
        if (found.length === 0) continue;
        return reportExcess(alone.probe, id, pass, command, found, how);
      } finally {
        await alone.close();
      }
    }
  }
  const message = `${sum}; repeated one by one, none of them had.`;
  judge(probe, SHARED, 'duplicate', first, { status: 'warned', message });
}

/** The check under which a shared drive reports what is nobody's. */
const SHARED = 'idempotency/duplicate-single-effect';

const UNDISTURBED: InlinePlan = { pipelines: false, duplicates: false, conflicts: false };

async function isExcessiveUndisturbed(
  means: MutationMeans,
  control: ReadonlyMap<string, number>,
  freshHost: () => Promise<FreshHost>,
): Promise<boolean> {
  const host = await freshHost();
  try {
    const { excess } = await inlineDrive(host.probe, UNDISTURBED, means, control);
    return excess.length > 0;
  } finally {
    await host.close();
  }
}

/** What is left of an excess when no entry says whose it is; undefined when the named ones explain it. */
export function unclaimed(excess: readonly Excess[]): string | undefined {
  const isClear = excess.length === 0 || excess.some(({ command }) => command !== undefined);
  return isClear ? undefined : excess.map(describeExcess).join('; ');
}
