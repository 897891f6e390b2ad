import type { PassName } from '../checks/finding.js';
import type { DriveContext, LiveCommand } from '../replay/drive-context.js';
import type { Stage } from '../replay/stage.js';
import { canCrash, canRestart, transportOf } from '../target/spec.js';
import { carrierlessReplays } from './carrierless.js';
import { SAME_HOST } from './circumstances.js';
import { crashReplays } from './crash.js';
import { crashPlan } from './crash-plan.js';
import type { Excess } from './effects.js';
import { freshGround, type Ground, groundOf } from './ground.js';
import { type InlineOutcome, inlineDrive } from './inline-drive.js';
import { judgeLateEffects } from './late-effects.js';
import { malformedReplays } from './malformed.js';
import { type FreshHost, narrowDown, unclaimed } from './narrow.js';
import { probeOpenPoints } from './open-points.js';
import { carryOut, type PartEnd } from './parts.js';
import { PassEnded, type Probe } from './probe.js';
import { provokeRejections } from './provoke.js';
import { reconnectReplays } from './reconnect.js';
import { replayCommand } from './replay-command.js';
import { reportSingleEffects } from './report-excess.js';
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
 * state directory. A part that a dead or silent server cuts short is reported, and the others go on, on a fresh host
 * where the old one is lost. Throws `PassEnded` at the end when a time limit decided something.
 */
export async function derivedPasses(options: DerivedPassOptions): Promise<void> {
  const { probe, context } = options;
  const ground = await groundOf(probe, context);
  if (ground.commands.length === 0) return void (await probe.stage.stop('replay'));
  const passes = new DerivedPasses(options, ground);
  try {
    await passes.run();
  } finally {
    await passes.dispose();
  }
}

class DerivedPasses {
  readonly #disposers: (() => Promise<void>)[] = [];
  #timedOut: PassName | undefined;
  /** The host was lost: the next part needs a fresh one. */
  #isLost = false;

  constructor(
    private readonly options: DerivedPassOptions,
    private ground: Ground,
  ) {}

  async run(): Promise<void> {
    const { probe, ground } = this;
    const host = hostLife(probe);
    const { changes } = ground;
    await this.#part('duplicate', ['duplicate', 'reordered', 'conflict', 'rejected'], (ground) =>
      this.#replayEach(ground),
    );
    await this.#part('rejected', ['rejected'], provokeAll);
    await this.#part('reconnect', ['reconnect'], ({ probe, commands }) => reconnectReplays(probe, commands));
    await this.#part('pipelined', ['pipelined', 'duplicate', 'conflict'], (ground) =>
      this.#replayInline(ground),
    );
    await this.#part('duplicate', ['duplicate', 'pipelined', 'reconnect', 'conflict'], (ground) =>
      this.#lookAgain(ground),
    );
    if (host.restarts) await this.#part('restart', ['restart', 'carrierless'], restart);
    else skipPass(probe, ['restart', 'carrierless'], host.why);
    await this.#part('malformed', ['malformed'], malformed);
    await this.#part('conflict', ['conflict'], ({ probe, commands }) => probeOpenPoints(probe, commands));
    if (!this.#isLost) await this.#stop();
    await this.#crash(host, changes);
    if (this.#timedOut !== undefined)
      throw new PassEnded(`an answer did not come in time (${this.#timedOut})`, true);
  }

  async dispose(): Promise<void> {
    for (const dispose of this.#disposers.splice(0)) await dispose();
  }

  private get probe(): Probe {
    return this.options.probe;
  }

  /** One part on the present host, when one of its passes was asked for. */
  async #part(
    pass: PassName,
    passes: readonly PassName[],
    part: (ground: Ground) => Promise<void>,
  ): Promise<void> {
    const asked = passes.find((wanted) => this.probe.passes.has(wanted));
    if (asked === undefined) return;
    this.options.passStarted(pass);
    const end = await carryOut(this.ground.probe, pass, async () => {
      if (this.#isLost) this.ground = await this.#freshGround();
      this.#isLost = false;
      this.ground.probe.stage.enter(asked);
      await part(this.ground);
    });
    this.#note(pass, end);
  }

  #note(pass: PassName, end: PartEnd): void {
    if (end === 'timedOut' || end === 'lateStart') this.#timedOut ??= pass;
    this.#isLost ||= end === 'hostLost' || end === 'lateStart';
  }

  async #replayEach(ground: Ground): Promise<void> {
    const { probe, commands, means, open } = ground;
    const watch = new ViewWatch(probe.stage.exchange, ground.sessions);
    await watch.effects();
    for (const command of commands) await replayCommand(probe, command, { watch, means, open }, SAME_HOST);
  }

  /** A second drive on the same host, with every command replayed while its work is going on. */
  async #replayInline(ground: Ground): Promise<void> {
    const { probe, means, control } = ground;
    const plan = {
      pipelines: probe.passes.has('pipelined'),
      duplicates: probe.passes.has('duplicate'),
      conflicts: probe.passes.has('conflict'),
    };
    const outcome = await inlineDrive(probe, plan, means, control);
    ground.further.push(...outcome.commands);
    for (const session of outcome.sessions) ground.sessions.add(session);
    this.#reportInline(ground, plan.pipelines, outcome);
    if (outcome.excess.length === 0) ground.drives.push(outcome);
    await this.#narrow(ground, outcome.commands, outcome.excess);
  }

  async #lookAgain(ground: Ground): Promise<void> {
    await this.#narrow(ground, ground.commands, await judgeLateEffects(ground));
  }

  async #narrow(
    { probe, means, control }: Ground,
    commands: readonly LiveCommand[],
    excess: readonly Excess[],
  ): Promise<void> {
    const what = unclaimed(excess);
    if (what !== undefined) await narrowDown(probe, commands, what, means, control, () => this.#freshHost());
  }

  #reportInline({ probe }: Ground, isPipelined: boolean, outcome: InlineOutcome): void {
    const how = isPipelined ? 'written twice in one write and replayed at once' : 'replayed at once';
    if (isPipelined)
      reportSingleEffects(probe, 'idempotency/pipelined-single-effect', 'pipelined', outcome, how);
    else reportSingleEffects(probe, 'idempotency/duplicate-single-effect', 'duplicate', outcome, how);
  }

  async #stop(): Promise<void> {
    this.#note(
      'replay',
      await carryOut(
        this.ground.probe,
        'replay',
        async () => void (await this.ground.probe.stage.stop('restart')),
      ),
    );
  }

  async #crash(host: HostLife, changes: Ground['changes']): Promise<void> {
    const { probe } = this;
    const { passes } = probe;
    if (!host.crashes) return skipPass(probe, ['crash-after-ack', 'crash-before-ack'], host.why);
    const before = passes.has('crash-before-ack') ? probe.crashPoints : 0;
    const wanted = { after: passes.has('crash-after-ack'), before, stop: passes.has('restart') };
    const points = crashPlan(probe.script, this.ground.commands, wanted, probe.seed);
    if (points.length === 0) return;
    this.options.passStarted('crash-after-ack');
    const alone = await this.#freshProbe();
    this.#note(
      'crash-after-ack',
      await carryOut(alone, 'crash-after-ack', () => crashReplays(alone, points, changes)),
    );
  }

  async #freshGround(): Promise<Ground> {
    const { stage } = await this.#freshProbe();
    return freshGround(this.probe, stage);
  }

  /** A probe whose stage is not open yet; it is closed when all is over. */
  async #freshProbe(): Promise<Probe> {
    const { stage, dispose } = await this.options.freshStage();
    this.#disposers.push(async () => {
      await stage.close();
      await dispose();
    });
    return { ...this.probe, stage };
  }

  async #freshHost(): Promise<FreshHost> {
    const { stage, dispose } = await this.options.freshStage();
    const probe: Probe = { ...this.probe, stage };
    await stage.open();
    await handshake(probe);
    return {
      probe,
      close: async () => {
        await stage.close();
        await dispose();
      },
    };
  }
}

async function provokeAll({ probe, commands, further, sessions }: Ground): Promise<void> {
  const provoked = await provokeRejections(probe, commands);
  further.push(...provoked);
  for (const { sessionId } of provoked) if (sessionId !== undefined) sessions.add(sessionId);
}

async function restart(ground: Ground): Promise<void> {
  const { probe, commands, further, sessions, means, open } = ground;
  const before = await beforeRestart(probe, sessions, open);
  const resumed = await restartReplays(probe, [...commands, ...further], before, means);
  if (probe.passes.has('carrierless')) await carrierlessReplays(probe, commands, resumed);
}

async function malformed({ probe, commands, open }: Ground): Promise<void> {
  const sessions = commands.flatMap(({ sessionId }) => sessionId ?? []);
  const watch = new ViewWatch(probe.stage.exchange, sessions);
  await watch.effects();
  await malformedReplays(probe, commands, watch, open);
}

interface HostLife {
  readonly restarts: boolean;
  readonly crashes: boolean;
  readonly why: string;
}

/** Whether this target's sessions outlive a restart, and whether the harness can bring one about. */
function hostLife({ stage }: Probe): HostLife {
  const { spec } = stage.options;
  const durability = stage.identity?.sessionDurability;
  if (durability !== undefined && durability !== null && durability !== 'durable') {
    const why = `the host's sessions are ${durability}: nothing of them outlives it`;
    return { restarts: false, crashes: false, why };
  }
  const why = `a server that is only connected to (${transportOf(spec)}) cannot be restarted; give its command, or --restart-command and --kill-command`;
  return { restarts: canRestart(spec), crashes: canCrash(spec), why };
}
