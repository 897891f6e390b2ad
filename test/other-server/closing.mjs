import { opaqueId, timestamp } from './ids.mjs';
import { approvalBody } from './performance.mjs';
import { openOnes } from './views.mjs';

/** @typedef {import('./session.mjs').Session} Session */
/** @typedef {import('./journal.mjs').Entry} Entry */

/**
 * The entries that end the running turn as cancelled: every open item and request of it gets its terminal.
 * @param {Session} session @param {{ reason?: string, error?: any }} [how] `error`: what replays of the submission answer from now on
 * @returns {Entry[]}
 */
export function cancellation(session, { reason, error } = {}) {
  const { state, performance } = session;
  const turn = state.turns.get(state.activeTurnId ?? '');
  if (turn === undefined) return [];
  const isPending = state.ledger.get(turn.commandId)?.isPending === true;
  const entries = [
    ...openOnes(state.approvals).map(({ body }) => resolution(session, body, 'abort', 'policy')),
    ...openOnes(state.prompts).map(({ body }) => settlement(session, body, { outcome: 'aborted' })),
    ...openItems(session, turn.turnId).map((item) => itemTerminal(session, item, 'cancelled')),
    ...(performance?.open === undefined ? [] : [performance.message(performance.open.text, 'cancelled')]),
    session.event('turn/completed', {
      turnId: turn.turnId,
      terminal: 'cancelled',
      ...(reason === undefined ? {} : { reason }),
    }),
    ...(isPending ? [{ t: 'out', id: turn.commandId, ...(error === undefined ? {} : { error }) }] : []),
  ];
  performance?.stop();
  session.performance = undefined;
  return entries;
}

/** @param {Session} session @param {string} turnId */
export function openItems(session, turnId) {
  return [...session.state.items.values()].filter(
    (item) => item.turnId === turnId && item.status === 'inProgress',
  );
}

/** @param {Session} session @param {any} item @param {string} status @param {Record<string, any>} [extra] @returns {Entry} */
export function itemTerminal(session, item, status, extra = {}) {
  return session.event('item/completed', {
    item: { ...item, ...extra, status, revision: item.revision + 1 },
  });
}

/** @param {Session} session @param {any} body of the request @param {string} decision @param {string} resolvedBy @param {string} [commandId] @returns {Entry} */
export function resolution(session, body, decision, resolvedBy, commandId) {
  return session.event('approval/resolved', {
    approvalId: body.approvalId,
    itemId: body.itemId,
    turnId: body.turnId,
    decision,
    policyResult: decision.startsWith('approved') ? 'allow' : 'deny',
    resolvedBy,
    stageEvidence: [],
    decidedAt: timestamp(),
    ...(commandId === undefined ? {} : { decidedByCommandId: commandId }),
  });
}

/**
 * @param {Session} session @param {any} body of the prompt
 * @param {{ outcome: string, answers?: any[], clarification?: any, reason?: string, commandId?: string }} how
 * @returns {Entry}
 */
export function settlement(
  session,
  body,
  { outcome, answers = [], clarification = null, reason, commandId },
) {
  return session.event('userInput/settled', {
    userInputId: body.userInputId,
    outcome,
    answers,
    clarification,
    reason: reason ?? null,
    decidedByCommandId: commandId ?? null,
    decidedAt: timestamp(),
  });
}

/**
 * A parked approval of a host that died: its identity is closed and a new one opens, the same on every load.
 * @param {Session} session @returns {Entry[]}
 */
export function reopenedApprovals(session) {
  return openOnes(session.state.approvals).flatMap(({ body }) => {
    const item = session.state.items.get(body.itemId);
    const approvalId = opaqueId('apv', body.approvalId);
    const moved = { ...item, approvalId, revision: item.revision + 1 };
    return [
      resolution(session, body, 'abort', 'policy'),
      session.event('item/updated', { item: moved }),
      session.event('approval/requested', approvalBody(approvalId, moved)),
    ];
  });
}
