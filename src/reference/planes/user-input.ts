import { command, type Decision } from '../admission.js';
import { answerProblem, type Question } from '../answers.js';
import type { Call } from '../call.js';
import { invalidParams, ProtocolError } from '../errors.js';
import type { Host } from '../host.js';
import { type JsonObject, present } from '../json.js';
import type { Method } from '../method.js';
import { type Settlement, settleUserInput } from '../prompts/user-input.js';
import { advance, endTurn } from '../run.js';
import type { Session } from '../session.js';

export const USER_INPUT_METHODS: readonly Method[] = [
  command('userInput/answer', (call, session) => {
    const answers = call.params['answers'] as readonly JsonObject[];
    assertAnswers(session, call, answers, 'all');
    return settle(call, session, { outcome: 'answered', answers });
  }),
  command('userInput/cancel', (call, session) => {
    const reason = call.params['reason'] as string | undefined;
    return settle(call, session, { outcome: 'cancelled', ...(reason !== undefined && { reason }) });
  }),
  command('userInput/clarify', (call, session) => {
    const clarification = call.params['clarification'] as { format: string; content: string };
    const length = [...clarification.content].length;
    if (length === 0 || length > LONGEST_TEXT) {
      throw invalidParams(`clarification.content: expected 1 to ${LONGEST_TEXT} characters`);
    }
    return settle(call, session, { outcome: 'clarified', clarification });
  }),
  command('userInput/interrupt', (call, session) => {
    const answers = (call.params['answers'] ?? []) as readonly JsonObject[];
    assertAnswers(session, call, answers, 'some');
    return settle(call, session, { outcome: 'interrupted', answers });
  }),
];

const LONGEST_TEXT = 500;

/** The user began to answer, so the prompt does not settle by itself any more. A note about anything else is passed over. */
export function engage(host: Host, params: unknown): void {
  const { sessionId, userInputId } = (params ?? {}) as JsonObject;
  const run = host.sessions.get(sessionId as string)?.run;
  if (run?.wait?.for === 'userInput' && run.wait.id === userInputId) run.cancelTimer?.();
}

function settle(call: Call, session: Session, settlement: Settlement): Decision {
  const userInputId = call.params['userInputId'] as string;
  pendingPrompt(session, userInputId);
  return {
    ack: { userInputId },
    effect: () => {
      settleUserInput(session, userInputId, { ...settlement, commandId: call.commandId });
      if (session.run?.wait?.id !== userInputId) return;
      if (settlement.outcome === 'interrupted')
        endTurn(session, { terminal: 'cancelled', reason: 'interrupted' });
      else advance(session, present({ ...settlement }));
    },
  };
}

function pendingPrompt(session: Session, userInputId: string): JsonObject {
  const prompt = session.state.userInputs.get(userInputId);
  if (!prompt)
    throw new ProtocolError('userInputNotFound', `there is no prompt ${userInputId}`, { userInputId });
  if (!prompt.settlement) return prompt.request;
  throw new ProtocolError('userInputAlreadySettled', `prompt ${userInputId} is settled`, {
    userInputId,
    settlement: prompt.settlement,
  });
}

function assertAnswers(
  session: Session,
  call: Call,
  answers: readonly JsonObject[],
  which: 'all' | 'some',
): void {
  const userInputId = call.params['userInputId'] as string;
  const questions = pendingPrompt(session, userInputId)['questions'] as readonly Question[];
  const problem = answerProblem(questions, answers, which);
  if (problem !== undefined) throw new ProtocolError('userInputAnswerInvalid', problem, { userInputId });
}
