import { admit } from '../admission.mjs';
import { cancellation, itemTerminal, openItems, settlement } from '../closing.mjs';
import { Fault } from '../errors.mjs';
import { COMMAND, list, may, need, object, take, text } from '../params.mjs';
import { launchNext } from '../performance.mjs';
import { continueTurn } from './approvals.mjs';

/** @typedef {import('../connection.mjs').Connection} Connection */
/** @typedef {import('../admission.mjs').Reply} Reply */
/** @typedef {import('../session.mjs').Session} Session */

const TEXT_MAX = 500;
const PROMPT = { ...COMMAND, userInputId: need(text) };

export const promptMethods = {
  'userInput/answer': answer,
  'userInput/cancel': decline,
  'userInput/clarify': clarify,
  'userInput/interrupt': interrupt,
};

/** @param {Connection} connection @param {any} raw @returns {Reply} */
function answer(connection, raw) {
  const params = take(raw, { ...PROMPT, answers: need(list(object)) });
  return settle(connection, 'userInput/answer', params, ({ questions }) => {
    checkAnswers(params, questions);
    if (params['answers'].length !== questions.length) throw badAnswer(params);
    return { outcome: 'answered', answers: params['answers'] };
  });
}

/** @param {Connection} connection @param {any} raw @returns {Reply} */
function decline(connection, raw) {
  const params = take(raw, { ...PROMPT, reason: may(text) });
  return settle(connection, 'userInput/cancel', params, () => ({
    outcome: 'cancelled',
    reason: params['reason'],
  }));
}

/** @param {Connection} connection @param {any} raw @returns {Reply} */
function clarify(connection, raw) {
  const params = take(raw, { ...PROMPT, clarification: need(object) });
  const clarification = take(params['clarification'], { content: need(text), format: need(text) });
  return settle(connection, 'userInput/clarify', params, () => ({ outcome: 'clarified', clarification }));
}

/** @param {Connection} connection @param {any} raw @returns {Reply} */
function interrupt(connection, raw) {
  const params = take(raw, { ...PROMPT, answers: may(list(object)) });
  return settle(connection, 'userInput/interrupt', params, ({ questions }) => {
    checkAnswers(params, questions);
    return { outcome: 'interrupted', answers: params['answers'] };
  });
}

/**
 * @param {Connection} connection @param {string} method @param {Record<string, any>} params
 * @param {(prompt: any) => { outcome: string, answers?: any[], clarification?: any, reason?: string }} decide @returns {Reply}
 */
function settle(connection, method, params, decide) {
  const session = connection.host.loaded(params['sessionId']);
  const { commandId, userInputId } = params;
  return admit(session, method, params, () => {
    const body = openPrompt(session, userInputId);
    const how = decide(body);
    const settled = [settlement(session, body, { ...how, commandId })];
    const isStop = how.outcome === 'interrupted';
    const status = how.outcome === 'answered' || how.outcome === 'clarified' ? 'completed' : 'cancelled';
    const items = openItems(session, body.turnId).map((item) => itemTerminal(session, item, status));
    return {
      result: { userInputId, commandId, status: 'accepted' },
      entries: isStop ? stopping(session, settled, userInputId) : [...settled, ...items],
      afterAck: () =>
        isStop ? launchNext(session) : continueTurn(session, body.turnId, `So: ${how.outcome}.`),
    };
  });
}

/** The turn ends with the prompt, which keeps the settlement that the user gave it. @param {Session} session @param {any[]} settled @param {string} userInputId */
function stopping(session, settled, userInputId) {
  return [...settled, ...cancellation(session).filter(({ body }) => body?.userInputId !== userInputId)];
}

/** @param {Session} session @param {string} userInputId @returns {any} @throws {Fault} */
function openPrompt(session, userInputId) {
  const prompt = session.state.prompts.get(userInputId);
  if (prompt === undefined) throw new Fault('userInputNotFound', 'Nobody asked that.', { userInputId });
  if (prompt.isOpen) return prompt.body;
  const { seq, ...summary } = prompt.settlement;
  const settlementSummary = { ...summary, viewCursor: session.cursor(seq) };
  throw new Fault('userInputAlreadySettled', 'Already settled.', {
    userInputId,
    settlement: settlementSummary,
  });
}

/** @param {Record<string, any>} params @param {any[]} questions @throws {Fault} */
function checkAnswers(params, questions) {
  for (const given of params['answers'] ?? []) {
    const question = questions.find(({ id }) => id === given.questionId);
    const ways = [given.selectedLabel, given.selectedLabels, given.freeText].filter(
      (way) => way !== undefined,
    );
    const labels = question?.options.map((/** @type {any} */ { label }) => label) ?? [];
    const isOnTheMenu = given.selectedLabel === undefined || labels.includes(given.selectedLabel);
    const isShort = [given.freeText ?? '', given.note ?? ''].every(
      (words) => text(words) && words.length <= TEXT_MAX,
    );
    const isSingle = given.selectedLabels === undefined;
    if (question === undefined || ways.length !== 1 || !isOnTheMenu || !isShort || !isSingle)
      throw badAnswer(params);
  }
}

/** @param {Record<string, any>} params @returns {Fault} */
function badAnswer({ userInputId }) {
  return new Fault('userInputAnswerInvalid', 'That answers something else.', { userInputId });
}
