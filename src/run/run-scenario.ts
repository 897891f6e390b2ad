import type { PassName } from '../checks/finding.js';
import { Findings } from '../checks/findings.js';
import { derivedPasses } from '../idempotency/derived-passes.js';
import { PassEnded, type Probe } from '../idempotency/probe.js';
import { leaveOut } from '../idempotency/skipped.js';
import { type DriveOutcome, drive } from '../replay/drive.js';
import { DriveContext } from '../replay/drive-context.js';
import { FloodError } from '../replay/event-log.js';
import { readScript, type Script } from '../replay/script.js';
import { type ServerIdentity, Stage } from '../replay/stage.js';
import { Trace } from '../replay/trace.js';
import type { ScenarioResult } from '../report/model.js';
import { HostStartError } from '../target/host.js';
import { isLateStart, isServersFault } from '../target/start-blame.js';
import { openWorkbench } from '../target/workbench.js';
import type { Scenario } from '../transcript/scenario.js';
import { DEFAULT_FRAME_LIMIT_BYTES } from '../wire/line-splitter.js';
import { type ScenarioEnd, scenarioResult } from './scenario-result.js';
import type { RunSetup } from './setup.js';

export interface ScenarioOutcome {
  readonly result: ScenarioResult;
  readonly identity: ServerIdentity | undefined;
  /** A time limit decided something: the scenario is to be run again, alone and with more patience. */
  readonly timedOut: boolean;
  /** The recording begins with a handshake that succeeds, so that a server that answers is known by its name. */
  readonly greets: boolean;
  /** Methods that were called. */
  readonly exercised: ReadonlySet<string>;
}

/** Runs one scenario and its derived passes on fresh state directories. `patience` multiplies every time limit. */
export async function runScenario(
  scenario: Scenario,
  setup: RunSetup,
  passStarted: (pass: PassName) => void,
  patience = 1,
): Promise<ScenarioOutcome> {
  const run = new ScenarioRun(scenario, setup, passStarted, patience);
  const end = await run.carryOut();
  const result = scenarioResult(scenario, end, run.findings.all, run.elapsedMs(), setup, run.stderr);
  const { identity, greets, exercised } = run;
  const timedOut = run.timedOut || run.exitedLate;
  return { result, identity, timedOut, greets, exercised };
}

class ScenarioRun {
  readonly findings = new Findings();
  readonly exercised = new Set<string>();
  timedOut = false;
  greets = false;
  identity: ServerIdentity | undefined;
  stderr = '';
  readonly #recordedMethods = new Set<string>();
  readonly #began = performance.now();
  readonly #trace = new Trace(() => performance.now() - this.#began);

  constructor(
    private readonly scenario: Scenario,
    private readonly setup: RunSetup,
    private readonly passStarted: (pass: PassName) => void,
    private readonly patience: number,
  ) {}

  /** An orderly exit fails only by the clock. */
  get exitedLate(): boolean {
    return this.findings.all.some(({ id, status }) => id === 'process/orderly-exit' && status === 'failed');
  }

  elapsedMs(): number {
    return performance.now() - this.#began;
  }

  async carryOut(): Promise<ScenarioEnd> {
    const refusal = this.#inapplicable();
    if (refusal !== undefined) return { kind: 'notApplicable', reason: refusal };
    const script = readScript(this.scenario, this.setup.bundle);
    this.greets = script.handshake !== undefined;
    for (const step of script.steps) {
      if (step.kind === 'client' && step.method !== undefined) this.exercised.add(step.method);
      if (step.kind === 'server' && step.method !== undefined) this.#recordedMethods.add(step.method);
    }
    const { stage, dispose } = await this.#freshStage();
    try {
      return await this.#play(script, stage);
    } catch (error) {
      return this.#cutShort(error, stage);
    } finally {
      this.identity = stage.identity;
      await stage.close();
      // What a dying server writes last arrives with its end.
      this.stderr = stage.stderrTail();
      await dispose();
    }
  }

  /** A server that was there once and does not come back breaks a promise; one that was never there has made none. */
  #cutShort(error: unknown, stage: Stage): ScenarioEnd {
    if (!(error instanceof HostStartError || error instanceof FloodError)) throw error;
    if (!stage.hasSpoken || error instanceof FloodError || !isServersFault(error))
      return { kind: 'errored', reason: error.message };
    this.timedOut ||= isLateStart(error);
    this.findings.add('process/restarts', 'replay', {
      status: 'failed',
      message: error.message,
      evidence: this.#trace.tail(),
    });
    return { kind: 'ran' };
  }

  async #play(script: Script, stage: Stage): Promise<ScenarioEnd> {
    const { setup } = this;
    await stage.open();
    const settings = {
      ids: setup.ids,
      match: setup.match,
      require: setup.require,
      pass: 'replay',
      judges: true,
    } as const;
    const context = new DriveContext(script, stage, setup.bundle, settings, this.findings, false);
    const outcome = await drive(script, context);
    if (outcome.status === 'completed') {
      this.findings.add('replay/scenario-completed', 'replay', { status: 'passed' });
      await this.#derive(script, context, stage);
      return { kind: 'ran' };
    }
    return this.#endedEarly(outcome, stage);
  }

  async #endedEarly(outcome: DriveOutcome, stage: Stage): Promise<ScenarioEnd> {
    if (!('reason' in outcome)) return { kind: 'ran' };
    if (outcome.timedOut) this.timedOut = true;
    if (outcome.status === 'notApplicable') {
      await stage.stop('replay');
      return { kind: 'notApplicable', reason: outcome.reason };
    }
    this.findings.add('replay/scenario-completed', 'replay', {
      status: 'failed',
      message: `The scenario stopped early: ${outcome.reason}`,
    });
    return { kind: 'ran' };
  }

  async #derive(script: Script, context: DriveContext, stage: Stage): Promise<void> {
    const passes = this.#passes();
    const canDerive = script.handshake !== undefined && script.commands.length > 0;
    if (canDerive)
      leaveOut(
        this.findings,
        [...this.setup.passes].filter((pass) => !passes.has(pass)),
      );
    if (!canDerive || passes.size === 0) return void (await stage.stop('replay'));
    const { bundle, seed, crashPoints } = this.setup;
    const probe: Probe = { stage, script, bundle, findings: this.findings, passes, seed, crashPoints };
    try {
      const freshStage = () => this.#freshStage();
      await derivedPasses({ probe, context, freshStage, passStarted: this.passStarted });
    } catch (error) {
      if (!(error instanceof PassEnded)) throw error;
      // The passes have reported what they found; here it only counts whether a time limit decided it.
      this.timedOut ||= error.timedOut;
    }
  }

  /** The manifest narrows the default; passes that were named are run whatever it says. */
  #passes(): ReadonlySet<PassName> {
    const { passes, asksForPasses } = this.setup;
    const wanted = this.scenario.manifest?.conformance?.passes;
    return wanted === undefined || asksForPasses
      ? passes
      : new Set([...passes].filter((pass) => wanted.includes(pass)));
  }

  #inapplicable(): string | undefined {
    if (this.scenario.manifest?.provenance === 'sdk-tolerance') {
      return 'the recording tries clients with frames that no server sends (provenance sdk-tolerance)';
    }
    const { kind } = this.setup.target.address;
    const transports = this.scenario.manifest?.conformance?.requires?.transports;
    if (transports === undefined || transports.includes(kind)) return undefined;
    return `the scenario is about ${transports.join(', ')}, and the target is met over ${kind}`;
  }

  #frameLimitBytes(): number {
    return this.scenario.manifest?.serverConfig?.frameLimitBytes ?? DEFAULT_FRAME_LIMIT_BYTES;
  }

  async #freshStage(): Promise<{ stage: Stage; dispose(): Promise<void> }> {
    const { target, bundle, keep, match, knownServers } = this.setup;
    const bench = await openWorkbench({ scenarioDir: this.scenario.folder, keep });
    const frameLimitBytes = this.#frameLimitBytes();
    const env = { MSP_FRAME_LIMIT_BYTES: String(frameLimitBytes), ...target.env };
    const spec = {
      ...target,
      env,
      graceMs: target.graceMs * this.patience,
      startTimeoutMs: target.startTimeoutMs * this.patience,
    };
    const stage = new Stage({
      spec,
      bench,
      bundle,
      findings: this.findings,
      trace: this.#trace,
      frameLimitBytes,
      timeoutMs: target.timeoutMs * this.patience,
      keepsOrder: match === 'exact',
      recordedMethods: this.#recordedMethods,
      knownServer: (name) => knownServers.get(name),
    });
    return { stage, dispose: () => bench.dispose() };
  }
}
