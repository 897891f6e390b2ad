import { loadScenario } from '../transcript/load-scenario.js';
import { writeManifest } from '../transcript/manifest.js';
import type { ConformanceSection, Manifest, Scenario } from '../transcript/scenario.js';
import type { Difference } from '../wire/difference.js';
import { type BlamedFailure, blames } from './blame.js';
import { type Rehearsal, type RehearsalSetup, rehearse } from './rehearse.js';
import { mintedPaths, pathPattern } from './varying-paths.js';

/** One thing that was learned about a scenario, as its manifest keeps it in `conformance.learned`. */
export interface Learned {
  readonly path: string;
  /** The list that the path was put in. */
  readonly entry: 'normalize' | 'shape' | 'ignore';
  readonly note: string;
}

export interface Verified {
  readonly learned: readonly Learned[];
  /** Of the last run, with all that was learned; empty when the scenario now passes. */
  readonly failures: readonly BlamedFailure[];
}

/**
 * Drives a scenario's client side `runs` more times, learns which values of the server differ from run to run, writes
 * that into the manifest, and drives it once more. What breaks a rule of the protocol is never learned away.
 */
export async function verify(folder: string, runs: number, setup: RehearsalSetup): Promise<Verified> {
  const scenario = await loadScenario(folder);
  const rehearsals: Rehearsal[] = [];
  for (let run = 0; run < runs; run += 1) rehearsals.push(await rehearse(scenario, setup));
  const learned = [...mintedEntries(scenario, rehearsals), ...variedEntries(scenario, rehearsals, setup)];
  if (learned.length > 0) await writeManifest(scenario.folder, withLearned(scenario, learned));
  const { failures } = await rehearse(await loadScenario(folder), setup);
  return { learned, failures: blames(failures, scenario, setup.bundle) };
}

function mintedEntries({ steps, manifest }: Scenario, rehearsals: readonly Rehearsal[]): Learned[] {
  const paths = mintedPaths([steps, ...rehearsals.map(({ spoken }) => spoken)]);
  const isKnown = (path: string) => manifest?.normalize?.includes(path);
  return paths
    .filter((path) => !isKnown(path))
    .map((path) => ({
      path,
      entry: 'normalize',
      note: `another UUID in each of ${rehearsals.length + 1} runs`,
    }));
}

/** What the rules of a replay do not forgive, although neither side is at fault. */
function variedEntries(
  scenario: Scenario,
  rehearsals: readonly Rehearsal[],
  { bundle }: RehearsalSetup,
): Learned[] {
  const runsOf = new Map<string, { readonly entry: 'shape' | 'ignore'; readonly runs: Set<number> }>();
  for (const [run, { failures }] of rehearsals.entries()) {
    const fair = blames(failures, scenario, bundle).filter(({ blame }) => blame === 'neither');
    for (const difference of fair.flatMap(({ failure }) => (failure.differences ?? []).filter(isLearnable))) {
      const path = pathPattern(difference.path);
      const known = runsOf.get(path) ?? { entry: entryFor(difference), runs: new Set() };
      const entry = known.entry === 'ignore' ? known.entry : entryFor(difference);
      runsOf.set(path, { entry, runs: known.runs.add(run) });
    }
  }
  return [...runsOf].map(([path, { entry, runs }]) => ({
    path,
    entry,
    note: `was not as recorded in ${runs.size} of ${rehearsals.length} runs`,
  }));
}

/** A whole result or error, or whole params, is what a scenario is about. */
function isLearnable({ path }: Difference): boolean {
  return path.split('/').length > 2;
}

function entryFor({ kind, expected, actual }: Difference): 'shape' | 'ignore' {
  return kind === 'changed' && typeof expected === typeof actual ? 'shape' : 'ignore';
}

function withLearned({ id, manifest = {} }: Scenario, learned: readonly Learned[]): Manifest {
  const section: ConformanceSection & { readonly learned?: readonly Learned[] } = manifest.conformance ?? {};
  const pathsOf = (entry: Learned['entry'], known: readonly string[] = []) => [
    ...new Set([...known, ...learned.filter((item) => item.entry === entry).map(({ path }) => path)]),
  ];
  const { match = {} } = section;
  const [shape, ignore] = [pathsOf('shape', match.shape), pathsOf('ignore', match.ignore)];
  const overrides = {
    ...match,
    ...(shape.length > 0 && { shape }),
    ...(ignore.length > 0 && { ignore }),
  };
  return {
    ...manifest,
    scenario: manifest.scenario ?? id,
    normalize: pathsOf('normalize', manifest.normalize),
    conformance: {
      ...section,
      ...(Object.keys(overrides).length > 0 && { match: overrides }),
      learned: [...(section.learned ?? []), ...learned],
    } as ConformanceSection,
  };
}
