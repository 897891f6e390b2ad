import { identityOf } from '../checks/rules/live-events.js';
import { isRecord, type LiveEvent } from '../replay/exchange.js';
import { compareExact, exactEqual } from '../wire/compare.js';
import type { Difference } from '../wire/difference.js';
import type { ExactJson } from '../wire/exact-json.js';
import { LiveEvents } from './live-events.js';
import { isTurnEnd } from './quiesce.js';
import type { ViewEvent } from './view.js';

/** Told to every connection whether it follows the session or not, and never told again. */
const BROADCASTS: ReadonlySet<string> = new Set([
  'session/started',
  'session/closed',
  'session/statusChanged',
  'session/listChanged',
]);

/** The part of a session's view that two connections were told: from the first event of a turn to the end of another. */
export interface Stretch {
  readonly sessionId: string;
  readonly fromTurn: string;
  readonly toTurn: string;
}

/**
 * What a connection was told of a stretch and every other connection has to be told too: events that come from a
 * record, each once. Deltas and the opening of items that stream may be dropped or cut otherwise for one connection.
 */
export function durableStretch(
  events: readonly LiveEvent[],
  { sessionId, fromTurn, toTurn }: Stretch,
): readonly ViewEvent[] {
  const durable = new LiveEvents()
    .fresh(events.filter(({ params }) => params['sessionId'] === sessionId))
    .filter(({ method, params }) => Object.hasOwn(params, 'sourceRange') && !BROADCASTS.has(method));
  const first = durable.findIndex(({ params }) => isOfTurn(params, fromTurn));
  const last = durable.findIndex((event) => isTurnEnd(event, toTurn));
  return first < 0 ? [] : durable.slice(first, last + 1);
}

/** True when the server announced that it left events out for this connection. */
export function hasGap(events: readonly LiveEvent[], sessionId: string): boolean {
  return events.some(({ method, params }) => method === 'view/gap' && params['sessionId'] === sessionId);
}

export type Disagreement =
  /** Another event, another cursor, one too few or too many: the views are not one. */
  | { readonly kind: 'other'; readonly message: string }
  /** The same event at the same cursor with other members, of which less is promised. */
  | { readonly kind: 'content'; readonly message: string; readonly differences: readonly Difference[] };

/** The first place where two tellings of one stretch are not the same; undefined when they agree. */
export function disagreement(
  here: readonly ViewEvent[],
  there: readonly ViewEvent[],
): Disagreement | undefined {
  for (let index = 0; index < Math.max(here.length, there.length); index += 1) {
    const [one, other] = [here[index], there[index]];
    if (one !== undefined && other !== undefined && isSame(one, other)) continue;
    const message = `Where the first connection has ${named(one)}, the second has ${named(other)}.`;
    return { kind: 'other', message };
  }
  const index = here.findIndex(({ params }, at) => !exactEqual(asExact(params), asExact(there[at]?.params)));
  const [one, other] = [here[index], there[index]];
  if (one === undefined || other === undefined) return undefined;
  return {
    kind: 'content',
    message: `The two connections have ${named(one)} with different members.`,
    differences: compareExact(asExact(one.params), asExact(other.params)),
  };
}

function isSame(one: ViewEvent, other: ViewEvent): boolean {
  const isOneEvent = identityOf(one.method, one.params) === identityOf(other.method, other.params);
  return isOneEvent && one.cursor === other.cursor;
}

function named(event: ViewEvent | undefined): string {
  if (event === undefined) return 'nothing more';
  return `${identityOf(event.method, event.params)} at the cursor ${event.cursor}`;
}

function isOfTurn(params: ViewEvent['params'], turnId: string): boolean {
  return params['turnId'] === turnId || (isRecord(params['item']) && params['item']['turnId'] === turnId);
}

function asExact(params: ViewEvent['params'] | undefined): ExactJson {
  return (params ?? null) as ExactJson;
}
