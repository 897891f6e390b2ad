import { createHash } from 'node:crypto';
import { Fault, rejection } from './errors.mjs';
import { timestamp } from './ids.mjs';

/** @typedef {import('./session.mjs').Session} Session */
/** @typedef {import('./journal.mjs').Entry} Entry */

/**
 * @typedef {object} Plan what a command that was let in does
 * @property {any} result its ack
 * @property {Entry[]} [entries] what becomes durable together with the intake
 * @property {number} [early] how many of their events go out before the ack; all unless told
 * @property {boolean} [isPending] whether a later entry settles it (a turn); else it is settled with its intake
 * @property {() => void} [afterAck] runs once the ack is out
 */

/** @typedef {{ result: any, afterAck?: (() => void) | undefined }} Reply */

/**
 * Lets a command in once: a known id answers what it answered before, the same id for something else is refused, and
 * a new one is decided, written down with its effect, and answered.
 * @param {Session} session @param {string} method @param {Record<string, any>} params those that `take` kept
 * @param {() => Plan} decide throws a `rejection` for what the runtime refuses for good
 * @param {{ isCarrierless?: boolean }} [options] whether the ack is remembered in memory only
 * @returns {Reply}
 */
export function admit(session, method, params, decide, { isCarrierless = false } = {}) {
  const id = params['commandId'];
  const signature = sign(method, params);
  const known = session.state.ledger.get(id) ?? session.memory.get(id);
  if (known !== undefined) return replay(id, known, signature);
  /** @type {Plan} */
  let plan;
  try {
    plan = decide();
  } catch (fault) {
    if (fault instanceof Fault && fault.isDurable) {
      session.commit([intake(id, method, signature, { error: fault.error })]);
    }
    throw fault;
  }
  const answer = { result: plan.result };
  const entries = plan.entries ?? [];
  if (isCarrierless) session.memory.set(id, { signature, answer, isPending: false });
  else entries.unshift(intake(id, method, signature, answer, plan.isPending));
  session.commit(entries, plan.early);
  return {
    result: plan.result,
    afterAck: () => {
      session.release();
      plan.afterAck?.();
    },
  };
}

/**
 * @param {string} id @param {import('./fold.mjs').Intake} known @param {string} signature
 * @returns {Reply} @throws {Fault} the conflict, or the rejection that the id got
 */
export function replay(id, known, signature) {
  if (known.signature !== signature) throw rejection(id, 'command_id_conflict');
  if ('error' in known.answer) throw stored(known.answer.error);
  return { result: known.answer.result };
}

/**
 * @param {string} id @param {string} method @param {string} signature
 * @param {{ result: any } | { error: any }} answer @param {boolean} [isPending] @returns {Entry}
 */
export function intake(id, method, signature, answer, isPending = false) {
  return { t: 'in', id, method, signature, answer, isPending, received: timestamp() };
}

/** Identity of a payload: its members in any order, nothing else. @param {string} method @param {any} params @returns {string} */
export function sign(method, params) {
  return createHash('sha256')
    .update(`${method} ${canonical(params)}`)
    .digest('base64url');
}

/** @param {any} value @returns {string} */
function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join()}}`;
}

/** @param {any} error as it was sent the first time @returns {Fault} */
function stored(error) {
  const { kind, ...extra } = error.data;
  return new Fault(kind, error.message, extra, error.code);
}
