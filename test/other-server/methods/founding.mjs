import { intake } from '../admission.mjs';
import { apply } from '../fold.mjs';
import { timestamp } from '../ids.mjs';
import { proceed } from '../recovery.mjs';
import { follow } from './viewing.mjs';

/** @typedef {import('../connection.mjs').Connection} Connection */
/** @typedef {import('../admission.mjs').Reply} Reply */
/** @typedef {import('../session.mjs').Session} Session */

/**
 * @typedef {object} Founding
 * @property {string} method the command's
 * @property {string} commandId
 * @property {string} signature
 * @property {string} id the new session's
 * @property {Record<string, any>} born
 * @property {import('../fold.mjs').Turn[]} [turns] of another session
 * @property {import('../fold.mjs').ViewEvent[]} [inherited] that session's events
 * @property {(session: Session) => Record<string, any>} [more] members of the result
 */

/**
 * Founds a session: its birth, what it inherits and the command's intake are one transaction; everyone hears of it after
 * the response.
 * @param {Connection} connection @param {Founding} founding @returns {Reply}
 */
export function found(
  connection,
  { method, commandId, signature, id, born, turns = [], inherited = [], more },
) {
  const { host } = connection;
  const session = host.create(id);
  const entries = [
    { t: 'born', ...born, at: timestamp(), seq: session.nextSeq(), client: connection.client },
    ...turns.map((turn) => ({ t: 'running', turn })),
    ...inherited.map((event) => session.event(event.method, event.body)),
  ];
  for (const entry of entries) apply(session.state, entry);
  const described = host.describe(session);
  const result = { viewCursor: session.head, session: described, ...more?.(session) };
  const entry = intake(commandId, method, signature, { result });
  apply(session.state, entry);
  session.journal.append([...entries, entry]);
  host.learn([entry]);
  session.attach(connection);
  return { result, afterAck: () => host.broadcast('session/started', { session: described, x_vendor: 1 }) };
}

/**
 * A repeated start or fork follows the session again, without a new record.
 * @param {Connection} connection @param {Reply} reply what was answered the first time @returns {Reply}
 */
export function rejoin(connection, reply) {
  const { host } = connection;
  const id = reply.result.session.sessionId;
  if (!host.isStored(id)) return reply;
  const { session, isFresh } = host.load(id);
  return {
    result: reply.result,
    afterAck: () => {
      follow(connection, session, session.position(reply.result.viewCursor));
      if (isFresh) proceed(session);
    },
  };
}
