import { coverageOf } from '../report/coverage.js';
import type { Expectation, Report, ScenarioResult } from '../report/model.js';
import { totalsOf, verdictOf } from '../report/verdict.js';
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
  /** Other shards of the run hold the rest of the scenarios. */
  readonly isShard?: boolean;
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
  const asked = askedPasses(setup);
  const circumstances = {
    ...(interruptedBy !== undefined && { endedBy: interruptedBy }),
    ...(asked !== undefined && { askedPasses: asked }),
  };
  // What one shard has nothing to judge for, another may have: that is decided when they are merged.
  const verdict = verdictOf(scenarios, judged.failing, {
    ...circumstances,
    ...(context.isShard && { askedPasses: [] }),
  });
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
    ...verdict,
    ...circumstances,
    totals: totalsOf(scenarios),
    scenarios,
    coverage: { methods: coverageOf(scenarios, outcome.exercised, bundle.methods.keys()) },
    ...(stale.length > 0 && { staleExpectations: stale }),
  };
}

/** Passes that were named. A selection of checks by name has its own say on what was not reached. */
function askedPasses({ passes, asksForPasses, only }: RunSetup): Report['askedPasses'] {
  if (!asksForPasses || passes.size === 0 || only.some(({ namesCheck }) => namesCheck)) return undefined;
  return [...passes];
}
