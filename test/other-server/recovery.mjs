import { cancellation, reopenedApprovals } from './closing.mjs';
import { rejection } from './errors.mjs';
import { timestamp } from './ids.mjs';
import { launchNext, Performance } from './performance.mjs';

/** @typedef {import('./session.mjs').Session} Session */
/** @typedef {import('./journal.mjs').Entry} Entry */

/** What replays of a submission whose turn died answer. */
const ABANDONED = 'abandoned_by_recovery';

/**
 * Settles, in one transaction, what a dead host left open, and marks the load. Work queued behind an orderly stop
 * survives; after a crash the host's policy decides.
 * @param {Session} session just restored, nobody follows it yet
 */
export function recover(session) {
  const { state, host } = session;
  /** @type {Entry[]} */
  const entries = [];
  if (!state.hasEndedInOrder) {
    entries.push(...(isParkedOnApproval(session) ? reopenedApprovals(session) : abandonRunningTurn(session)));
    if (host.queuePolicy === 'abandon') entries.push(...abandonQueue(session));
  }
  session.commit([...entries, { t: 'load', seq: session.nextSeq() }]);
  const parked = state.turns.get(state.activeTurnId ?? '');
  if (parked !== undefined) session.performance = new Performance(session, parked);
}

/** What a load sets in motion once its response is out. @param {Session} session */
export function proceed(session) {
  launchNext(session);
}

/** @param {Session} session */
function isParkedOnApproval({ state, host }) {
  return host.reopensApprovals && [...state.approvals.values()].some(({ isOpen }) => isOpen);
}

/** @param {Session} session @returns {Entry[]} */
function abandonRunningTurn(session) {
  const turn = session.state.turns.get(session.state.activeTurnId ?? '');
  if (turn === undefined) return [];
  return cancellation(session, { reason: 'lost with its host', error: abandoned(turn.commandId) });
}

/** @param {Session} session @returns {Entry[]} */
function abandonQueue(session) {
  return session.state.queue.flatMap((turnId) => {
    const { commandId } = /** @type {import('./fold.mjs').Turn} */ (session.state.turns.get(turnId));
    const error = { kind: 'launchError', message: `never launched, lost at ${timestamp()}`, retryable: true };
    return [
      session.event('turn/completed', { turnId, terminal: 'failed', error }),
      { t: 'out', id: commandId, error: abandoned(commandId) },
    ];
  });
}

/** @param {string} commandId */
function abandoned(commandId) {
  return rejection(commandId, ABANDONED, { retryable: false }).error;
}
