import { coverageOf } from '../report/coverage.js';
import { certainlyStale } from '../report/expected-failures.js';
import { exitCodeOf, strictly, totalsOf, verdictOf } from '../report/verdict.js';
import { type Pattern, compilePattern } from '../report/pattern.js';
import type { Report } from '../report/model.js';
import { REFERENCE_BEHAVIOURS, SERVER_NAME } from '../reference/behaviours.js';
import { runSuite, type SuiteOutcome } from '../run/suite.js';
import type { RunSetup } from '../run/setup.js';
import type { Bundle } from '../schema/bundle.js';
import { bundledSchemaPath, loadBundle } from '../schema/load-bundle.js';
import { transportOf } from '../target/spec.js';
import { judgeBaseline } from './baseline.js';
import type { CliContext } from './context.js';
import { ExitCode } from './exit-codes.js';
import { interruptible } from './interrupt.js';
import { printReport } from './print-report.js';
import { progressOn, stderrScreen } from './progress.js';
import { rerunCommand } from './rerun.js';
import type { RunOptions } from './run-options.js';
import { selectScenarios } from './select-scenarios.js';
import { toolIdentity } from './tool-identity.js';

/** The main job: run the selected scenarios, write the reports, and give the exit code. */
export async function runCommand(options: RunOptions, context: CliContext): Promise<number> {
  const bundle = await loadBundle(options.schema ?? bundledSchemaPath());
  const patterns = { only: options.only.map(compilePattern), skip: options.skip.map(compilePattern) };
  const paths = await selectScenarios(options, patterns);
  const setup = setupOf(options, bundle, patterns);
  const observer = progressOn(stderrScreen(context.env), options.quiet);
  const startedAt = new Date();
  const { outcome, interruptedBy } = await interruptible(async (signal) => {
    observer.runStarted({ scenarios: paths.map(idOf), workers: options.workers });
    const { workers, repeat, bail } = options;
    try {
      return await runSuite({ setup, paths, workers, repeat, bail, observer, signal });
    } finally {
      observer.runFinished();
    }
  });
  const report = await reportOf(outcome, options, bundle, startedAt, interruptedBy);
  await printReport(report, options, context);
  if (interruptedBy === 'SIGINT') return ExitCode.interrupted;
  if (interruptedBy === 'SIGTERM') return ExitCode.terminated;
  return exitCodeOf(report);
}

function setupOf(options: RunOptions, bundle: Bundle, patterns: { only: readonly Pattern[]; skip: readonly Pattern[] }): RunSetup {
  const { target, seed, ids, match, require, keep } = options;
  return {
    target,
    bundle,
    passes: new Set(options.passes),
    seed,
    crashPoints: options.crashPoints,
    ids,
    match,
    require,
    keep,
    ...patterns,
    knownServers: new Map([[SERVER_NAME, { behaviours: REFERENCE_BEHAVIOURS, readsFrameLimit: true }]]),
    rerun: (scenarioId, checkId) => rerunCommand(options, scenarioId, checkId),
  };
}

async function reportOf(
  outcome: SuiteOutcome,
  options: RunOptions,
  bundle: Bundle,
  startedAt: Date,
  interruptedBy: string | undefined,
): Promise<Report> {
  const results = options.strict ? strictly(outcome.scenarios) : outcome.scenarios;
  const { scenarios, stale } = await judgeBaseline(results, options);
  // One shard does not hold every scenario that a glob of the baseline means.
  const judged = verdictOf(scenarios, options.shard === undefined ? stale : certainlyStale(stale));
  const isCut = interruptedBy !== undefined && judged.verdict === 'conformant';
  const verdict = isCut ? { verdict: 'incomplete' as const, reason: `the run was ended by ${interruptedBy}` } : judged;
  const { identity } = outcome;
  const served = identity?.fingerprint ?? null;
  return {
    formatVersion: 1,
    tool: toolIdentity(),
    target: {
      label: options.target.label,
      transport: transportOf(options.target),
      command: options.target.command ?? null,
      serverInfo: identity === undefined ? null : { name: identity.name, version: identity.version },
      sessionDurability: identity?.sessionDurability ?? null,
    },
    schema: { path: bundle.path, fingerprint: bundle.fingerprint, served, match: served === bundle.fingerprint },
    startedAt: startedAt.toISOString(),
    durationMs: Date.now() - startedAt.getTime(),
    seed: options.seed,
    ...verdict,
    totals: totalsOf(scenarios),
    scenarios,
    coverage: { methods: coverageOf(scenarios, outcome.exercised, bundle.methods.keys()) },
    ...(stale.length > 0 && { staleExpectations: stale }),
  };
}

function idOf(path: string): string {
  return path.split('/').at(-1) ?? path;
}

