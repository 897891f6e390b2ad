import { replay, sign } from '../admission.mjs';
import { Fault } from '../errors.mjs';
import { uuid7 as mint } from '../ids.mjs';
import { COMMAND, flag, may, object, take, text } from '../params.mjs';
import { history } from '../views.mjs';
import { found, rejoin } from './founding.mjs';

/** @typedef {import('../session.mjs').Session} Session */

export const forkMethods = { 'session/fork': forkSession };

/** @param {import('../connection.mjs').Connection} connection @param {any} raw @returns {import('../admission.mjs').Reply} */
function forkSession(connection, raw) {
  const { host } = connection;
  const params = take(raw, { ...COMMAND, cutPoint: may(isCut), excludeItems: may(flag) });
  const { commandId, sessionId, cutPoint } = params;
  const signature = sign('session/fork', params);
  const known = host.ledger.get(commandId);
  if (known !== undefined) return rejoin(connection, replay(commandId, known, signature));
  const source = host.loaded(sessionId);
  const { born, model, mode, events, turns } = source.state;
  const cut = cutAt(source, cutPoint?.lastTurnId);
  const inherited = events.filter(({ seq }) => seq <= cut);
  const named = new Set(inherited.map(({ body }) => body['turnId']));
  return found(connection, {
    method: 'session/fork',
    commandId,
    signature,
    id: mint(),
    born: {
      ...model,
      workspaceRoot: born.workspaceRoot,
      mode: mode.mode,
      forkedFrom: {
        sessionId,
        commandId,
        cutCursor: source.cursor(cut),
        cutExplicit: cutPoint !== undefined,
      },
    },
    inherited,
    turns: [...turns.values()].filter(({ turnId }) => named.has(turnId)),
    more: (session) => ({
      pendingRequests: [],
      history: history(session.id, session.state, {
        fallback: host.historyForm,
        isExcluded: params['excludeItems'] === true,
        head: session.head,
      }),
    }),
  });
}

/** The place of the last event that a fork takes. @param {Session} source @param {string} [lastTurnId] @returns {number} */
function cutAt(source, lastTurnId) {
  const ends = source.state.events.filter(({ method }) => method === 'turn/completed');
  const end = lastTurnId === undefined ? ends.at(-1) : ends.find(({ body }) => body['turnId'] === lastTurnId);
  if (end !== undefined) return end.seq;
  if (lastTurnId !== undefined) throw new Fault('forkBoundaryInvalid', 'Cannot cut there.', { lastTurnId });
  return source.state.born.seq;
}

/** @param {unknown} value */
function isCut(value) {
  return object(value) && text(/** @type {any} */ (value).lastTurnId);
}
