import { Fault } from '../errors.mjs';
import { between, may, need, oneOf, take, text } from '../params.mjs';
import { openOnes } from '../views.mjs';

/** @typedef {import('../connection.mjs').Connection} Connection */
/** @typedef {import('../admission.mjs').Reply} Reply */
/** @typedef {import('../session.mjs').Session} Session */

/** Pages are short whatever was asked for. */
const PAGE_MAX = 16;

export const viewMethods = {
  'view/page': page,
  'view/subscribe': subscribe,
  'view/unsubscribe': unsubscribe,
};

/**
 * Lets a connection follow a session, unless it does already, and presents again what waits for the user.
 * @param {Connection} connection @param {Session} session @param {number | undefined} after replays what came after
 */
export function follow(connection, session, after) {
  if (!session.followers.has(connection)) session.attach(connection, after);
  const { approvals, prompts } = session.state;
  for (const { body, seq } of [...openOnes(approvals), ...openOnes(prompts)]) {
    const kind = 'approvalId' in body ? 'approval' : 'userInput';
    connection.ask(`${kind}/request`, session.render({ seq, method: `${kind}/requested`, body }));
  }
}

/** @param {string} sessionId @param {string} anchor @returns {Fault} */
export function missingAnchor(sessionId, anchor) {
  return new Fault('notFound', 'That place is not on my map.', {
    reason: 'missingAnchor',
    anchor,
    sessionId,
  });
}

/** @param {Connection} connection @param {any} raw @returns {Reply} */
function page(connection, raw) {
  const params = take(raw, {
    sessionId: need(text),
    limit: need(between(1, 1000)),
    cursor: may(text),
    direction: may(oneOf('forward', 'backward')),
    anchor: may(oneOf('latestCompaction')),
  });
  const session = connection.host.loaded(params['sessionId']);
  if (params['anchor'] !== undefined) refuseAnchor(params['cursor']);
  const isForward = params['direction'] !== 'backward';
  const at = placeOf(session, params['cursor']) ?? (isForward ? 0 : Number.POSITIVE_INFINITY);
  const ahead = session.state.events.filter(({ seq }) => (isForward ? seq > at : seq < at));
  const size = Math.min(params['limit'], PAGE_MAX);
  const events = isForward ? ahead.slice(0, size) : ahead.slice(-size);
  const edge = isForward ? events.at(-1) : events[0];
  const hasMore = events.length < ahead.length;
  return {
    result: {
      nextCursor: hasMore && edge !== undefined ? session.cursor(edge.seq) : null,
      events: events.map((event) => ({ params: session.render(event), method: event.method })),
    },
  };
}

/** @param {string | undefined} cursor @returns {never} */
function refuseAnchor(cursor) {
  if (cursor !== undefined) throw new Fault('invalidParams', 'Either an anchor or a cursor.');
  throw new Fault('noBoundary', 'Nothing was ever compacted.', { anchor: null, latestBoundaryCursor: null });
}

/** Replays before it answers. @param {Connection} connection @param {any} raw @returns {Reply} */
function subscribe(connection, raw) {
  const { sessionId, after } = take(raw, { sessionId: need(text), after: may(text) });
  const session = connection.host.loaded(sessionId);
  const place = placeOf(session, after);
  const viewCursor = session.head;
  session.attach(connection, place);
  return { result: { viewCursor }, afterAck: () => follow(connection, session, undefined) };
}

/** @param {Connection} connection @param {any} raw @returns {Reply} */
function unsubscribe(connection, raw) {
  const { sessionId } = take(raw, { sessionId: need(text) });
  connection.host.loaded(sessionId).followers.delete(connection);
  return { result: {} };
}

/** @param {Session} session @param {string | undefined} cursor @returns {number | undefined} */
function placeOf(session, cursor) {
  if (cursor === undefined) return undefined;
  const place = session.position(cursor);
  if (place === undefined) throw missingAnchor(session.id, cursor);
  return place;
}
