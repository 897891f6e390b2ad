import type { PassName } from '../../checks/finding.js';
import { Findings } from '../../checks/findings.js';
import { drive } from '../../replay/drive.js';
import { DriveContext } from '../../replay/drive-context.js';
import { readScript } from '../../replay/script.js';
import { Stage } from '../../replay/stage.js';
import { Trace } from '../../replay/trace.js';
import type { TargetSpec } from '../../target/spec.js';
import { openWorkbench } from '../../target/workbench.js';
import type { Scenario } from '../../transcript/scenario.js';
import { DEFAULT_FRAME_LIMIT_BYTES } from '../../wire/line-splitter.js';
import { derivedPasses } from '../derived-passes.js';
import { PassEnded } from '../probe.js';
import type { Broken } from './promises-broken.js';
import { bundle } from './recording.js';
import { setUpWorld, tearDownWorld } from './worlds.js';

export interface PlayOptions {
  readonly passes: readonly PassName[];
  readonly broken?: Broken;
  readonly transport?: 'stdio' | 'unix';
  readonly crashPoints?: number;
  readonly timeoutMs?: number;
}

export interface Played {
  readonly findings: Findings;
  /** How often a server was started. */
  readonly starts: number;
  readonly timedOut: boolean;
}

/** Drives a recording against an in-memory server and derives the passes from it. */
export async function play(scenario: Scenario, options: PlayOptions): Promise<Played> {
  const { passes, broken = {}, transport = 'stdio', crashPoints = 2, timeoutMs = 2_000 } = options;
  const findings = new Findings();
  const disposers: (() => Promise<void>)[] = [];
  const opened: string[] = [];
  const began = performance.now();
  const trace = new Trace(() => performance.now() - began);
  const spec: TargetSpec = {
    label: 'memory',
    command: ['memory'],
    address: transport === 'unix' ? { kind: 'unix', path: '/nowhere' } : { kind: 'stdio' },
    env: {},
    inheritEnv: false,
    behaviours: { slow: 'a slow turn', approval: 'ask first', fail: 'fail' },
    startTimeoutMs: timeoutMs,
    timeoutMs,
    graceMs: timeoutMs,
  } as unknown as TargetSpec;
  const freshStage = async () => {
    const bench = await openWorkbench({ scenarioDir: scenario.folder, keep: false });
    setUpWorld(bench.stateDir, broken);
    opened.push(bench.stateDir);
    const stage = new Stage({
      spec,
      bench,
      bundle,
      findings,
      trace,
      timeoutMs,
      keepsOrder: false,
      frameLimitBytes: DEFAULT_FRAME_LIMIT_BYTES,
      recordedMethods: new Set(),
      knownServer: () => undefined,
    });
    return { stage, dispose: () => bench.dispose() };
  };
  const { stage, dispose } = await freshStage();
  disposers.push(() => stage.close(), dispose);
  let timedOut = false;
  try {
    await stage.open();
    const script = readScript(scenario, bundle);
    const settings = {
      ids: 'fresh',
      match: 'conformant',
      require: 'core',
      pass: 'replay',
      judges: true,
    } as const;
    const context = new DriveContext(script, stage, bundle, settings, findings, false);
    const outcome = await drive(script, context);
    if (outcome.status !== 'completed')
      throw new Error(`The recording was not driven to its end: ${JSON.stringify(outcome)}`);
    const probe = { stage, script, bundle, findings, passes: new Set(passes), seed: 7, crashPoints };
    await derivedPasses({ probe, context, freshStage, passStarted: () => {} });
  } catch (error) {
    if (!(error instanceof PassEnded)) throw error;
    timedOut = error.timedOut;
  } finally {
    for (const disposer of disposers) await disposer();
  }
  const starts = opened.reduce((sum, stateDir) => sum + tearDownWorld(stateDir), 0);
  return { findings, starts, timedOut };
}
