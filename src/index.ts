import { randomInt } from 'node:crypto';
import { DERIVED_PASSES, type PassName } from './checks/finding.js';
import { bundledServer } from './cli/bundled-server.js';
import { toolIdentity } from './cli/tool-identity.js';
import type { Report, ScenarioResult } from './report/model.js';
import { silentObserver } from './report/observer.js';
import { compilePattern } from './report/pattern.js';
import { KNOWN_SERVERS } from './run/known-servers.js';
import { reportOf } from './run/report-of.js';
import { selectScenarios } from './run/select-scenarios.js';
import type { RunSetup } from './run/setup.js';
import { runSuite } from './run/suite.js';
import { bundledSchemaPath, loadBundle } from './schema/load-bundle.js';
import type { TargetAddress, TargetSpec } from './target/spec.js';
import type { BehaviourName } from './transcript/scenario.js';

export type { CheckStatus, Evidence, PassName, Severity } from './checks/finding.js';
export type { CheckResult, MethodCoverage, Report, ScenarioResult, ScenarioStatus } from './report/model.js';
export type { BehaviourName } from './transcript/scenario.js';
export type { Difference } from './wire/difference.js';

/** What to test and how; everything has the default of the command line. */
export interface ConformanceOptions {
  /** Program and arguments of the server, spawned without a shell; placeholders as on the command line. Default: the bundled server. */
  readonly command?: readonly string[];
  /** Where the server is met, when not over its stdin and stdout. */
  readonly address?: TargetAddress;
  readonly env?: Readonly<Record<string, string>>;
  readonly inheritEnv?: boolean;
  /** The input text that makes the server's model do something on cue. */
  readonly behaviours?: Readonly<Partial<Record<BehaviourName, string>>>;
  /** Folders of scenarios. Default: the bundled ones. */
  readonly scenarios?: readonly string[];
  /** Path of a protocol bundle. Default: the bundled one. */
  readonly schema?: string;
  /** Globs on `scenario` or `scenario:check`. */
  readonly only?: readonly string[];
  readonly skip?: readonly string[];
  /** Derived replays, run whatever a scenario's manifest says. Default: all that it does not leave out. */
  readonly passes?: readonly PassName[];
  readonly workers?: number;
  readonly seed?: number;
  /** Milliseconds; 10 s, 10 s and 5 s by default. */
  readonly timeoutMs?: number;
  readonly startTimeoutMs?: number;
  readonly graceMs?: number;
  readonly signal?: AbortSignal;
  /** Told of each scenario as it ends. */
  readonly onScenario?: (result: ScenarioResult) => void;
}

/**
 * Runs scenarios against a server and gives the report that the command line would write. A server that breaks a
 * promise is a `nonconformant` report, not an exception. Rejects with `InputError`, `BundleError` or `SelectionError`
 * for input that cannot be used.
 *
 * @example
 * const report = await runConformance({ command: ['./my-server', '--stdio'] });
 * if (report.verdict !== 'conformant') process.exitCode = 1;
 */
export async function runConformance(options: ConformanceOptions = {}): Promise<Report> {
  const setup = await setupOf(options);
  const paths = await selectScenarios({ scenarios: options.scenarios ?? [], shard: undefined }, setup);
  const startedAt = new Date();
  const outcome = await runSuite({
    setup,
    paths,
    workers: options.workers ?? 2,
    repeat: 1,
    bail: false,
    observer: { ...silentObserver, scenarioFinished: (result) => options.onScenario?.(result) },
    signal: options.signal ?? new AbortController().signal,
  });
  const interruptedBy = options.signal?.aborted ? 'the caller' : undefined;
  const judged = { scenarios: outcome.scenarios, stale: [], failing: [] };
  return reportOf(outcome, judged, { tool: toolIdentity(), setup, startedAt, interruptedBy });
}

/**
 * The same run as a stream of results, in the order in which scenarios end. The generator's return value is the report.
 *
 * @example
 * for await (const result of streamConformance({ command: ['./my-server'] })) console.log(result.id, result.status);
 */
export async function* streamConformance(
  options: ConformanceOptions = {},
): AsyncGenerator<ScenarioResult, Report> {
  const ready: ScenarioResult[] = [];
  let wake = () => {};
  const report = runConformance({
    ...options,
    onScenario: (result) => {
      options.onScenario?.(result);
      ready.push(result);
      wake();
    },
  });
  let isOver = false;
  const end = report.then(
    () => undefined,
    () => undefined,
  );
  void end.then(() => {
    isOver = true;
    wake();
  });
  while (!isOver || ready.length > 0) {
    const next = ready.shift();
    if (next !== undefined) yield next;
    else
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
  }
  return report;
}

async function setupOf(options: ConformanceOptions): Promise<RunSetup> {
  return {
    target: targetOf(options),
    bundle: await loadBundle(options.schema ?? bundledSchemaPath()),
    passes: new Set(options.passes ?? DERIVED_PASSES),
    asksForPasses: options.passes !== undefined,
    seed: options.seed ?? randomInt(2 ** 31),
    crashPoints: 8,
    ids: 'fresh',
    match: 'conformant',
    require: 'core',
    keep: false,
    only: (options.only ?? []).map(compilePattern),
    skip: (options.skip ?? []).map(compilePattern),
    knownServers: KNOWN_SERVERS,
    rerun: (scenarioId, checkId) => `runConformance({ only: ['${scenarioId}:${checkId}'], … })`,
  };
}

function targetOf(options: ConformanceOptions): TargetSpec {
  const isBundled = options.command === undefined && options.address === undefined;
  const bundled = bundledServer();
  const command = isBundled ? bundled.command : options.command;
  return {
    label: isBundled ? bundled.label : (command?.join(' ') ?? 'a server that is connected to'),
    ...(command !== undefined && { command }),
    address: options.address ?? { kind: 'stdio' },
    env: options.env ?? {},
    inheritEnv: options.inheritEnv ?? false,
    behaviours: options.behaviours ?? {},
    timeoutMs: options.timeoutMs ?? 10_000,
    startTimeoutMs: options.startTimeoutMs ?? 10_000,
    graceMs: options.graceMs ?? 5_000,
  };
}
