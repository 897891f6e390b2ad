import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { isMintedAnew } from '../replay/client-frame.js';
import { drive } from '../replay/drive.js';
import { DriveContext, type LiveCommand } from '../replay/drive-context.js';
import type { Stage } from '../replay/stage.js';
import { isConflict, isRejection } from './compare-answers.js';
import { kindCounts } from './effects.js';
import { GroundLost, reportFailedDrive } from './failed-drive.js';
import { eventsOf } from './inline-drive.js';
import type { MutationMeans } from './mutations.js';
import type { Probe } from './probe.js';
import { type OpenTurns, quiesce } from './quiesce.js';
import { type ChangeControl, changeControl } from './state-changes.js';

/** A host on which the recording has been driven to its end, and what is known of it: where replays start from. */
export interface Ground {
  readonly probe: Probe;
  readonly commands: readonly LiveCommand[];
  /** Commands that came about on this host besides: provoked ones, and those of a second drive. */
  readonly further: LiveCommand[];
  readonly sessions: Set<string>;
  /** The drives whose effects are looked at once more in the end: those that have shown no excess so far. */
  readonly drives: Drive[];
  readonly means: MutationMeans;
  readonly open: OpenTurns;
  /** What the undisturbed drive did: what repeats itself there is no effect of a replay. */
  readonly control: ReadonlyMap<string, number>;
  readonly changes: ChangeControl;
}

/** The commands of one drive and the sessions that they were for. */
export interface Drive {
  readonly commands: readonly LiveCommand[];
  readonly sessions: ReadonlySet<string>;
}

/** Takes stock after a drive. */
export async function groundOf(probe: Probe, context: DriveContext): Promise<Ground> {
  const { stage, bundle } = probe;
  const otherFolder = join(stage.workspace, 'other');
  mkdirSync(otherFolder, { recursive: true });
  const commands = replayable(context);
  const open = await quiesce(stage.exchange, commands);
  const { events } = await eventsOf(probe, context.sessions, context.events());
  return {
    probe,
    commands,
    further: [],
    sessions: new Set(context.sessions),
    drives: [{ commands, sessions: new Set(context.sessions) }],
    means: { bundle, otherFolder },
    open,
    control: kindCounts(events),
    changes: changeControl(commands, events),
  };
}

/** Drives the recording once more on a stage that is not yet open, without a verdict. Throws `GroundLost` when it cannot be. */
export async function freshGround(probe: Probe, stage: Stage): Promise<Ground> {
  const { script, bundle, findings } = probe;
  const settings = {
    ids: 'fresh',
    match: 'conformant',
    require: 'core',
    pass: 'duplicate',
    judges: false,
  } as const;
  await stage.open();
  const context = new DriveContext(script, stage, bundle, settings, findings, false);
  const outcome = await drive(script, context);
  const alone: Probe = { ...probe, stage };
  if ('reason' in outcome) {
    const what = 'The recording on a fresh host';
    const isLate = await reportFailedDrive(alone, context, outcome, {
      id: 'process/restarts',
      pass: 'duplicate',
      what,
    });
    throw new GroundLost(outcome.reason, isLate);
  }
  return groundOf(alone, context);
}

/**
 * The commands to replay: under a UUIDv7, answered durably, and each id only as it was first sent. What a host was
 * killed with in the recording itself may have been settled as abandoned since: its first answer holds no longer.
 */
function replayable(context: DriveContext): LiveCommand[] {
  const seen = new Set<string>();
  const crash = context.script.steps.findLast((step) => step.kind === 'control' && step.op === 'crash');
  return context.commands.filter(({ commandId, answer, step }) => {
    if (seen.has(commandId) || !isMintedAnew(commandId)) return false;
    seen.add(commandId);
    if (crash !== undefined && step.line < crash.line) return false;
    return answer.kind === 'result' || (isRejection(answer) && !isConflict(answer));
  });
}
