import type { Manifest } from '../transcript/scenario.js';
import type { Path } from './match.js';
import type { MemberRole } from './members.js';

/** Path patterns of a scenario's manifest, each with the role that it gives to what it matches. */
export type PathOverrides = readonly {
  readonly steps: readonly string[];
  readonly role: MemberRole | 'ignore';
}[];

/**
 * The overrides of a manifest: `conformance.match` and the published `normalize` list, whose entries are paths of
 * minted values. Patterns are dotted and rooted at the frame (`params.item.text`); `*` stands for one step.
 */
export function overridesOf(manifest: Manifest | undefined): PathOverrides {
  const match = manifest?.conformance?.match;
  const entries: [readonly string[] | undefined, MemberRole | 'ignore'][] = [
    [match?.ignore, 'ignore'],
    [match?.bind, 'minted'],
    [match?.shape, 'volatile'],
    [manifest?.normalize?.filter((path) => path !== 'id'), 'minted'],
  ];
  return entries.flatMap(([paths, role]) => (paths ?? []).map((path) => ({ steps: path.split('.'), role })));
}

/** The role that the manifest gives to a path of a frame, if it speaks of it. */
export function overriddenRole(overrides: PathOverrides, path: Path): MemberRole | 'ignore' | undefined {
  return overrides.find(({ steps }) => matches(steps, path))?.role;
}

function matches(steps: readonly string[], path: Path): boolean {
  return (
    steps.length === path.length && steps.every((step, index) => step === '*' || step === String(path[index]))
  );
}
