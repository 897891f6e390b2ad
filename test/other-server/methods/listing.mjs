import { Fault } from '../errors.mjs';
import { between, list, may, mayBeNull, object, take, text } from '../params.mjs';
import { readState, sessionObject } from '../views.mjs';

const DEFAULT_LIMIT = 50;

export const listMethods = { 'session/list': listSessions };

/** @param {import('../connection.mjs').Connection} connection @param {any} raw @returns {import('../admission.mjs').Reply} */
function listSessions({ host }, raw = {}) {
  const params = take(raw, {
    limit: may(between(1, 200)),
    cursor: mayBeNull(text),
    workspaceRoot: may(text),
    updatedAfter: may(text),
    filter: may(object),
  });
  const { limit = DEFAULT_LIMIT, workspaceRoot, updatedAfter } = params;
  const filter =
    params['filter'] === undefined ? undefined : take(params['filter'], { sessionId: may(isIdFilter) });
  const start = offsetOf(params['cursor']);
  const wanted = filter?.['sessionId']?.anyOf;
  const all = host
    .storedIds()
    .map((id) => describe(host, id))
    .filter((session) => workspaceRoot === undefined || session.workspaceRoot === workspaceRoot)
    .filter(
      (session) => updatedAfter === undefined || Date.parse(session.updatedAt) > Date.parse(updatedAfter),
    )
    .filter((session) => wanted === undefined || wanted.includes(session.sessionId))
    .sort((one, other) => Date.parse(other.updatedAt) - Date.parse(one.updatedAt));
  const next = start + limit;
  return {
    result: {
      sessions: all.slice(start, next),
      nextCursor: next < all.length ? Buffer.from(`from ${next}`).toString('base64url') : null,
      ...(filter === undefined ? {} : { appliedFilter: filter }),
    },
  };
}

/** @param {import('../host.mjs').Host} host @param {string} id */
function describe(host, id) {
  const live = host.sessions.get(id);
  if (live !== undefined) return host.describe(live);
  return sessionObject(id, readState(host.pathOf(id)), { path: host.pathOf(id), isLoaded: false });
}

/** @param {string | undefined} cursor @returns {number} */
function offsetOf(cursor) {
  if (cursor === undefined) return 0;
  const offset = /^from (\d+)$/.exec(Buffer.from(cursor, 'base64url').toString())?.[1];
  if (offset === undefined) throw new Fault('invalidParams', 'That is no page of mine.');
  return Number(offset);
}

/** @param {unknown} value */
function isIdFilter(value) {
  return object(value) && list(text)(/** @type {any} */ (value).anyOf);
}
