import { admit } from '../admission.mjs';
import { itemTerminal, openItems, resolution } from '../closing.mjs';
import { Fault } from '../errors.mjs';
import { COMMAND, mayBeNull, need, object, take, text } from '../params.mjs';
import { openOnes, readState, renderEvent } from '../views.mjs';

/** @typedef {import('../connection.mjs').Connection} Connection */
/** @typedef {import('../admission.mjs').Reply} Reply */
/** @typedef {import('../session.mjs').Session} Session */

export const approvalMethods = { 'approval/decide': decide, 'approval/listPending': listPending };

/** The decision and its consequences come before the ack. @param {Connection} connection @param {any} raw @returns {Reply} */
function decide(connection, raw) {
  const params = take(raw, {
    ...COMMAND,
    approvalId: need(text),
    requirementId: need(object),
    choiceId: need(text),
    feedback: mayBeNull(text),
  });
  const session = connection.host.loaded(params['sessionId']);
  const { commandId, approvalId } = params;
  return admit(session, 'approval/decide', params, () => {
    const { body, choice } = chosen(session, params);
    const isAllowed = choice.decision.startsWith('approved');
    const outcome = isAllowed ? 'completed' : 'rejected';
    const output = isAllowed
      ? { visibleOutput: 'shredded\n' }
      : { failureReason: 'the user would rather not' };
    return {
      result: { terminal: true, approvalId, commandId, status: 'accepted' },
      entries: [
        resolution(session, body, choice.decision, 'user', commandId),
        ...openItems(session, body.turnId).map((item) => itemTerminal(session, item, outcome, output)),
      ],
      afterAck: () => continueTurn(session, body.turnId, isAllowed ? 'Shredded.' : 'Then not.'),
    };
  });
}

/** @param {Session} session @param {Record<string, any>} params @returns {{ body: any, choice: any }} @throws {Fault} */
function chosen(session, { approvalId, requirementId, choiceId, feedback }) {
  const approval = session.state.approvals.get(approvalId);
  if (approval === undefined) throw new Fault('approvalNotFound', 'Nobody asked for that.', { approvalId });
  const { body, isOpen, resolution: settled } = approval;
  if (!isOpen) {
    const { seq, ...summary } = settled;
    const winner = { ...summary, viewCursor: session.cursor(seq) };
    throw new Fault('approvalAlreadyResolved', 'Too late.', {
      approvalId,
      resolution: winner,
      retryable: false,
    });
  }
  const current = body.currentRequirementId;
  if (requirementId.approvalId !== current.approvalId || requirementId.sourceIndex !== current.sourceIndex) {
    throw new Fault('approvalRequirementStale', 'The question has moved on.', {
      approvalId,
      currentRequirementId: current,
    });
  }
  const choice = body.availableChoices.find((/** @type {any} */ one) => one.choiceId === choiceId);
  if (choice === undefined)
    throw new Fault('approvalChoiceInvalid', 'Not on the menu.', { approvalId, choiceId });
  if (feedback !== undefined && !choice.acceptsFeedback)
    throw new Fault('invalidParams', 'No comments on that choice.');
  return { body, choice };
}

/** @param {Session} session @param {string} turnId @param {string} words */
export function continueTurn(session, turnId, words) {
  if (session.performance?.turn.turnId === turnId) session.performance.conclude(words);
}

/** @param {Connection} connection @param {any} raw @returns {Reply} */
function listPending({ host }, raw) {
  const { sessionId } = take(raw, { sessionId: need(text) });
  if (!host.isStored(sessionId))
    throw new Fault('sessionNotFound', 'There is no such session.', { sessionId });
  const session = host.sessions.get(sessionId);
  const state = session?.state ?? readState(host.pathOf(sessionId));
  const render = (/** @type {any} */ event) => renderEvent(sessionId, event);
  return {
    result: {
      userInputs: openOnes(state.prompts).map(({ body, seq }) =>
        render({ seq, method: 'userInput/requested', body }),
      ),
      approvals: openOnes(state.approvals).map(({ body, seq }) =>
        render({ seq, method: 'approval/requested', body }),
      ),
    },
  };
}
