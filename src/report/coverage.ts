import { type CheckStatus, DERIVED_PASSES, type PassName } from '../checks/finding.js';
import type { MethodCoverage, ScenarioResult } from './model.js';

/**
 * How each method fared: the worst status of each pass over all scenarios. `exercised` names the methods that were
 * sent; `known` (a bundle's methods) adds those that nobody sent. Sorted by method.
 */
export function coverageOf(
  scenarios: readonly ScenarioResult[],
  exercised: Iterable<string>,
  known: Iterable<string> = [],
): MethodCoverage[] {
  const sent = new Set(exercised);
  const fromChecks: MethodCoverage[] = scenarios
    .flatMap(({ checks }) => checks)
    .flatMap(({ method, pass, status }) =>
      method === null ? [] : [{ method, exercised: sent.has(method), passes: { [pass]: status } }],
    );
  const named = [...sent, ...known].map((method) => ({ method, exercised: sent.has(method), passes: {} }));
  return mergeCoverage([...named, ...fromChecks]);
}

/** Several coverages as one: a method is exercised if it was anywhere, and each pass keeps its worst status. */
export function mergeCoverage(entries: readonly MethodCoverage[]): MethodCoverage[] {
  const byMethod = new Map<string, { exercised: boolean; passes: Partial<Record<PassName, CheckStatus>> }>();
  for (const entry of entries) {
    const merged = byMethod.get(entry.method) ?? { exercised: false, passes: {} };
    byMethod.set(entry.method, merged);
    merged.exercised ||= entry.exercised;
    for (const [pass, status] of Object.entries(entry.passes) as [PassName, CheckStatus][]) {
      merged.passes[pass] = worse(merged.passes[pass], status);
    }
  }
  return [...byMethod]
    .map(([method, { exercised, passes }]) => ({ method, exercised, passes: inOrder(passes) }))
    .sort((a, b) => (a.method < b.method ? -1 : a.method > b.method ? 1 : 0));
}

/** The passes in the order of the documentation's table; `replay` is the recorded exchange itself. */
export const PASS_ORDER: readonly PassName[] = ['replay', ...DERIVED_PASSES];

/** One order, whatever came first: shards that are merged give the file that one machine would have written. */
function inOrder(passes: MethodCoverage['passes']): MethodCoverage['passes'] {
  return Object.fromEntries(
    PASS_ORDER.flatMap((pass) => (passes[pass] === undefined ? [] : [[pass, passes[pass]]])),
  );
}

/** Worst first. What was judged says more than what did not apply; what could not be probed says less than a pass. */
const WORST_FIRST: readonly CheckStatus[] = ['failed', 'warned', 'untestable', 'passed', 'notApplicable'];

function worse(a: CheckStatus | undefined, b: CheckStatus): CheckStatus {
  return a !== undefined && WORST_FIRST.indexOf(a) <= WORST_FIRST.indexOf(b) ? a : b;
}
