import { resolve } from 'node:path';
import { DERIVED_PASSES } from '../checks/finding.js';
import type { ScenarioResult } from '../report/model.js';
import { compilePattern } from '../report/pattern.js';
import { certainlyStale, type RunScope } from '../report/stale.js';
import { exitCodeOf, strictly } from '../report/verdict.js';
import { KNOWN_SERVERS } from '../run/known-servers.js';
import { reportOf } from '../run/report-of.js';
import { selectScenarios } from '../run/select-scenarios.js';
import type { RunSetup } from '../run/setup.js';
import { runSuite, type SuiteOutcome } from '../run/suite.js';
import { bundledSchemaPath, loadBundle } from '../schema/load-bundle.js';
import { excused, judgeBaseline, openBaseline } from './baseline.js';
import type { CliContext } from './context.js';
import { ExitCode } from './exit-codes.js';
import { interruptible } from './interrupt.js';
import { printReport } from './print-report.js';
import { asJudged, progressOn, stderrScreen } from './progress.js';
import { rerunCommand } from './rerun.js';
import type { RunOptions } from './run-options.js';
import { showCommands } from './show-commands.js';
import { toolIdentity } from './tool-identity.js';

/** The main job: run the selected scenarios, write the reports, and give the exit code. */
export async function runCommand(options: RunOptions, context: CliContext): Promise<number> {
  const setup = await setupOf(options);
  const paths = await selectScenarios(options, setup);
  const baseline = await openBaseline(options);
  if (options.verbose) showCommands(options.target, context);
  const judge = (result: ScenarioResult) => excused(options.strict ? strictly(result) : result, baseline);
  const observer = asJudged(progressOn(stderrScreen(context.env), options.quiet), judge);
  const startedAt = new Date();
  const { outcome, interruptedBy } = await interruptible((signal) => {
    const { workers, repeat, bail } = options;
    return runSuite({ setup, paths, workers, repeat, bail, judge, observer, signal });
  });
  const results = options.strict ? outcome.scenarios.map(strictly) : outcome.scenarios;
  const { scenarios, stale } = await judgeBaseline(
    results,
    baseline,
    options,
    scopeOf(options, paths, outcome),
  );
  // One shard does not hold every scenario that a glob of the baseline means.
  const failing = options.shard === undefined ? stale : certainlyStale(stale);
  const report = reportOf(
    outcome,
    { scenarios, stale, failing },
    { tool: toolIdentity(), setup, startedAt, interruptedBy, isShard: options.shard !== undefined },
  );
  await printReport(report, options, context);
  if (interruptedBy === 'SIGINT') return ExitCode.interrupted;
  if (interruptedBy === 'SIGTERM') return ExitCode.terminated;
  return exitCodeOf(report);
}

/** What the run leaves out. A scenario that is given by its own path is one of a suite that is not at hand. */
function scopeOf(
  { only, skip, scenarios, passes }: RunOptions,
  paths: readonly string[],
  { cutShort }: SuiteOutcome,
): RunScope {
  const selects = [...only, ...skip].map(compilePattern);
  return {
    allScenarios:
      !cutShort && selects.length === 0 && !scenarios.some((path) => paths.includes(resolve(path))),
    allChecks: !selects.some(({ namesCheck }) => namesCheck),
    withoutPasses: new Set(DERIVED_PASSES.filter((pass) => !passes.includes(pass))),
  };
}

async function setupOf(options: RunOptions): Promise<RunSetup> {
  const { target, seed, crashPoints, ids, match, require, keep, passes, asksForPasses, only, skip } = options;
  return {
    target,
    bundle: await loadBundle(options.schema ?? bundledSchemaPath()),
    passes: new Set(passes),
    asksForPasses,
    seed,
    crashPoints,
    ids,
    match,
    require,
    keep,
    only: only.map(compilePattern),
    skip: skip.map(compilePattern),
    knownServers: KNOWN_SERVERS,
    rerun: (scenarioId, checkId) => rerunCommand(options, scenarioId, checkId),
  };
}
