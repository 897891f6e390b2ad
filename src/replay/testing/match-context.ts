import { bundledSchemaPath, loadBundle } from '../../schema/load-bundle.js';
import type { Difference } from '../../wire/difference.js';
import { parseExact } from '../../wire/exact-json.js';
import { Bindings } from '../bindings.js';
import { type MatchContext, matchValue } from '../match.js';
import { isPromisedEvent } from '../promises.js';

export const bundle = await loadBundle(bundledSchemaPath());

/** A context in which nothing has been sent and nothing is bound. */
export function matchContext(changes: Partial<MatchContext> = {}): MatchContext {
  const bindings = changes.bindings ?? new Bindings();
  return {
    bundle,
    bindings,
    mode: 'conformant',
    sent: new Set(),
    live: (recorded, menu) => bindings.liveOf(recorded, menu) ?? recorded,
    isEchoTurn: () => false,
    owes: isPromisedEvent,
    paged: new Set(),
    diedTurns: new Set(),
    isEphemeral: false,
    overrides: [],
    bindsMinted: true,
    ...changes,
  };
}

/** Where a value stands in the protocol: the result of a method, the params of a notification or server request, an error. */
export type Place = `result ${string}` | `event ${string}` | `request ${string}` | 'error';

/** Both values as JSON text, so that numbers are those of the wire. */
export function differencesAt(
  place: Place,
  recorded: string,
  live: string,
  context: MatchContext = matchContext(),
): Difference[] {
  const [kind, method = ''] = place.split(' ');
  const root = {
    result: () => bundle.resultRoot(method),
    event: () => bundle.notificationRoot(method),
    request: () => bundle.requestRoot(method),
    error: () => bundle.errorRoot(),
  }[kind as 'result' | 'event' | 'request' | 'error']();
  if (root === undefined) throw new Error(`the bundle has no ${place}`);
  return matchValue(parseExact(recorded).value, parseExact(live).value, root, context);
}

export function pathsOf(differences: readonly Difference[]): string[] {
  return differences.map(({ kind, path }) => `${kind} ${path}`);
}
