import type { Bundle } from './bundle.js';
import { validatorFor } from './validate.js';

/** A surface that a connection may only use after `experimentalApi: true`. */
export interface ExperimentalUse {
  /** JSON Pointer into the params; empty for the method itself. */
  readonly path: string;
  /** The surface's name, as `data.descriptor` of an `experimentalRequired` error gives it. */
  readonly descriptor: string;
}

/** Which experimental surfaces a client request uses: the method, members, variants. Empty for most requests. */
export function experimentalUses(
  bundle: Bundle,
  method: string,
  params: unknown,
): readonly ExperimentalUse[] {
  const entry = bundle.methods.get(method);
  if (entry === undefined) return [];
  const ofMethod =
    entry.stability === 'experimental' ? [{ path: '', descriptor: entry.descriptor ?? method }] : [];
  const { notes } = validatorFor(bundle).validateParams(method, params);
  const inParams = notes
    .filter((issue) => issue.rule === 'experimental')
    .map(({ path, descriptor = method }) => ({ path, descriptor }));
  return [...ofMethod, ...inParams.filter((use) => !ofMethod.some((known) => known.path === use.path))];
}
