import type { Finding } from '../checks/finding.js';
import { Findings } from '../checks/findings.js';
import type { Bindings } from '../replay/bindings.js';
import { drive } from '../replay/drive.js';
import { DriveContext, type DriveSettings } from '../replay/drive-context.js';
import { readScript, type Script } from '../replay/script.js';
import { type KnownServer, Stage } from '../replay/stage.js';
import type { Bundle } from '../schema/bundle.js';
import type { TargetSpec } from '../target/spec.js';
import { openWorkbench } from '../target/workbench.js';
import type { Scenario } from '../transcript/scenario.js';
import type { UnplacedStep } from '../transcript/write-transcript.js';
import { DEFAULT_FRAME_LIMIT_BYTES } from '../wire/line-splitter.js';
import { asRecorded } from './as-recorded.js';
import { RecordingError } from './errors.js';
import { Tape } from './tape.js';

export interface RehearsalSetup {
  readonly target: TargetSpec;
  readonly bundle: Bundle;
  /** Servers that are known by the name they give in the handshake. */
  readonly knownServers: ReadonlyMap<string, KnownServer>;
}

export interface Rehearsal {
  /** Verdicts that failed, those of the stream rules among them. */
  readonly failures: readonly Finding[];
  /** What went over the wire up to the last frame that was waited for. */
  readonly spoken: readonly UnplacedStep[];
  /** The same, ids and folders as the recording has them. */
  readonly steps: readonly UnplacedStep[];
}

/**
 * Drives the client side of a scenario against a fresh server and compares the answers under the rules of a run.
 * Throws `RecordingError` when the server lacks what the scenario needs, and `HostStartError`.
 */
export async function rehearse(scenario: Scenario, setup: RehearsalSetup): Promise<Rehearsal> {
  const script = readScript(scenario, setup.bundle);
  const findings = new Findings();
  const tape = new Tape(() => performance.now());
  const bench = await openWorkbench({ scenarioDir: scenario.folder, keep: false });
  const stage = new TapedStage(
    { ...stageOptions(scenario, script, setup), bench, findings, trace: tape },
    tape,
  );
  try {
    const { spoken, bindings } = await play(script, stage, setup, findings, tape);
    await stage.stop('replay');
    await stage.close();
    const failures = findings.all.filter(({ status }) => status === 'failed');
    return { failures, spoken, steps: asRecorded(spoken, script, bindings, bench) };
  } finally {
    await stage.close();
    await bench.dispose();
  }
}

async function play(
  script: Script,
  stage: Stage,
  setup: RehearsalSetup,
  findings: Findings,
  tape: Tape,
): Promise<{ readonly spoken: readonly UnplacedStep[]; readonly bindings: Bindings }> {
  await stage.open();
  const context = new DriveContext(script, stage, setup.bundle, SETTINGS, findings, false);
  const outcome = await drive(script, context);
  const spoken = tape.stop();
  if (outcome.status === 'notApplicable') {
    throw new RecordingError(`${script.scenario.id} cannot be driven against this server: ${outcome.reason}`);
  }
  if (outcome.status === 'failed') {
    findings.add('replay/scenario-completed', 'replay', { status: 'failed', message: outcome.reason });
  }
  return { spoken, bindings: context.bindings };
}

const SETTINGS: DriveSettings = {
  ids: 'fresh',
  match: 'conformant',
  require: 'core',
  pass: 'replay',
  judges: true,
};

class TapedStage extends Stage {
  constructor(
    options: ConstructorParameters<typeof Stage>[0],
    private readonly tape: Tape,
  ) {
    super(options);
  }

  override control(op: 'restart' | 'crash' | 'reconnect'): Promise<void> {
    return this.tape.during(op, () => super.control(op));
  }
}

function stageOptions(
  { manifest }: Scenario,
  script: Script,
  { target, bundle, knownServers }: RehearsalSetup,
) {
  const frameLimitBytes = manifest?.serverConfig?.frameLimitBytes ?? DEFAULT_FRAME_LIMIT_BYTES;
  const methods = script.steps.flatMap((step) => (step.kind === 'server' ? (step.method ?? []) : []));
  return {
    spec: { ...target, env: { MSP_FRAME_LIMIT_BYTES: String(frameLimitBytes), ...target.env } },
    bundle,
    frameLimitBytes,
    timeoutMs: target.timeoutMs,
    keepsOrder: false,
    recordedMethods: new Set(methods),
    knownServer: (name: string) => knownServers.get(name),
  };
}
