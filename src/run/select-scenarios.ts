import { CATALOGUE } from '../checks/catalogue.js';
import { nearest, nearestInFamilies } from '../report/nearest.js';
import type { Pattern } from '../report/pattern.js';
import type { LocatedScenario } from '../transcript/locate-scenario.js';
import { locatedScenarios } from '../transcript/located-scenarios.js';

/** Shard `index` (from 1) of `count`. */
export interface Shard {
  readonly index: number;
  readonly count: number;
}

/** A pattern that means nothing: most likely a misspelt name. */
export class SelectionError extends Error {
  override readonly name = 'SelectionError';
}

/** What selects scenarios and checks. */
export interface Selection {
  readonly only: readonly Pattern[];
  readonly skip: readonly Pattern[];
}

/** The paths of the scenarios that a run is about, in order. Throws `SelectionError` when a pattern means nothing. */
export async function selectScenarios(
  options: { readonly scenarios: readonly string[]; readonly shard: Shard | undefined },
  selection: Selection,
): Promise<string[]> {
  const chosen = selected(await locatedScenarios(options.scenarios), selection);
  return shardOf(chosen, options.shard).map(({ folder, transcriptPath, manifest }) =>
    manifest === undefined ? transcriptPath : folder,
  );
}

/** Those of the scenarios that the patterns select. Throws `SelectionError` when a pattern means nothing. */
export function selected(
  all: readonly LocatedScenario[],
  { only, skip }: Selection,
): readonly LocatedScenario[] {
  for (const pattern of only) assertSelects(pattern, all);
  for (const pattern of only) assertNamesCheck('--only', pattern);
  for (const pattern of skip) assertNamesCheck('--skip', pattern);
  return all.filter(({ id }) => {
    const isSkipped = skip.some((pattern) => !pattern.namesCheck && pattern.matchesScenario(id));
    return !isSkipped && (only.length === 0 || only.some((pattern) => pattern.matchesScenario(id)));
  });
}

function assertNamesCheck(option: string, { text, namesCheck, matchesCheckId }: Pattern): void {
  const ids = [...CATALOGUE.keys()];
  if (!namesCheck || ids.some(matchesCheckId)) return;
  const check = text.slice(text.indexOf(':') + 1);
  const close = nearestInFamilies(check, ids);
  const hint = close === undefined ? 'See msp-conformance list checks.' : `Did you mean ${close}?`;
  throw new SelectionError(
    `${option} ${JSON.stringify(text)}: there is no check ${JSON.stringify(check)}. ${hint}`,
  );
}

function assertSelects(pattern: Pattern, all: readonly LocatedScenario[]): void {
  if (all.some(({ id }) => pattern.matchesScenario(id))) return;
  const name = pattern.text.split(':')[0] ?? '';
  const close = nearest(
    name,
    all.map(({ id }) => id),
  );
  const hint = close === undefined ? 'See msp-conformance list.' : `Did you mean ${close}?`;
  throw new SelectionError(`--only ${JSON.stringify(pattern.text)} selects no scenario. ${hint}`);
}

/** Every n-th scenario, the costly ones dealt out first, so that shards take about the same time. */
function shardOf(all: readonly LocatedScenario[], shard: Shard | undefined): readonly LocatedScenario[] {
  if (shard === undefined) return all;
  const loads = Array.from({ length: shard.count }, (): { cost: number; ids: Set<string> } => ({
    cost: 0,
    ids: new Set(),
  }));
  for (const scenario of [...all].sort((a, b) => costOf(b) - costOf(a))) {
    const lightest = loads.reduce((a, b) => (b.cost < a.cost ? b : a));
    lightest.cost += costOf(scenario);
    lightest.ids.add(scenario.id);
  }
  return all.filter(({ id }) => loads[shard.index - 1]?.ids.has(id));
}

/** The recorded duration of a whole run of the scenario, where the manifest states it, in milliseconds. */
function costOf({ manifest }: LocatedScenario): number {
  return manifest?.conformance?.durationMs ?? 1_000;
}
