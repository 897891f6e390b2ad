import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { PassName } from '../checks/finding.js';
import { UUID_V7 } from '../replay/client-frame.js';
import type { DriveContext, LiveCommand } from '../replay/drive-context.js';
import type { Stage } from '../replay/stage.js';
import { canCrash, canRestart, transportOf } from '../target/spec.js';
import { carrierlessReplays } from './carrierless.js';
import { SAME_HOST } from './circumstances.js';
import { isConflict, isRejection } from './compare-answers.js';
import { crashReplays } from './crash.js';
import { stateChangeControl } from './crash-effects.js';
import { crashPlan } from './crash-plan.js';
import { kindCounts } from './effects.js';
import { eventsOf, inlineDrive } from './inline-drive.js';
import { malformedReplays } from './malformed.js';
import { narrowDown } from './narrow.js';
import { probeOpenPoints } from './open-points.js';
import type { Probe } from './probe.js';
import { provokeRejections } from './provoke.js';
import { quiesce } from './quiesce.js';
import { reconnectReplays } from './reconnect.js';
import { replayCommand } from './replay-command.js';
import { describeExcess, reportSingleEffects } from './report-excess.js';
import { beforeRestart, restartReplays } from './restart.js';
import { handshake } from './sessions.js';
import { skipPass } from './skipped.js';
import { ViewWatch } from './view-watch.js';

export interface DerivedPassOptions {
  readonly probe: Probe;
  /** The judged drive that the passes start from; its stage is still open. */
  readonly context: DriveContext;
  /** A stage on a fresh state directory, not yet open. */
  freshStage(): Promise<{ readonly stage: Stage; dispose(): Promise<void> }>;
  passStarted(pass: PassName): void;
}

/**
 * Derives every pass that applies from one driven recording. Passes share hosts: replays on the host of the recording,
 * a second drive on the same host with replays under way, one orderly restart, and one chain of kills on a second
 * state directory. Throws `PassEnded` when the server stops answering.
 */
export async function derivedPasses(options: DerivedPassOptions): Promise<void> {
  const { probe, context } = options;
  const commands = replayable(context);
  if (commands.length === 0) return;
  const { stage, passes } = probe;
  mkdirSync(join(stage.workspace, 'other'), { recursive: true });
  const means = { bundle: probe.bundle, otherFolder: join(stage.workspace, 'other') };
  const isQuiet = await quiesce(stage.exchange, commands);
  const events = await eventsOf(probe, context);
  const control = kindCounts(events);
  const stateControl = stateChangeControl(commands, events);

  options.passStarted('duplicate');
  const watch = new ViewWatch(stage.exchange, context.sessions);
  await watch.effects();
  for (const command of commands) await replayCommand(probe, command, watch, means, isQuiet, SAME_HOST);
  const provoked = passes.has('rejected') ? await provokeRejections(probe, commands) : [];
  if (passes.has('reconnect')) await reconnectReplays(probe, commands);

  const inline = await shared(options, means, control);
  const all = [...commands, ...provoked, ...inline.commands];
  const sessions = new Set([...context.sessions, ...inline.sessions]);

  const host = hostLife(probe);
  if (host.restarts && (passes.has('restart') || passes.has('carrierless'))) {
    options.passStarted('restart');
    const before = await beforeRestart(probe, sessions, isQuiet);
    const resumed = await restartReplays(probe, all, before, means);
    if (passes.has('carrierless')) await carrierlessReplays(probe, commands, resumed);
  } else {
    skipPass(probe, ['restart', 'carrierless'], host.why);
  }
  await lastOnHost(options, commands);

  if (!passes.has('crash-after-ack') && !passes.has('crash-before-ack') && !passes.has('restart')) return;
  if (!host.crashes) return skipPass(probe, ['crash-after-ack', 'crash-before-ack'], host.why);
  options.passStarted('crash-after-ack');
  const before = passes.has('crash-before-ack') ? probe.crashPoints : 0;
  const points = crashPlan(probe.script, commands, { after: passes.has('crash-after-ack'), before, stop: passes.has('restart') }, probe.seed);
  if (points.length === 0) return;
  await onFreshStage(options, (alone) => crashReplays(alone, points, stateControl));
}

/** The commands to replay: under a UUIDv7, answered durably, and each id only as it was first sent. */
function replayable(context: DriveContext): LiveCommand[] {
  const seen = new Set<string>();
  return context.commands.filter(({ commandId, answer }) => {
    if (seen.has(commandId) || !UUID_V7.test(commandId)) return false;
    seen.add(commandId);
    return answer.kind === 'result' || (isRejection(answer) && !isConflict(answer));
  });
}

async function shared(options: DerivedPassOptions, means: Parameters<typeof inlineDrive>[2], control: ReadonlyMap<string, number>) {
  const { probe } = options;
  const plan = {
    pipelines: probe.passes.has('pipelined'),
    duplicates: probe.passes.has('duplicate'),
    conflicts: probe.passes.has('conflict'),
  };
  if (!plan.pipelines && !plan.duplicates && !plan.conflicts) return { commands: [], sessions: new Set<string>() };
  options.passStarted('pipelined');
  const outcome = await inlineDrive(probe, plan, means, control);
  const { excess, commands } = outcome;
  if (plan.pipelines) {
    const how = 'written twice in one write and replayed at once';
    reportSingleEffects(probe, 'idempotency/pipelined-single-effect', 'pipelined', commands, excess, how);
  }
  if (excess.length > 0 && excess.every((entry) => entry.command === undefined)) {
    const described = excess.map(describeExcess).join('; ');
    await narrowDown(probe, commands, described, means, control, () => freshProbe(options));
  } else if (!plan.pipelines) {
    reportSingleEffects(probe, 'idempotency/duplicate-single-effect', 'duplicate', commands, excess, 'replayed at once');
  }
  return outcome;
}

/** What may leave traces: tried last on a host that is then stopped in order. */
async function lastOnHost({ probe, passStarted }: DerivedPassOptions, commands: readonly LiveCommand[]): Promise<void> {
  const { exchange } = probe.stage;
  const reachable = commands.filter(({ sessionId }) => sessionId !== undefined);
  if (probe.passes.has('malformed')) {
    passStarted('malformed');
    const watch = new ViewWatch(exchange, new Set(reachable.map(({ sessionId }) => sessionId as string)));
    await watch.effects();
    await malformedReplays(probe, commands, watch);
  }
  if (probe.passes.has('conflict')) await probeOpenPoints(probe, commands);
  await probe.stage.stop('restart');
}

interface HostLife {
  readonly restarts: boolean;
  readonly crashes: boolean;
  readonly why: string;
}

/** Whether this target's sessions outlive a restart, and whether the harness can bring one about. */
function hostLife({ stage }: Probe): HostLife {
  const { spec } = stage.options;
  if (stage.identity?.sessionDurability !== null && stage.identity?.sessionDurability !== 'durable') {
    const why = `the host's sessions are ${stage.identity?.sessionDurability}: nothing of them outlives it`;
    return { restarts: false, crashes: false, why };
  }
  const why = `a server that is only connected to (${transportOf(spec)}) cannot be restarted; give its command, or --restart-command and --kill-command`;
  return { restarts: canRestart(spec), crashes: canCrash(spec), why };
}

async function freshProbe({ probe, freshStage }: DerivedPassOptions) {
  const { stage, dispose } = await freshStage();
  await stage.open();
  const alone: Probe = { ...probe, stage };
  await handshake(alone);
  return {
    probe: alone,
    close: async () => {
      await stage.close();
      await dispose();
    },
  };
}

async function onFreshStage({ probe, freshStage }: DerivedPassOptions, action: (alone: Probe) => Promise<void>): Promise<void> {
  const { stage, dispose } = await freshStage();
  try {
    await action({ ...probe, stage });
  } finally {
    await stage.close();
    await dispose();
  }
}

