import type { CheckStatus } from '../checks/finding.js';
import { coverageOf } from '../report/coverage.js';
import type { Expectation, Report, ScenarioResult } from '../report/model.js';
import { type Outcome, totalsOf, verdictOf } from '../report/verdict.js';
import { transportOf } from '../target/spec.js';
import type { RunSetup } from './setup.js';
import type { SuiteOutcome } from './suite.js';

/** What a report says of a run beyond the results of its scenarios. */
export interface ReportContext {
  readonly tool: Report['tool'];
  readonly setup: RunSetup;
  readonly startedAt: Date;
  /** The signal that cut the run short, if one did. */
  readonly interruptedBy?: string | undefined;
}

/** Results after expected failures have been taken into account. */
export interface JudgedResults {
  readonly scenarios: readonly ScenarioResult[];
  /** Expectations that no longer hold, to be listed. */
  readonly stale: readonly Expectation[];
  /** Those of them that fail the run. */
  readonly failing: readonly Expectation[];
}

/** The report of a run. A run that was cut short is never conformant. */
export function reportOf(outcome: SuiteOutcome, judged: JudgedResults, context: ReportContext): Report {
  const { setup, startedAt, interruptedBy } = context;
  const { target, bundle } = setup;
  const { scenarios, stale } = judged;
  const verdict = verdictOfPasses(verdictOf(scenarios, judged.failing), scenarios, setup);
  // A violation that was found is one; anything else says only how far the run came.
  const isCut = interruptedBy !== undefined && verdict.verdict !== 'nonconformant';
  const { identity } = outcome;
  const served = identity?.fingerprint ?? null;
  return {
    formatVersion: 1,
    tool: context.tool,
    target: {
      label: target.label,
      transport: transportOf(target),
      command: target.command ?? null,
      serverInfo: identity === undefined ? null : { name: identity.name, version: identity.version },
      sessionDurability: identity?.sessionDurability ?? null,
    },
    schema: {
      path: bundle.path,
      fingerprint: bundle.fingerprint,
      served,
      match: served === bundle.fingerprint,
    },
    startedAt: startedAt.toISOString(),
    durationMs: Date.now() - startedAt.getTime(),
    seed: setup.seed,
    ...(isCut
      ? { verdict: 'incomplete' as const, reason: `the run was ended by ${interruptedBy}` }
      : verdict),
    totals: totalsOf(scenarios),
    scenarios,
    coverage: { methods: coverageOf(scenarios, outcome.exercised, bundle.methods.keys()) },
    ...(stale.length > 0 && { staleExpectations: stale }),
  };
}

/**
 * Passes that were named and judged nothing anywhere are no conformance. How the process ended at the end of a pass
 * says nothing of the pass. A selection of checks by name has its own say on what was not reached.
 */
function verdictOfPasses(
  outcome: Outcome,
  scenarios: readonly ScenarioResult[],
  { passes, asksForPasses, only }: RunSetup,
): Outcome {
  const isOpen = outcome.verdict === 'conformant' && asksForPasses && passes.size > 0;
  if (!isOpen || only.some(({ namesCheck }) => namesCheck)) return outcome;
  const wasRun = scenarios.some(({ checks }) =>
    checks.some(
      ({ id, pass, status }) => passes.has(pass) && !id.startsWith('process/') && JUDGED.has(status),
    ),
  );
  if (wasRun) return outcome;
  const named = [...passes].join(', ');
  const reason = `none of the passes that were asked for (${named}) had anything to judge in the selected scenarios`;
  return { verdict: 'incomplete', reason };
}

const JUDGED: ReadonlySet<CheckStatus> = new Set(['passed', 'warned', 'failed']);
