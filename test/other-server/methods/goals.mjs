import { admit } from '../admission.mjs';
import { Fault, rejection } from '../errors.mjs';
import { uuid7 as mint } from '../ids.mjs';
import { COMMAND, need, object, take, words } from '../params.mjs';
import { openingEntries, perform } from '../performance.mjs';

/** @typedef {import('../connection.mjs').Connection} Connection */
/** @typedef {import('../admission.mjs').Reply} Reply */
/** @typedef {import('../session.mjs').Session} Session */
/** @typedef {import('../journal.mjs').Entry} Entry */

/** What each verb makes of the goal; undefined clears it. @type {Record<string, (goal: any, objective: string) => any>} */
const VERBS = {
  set: (_, objective) => ({ objective, status: 'pursuing', percentComplete: 0 }),
  edit: (goal, objective) => ({ ...goal, objective }),
  pause: (goal) => ({ ...goal, status: 'paused' }),
  resume: (goal) => ({ ...goal, status: 'pursuing' }),
  clear: () => undefined,
};
const WAKING = new Set(['set', 'edit', 'resume']);
const WORDED = new Set(['set', 'edit']);

export const goalMethods = Object.fromEntries(
  Object.keys(VERBS).map((verb) => [
    `goal/${verb}`,
    (/** @type {Connection} */ connection, /** @type {any} */ raw) => changeGoal(connection, raw, verb),
  ]),
);

/** @param {Connection} connection @param {any} raw @param {string} verb @returns {Reply} */
function changeGoal(connection, raw, verb) {
  if (!WORDED.has(verb) && object(raw) && Object.hasOwn(raw, 'objective')) {
    throw new Fault('invalidParams', 'Not the place to word a goal.');
  }
  const params = take(raw, WORDED.has(verb) ? { ...COMMAND, objective: need(words) } : COMMAND);
  if (WORDED.has(verb)) params['objective'] = params['objective'].trim();
  const session = connection.host.loaded(params['sessionId']);
  return admit(session, `goal/${verb}`, params, () => {
    const { goal } = session.state;
    if (verb !== 'set' && goal === null) throw rejection(params['commandId'], 'missing_goal');
    return planGoal(session, params['commandId'], VERBS[verb]?.(goal, params['objective']), WAKING.has(verb));
  });
}

/** @param {Session} session @param {string} commandId @param {any} goal @param {boolean} isWaking @returns {import('../admission.mjs').Plan} */
function planGoal(session, commandId, goal, isWaking) {
  const changed = changeOf(session, goal);
  const { activeTurnId } = session.state;
  if (!isWaking) return { result: { status: 'accepted', commandId }, entries: changed };
  if (activeTurnId !== null)
    return { result: { turnId: activeTurnId, commandId, status: 'accepted' }, entries: changed };
  if (goal.status !== 'pursuing') return { result: { status: 'accepted', commandId }, entries: changed };
  const turn = { turnId: mint(), commandId, text: goal.objective };
  return {
    result: { turnId: turn.turnId, commandId, status: 'accepted' },
    entries: [...changed, ...openingEntries(session, /** @type {any} */ (turn))],
    early: changed.length + 1,
    afterAck: () => {
      if (session.state.activeTurnId === turn.turnId) perform(session, /** @type {any} */ (turn));
    },
  };
}

/** The event of a goal that really changed. @param {Session} session @param {any} goal @returns {Entry[]} */
function changeOf(session, goal) {
  if (JSON.stringify(goal ?? null) === JSON.stringify(session.state.goal)) return [];
  return [session.event('session/goalChanged', goal === undefined ? {} : { goal })];
}
