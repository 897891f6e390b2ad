import { type JsonObject, present } from '../json.js';
import type { Session } from '../session.js';
import { pendingUserInputs } from '../state.js';

export interface Prompt {
  readonly turnId: string;
  readonly itemId: string;
  readonly questions: readonly JsonObject[];
  /** After this time without an answer the prompt settles by itself. */
  readonly autoResolutionMs?: number;
}

/** How a prompt ended, and what the model gets to see of it. */
export interface Settlement {
  readonly outcome: 'answered' | 'cancelled' | 'interrupted' | 'clarified' | 'timedOut' | 'aborted';
  readonly answers?: readonly JsonObject[];
  readonly clarification?: JsonObject;
  readonly reason?: string;
  readonly commandId?: string;
}

/** Puts a prompt on the view and asks every subscriber that can show one. */
export function openUserInput(session: Session, prompt: Prompt, userInputId: string): void {
  session.emit(
    'userInput/requested',
    present({
      userInputId,
      turnId: prompt.turnId,
      itemId: prompt.itemId,
      toolCallId: `call_${prompt.itemId.slice(-8)}`,
      toolName: 'request_user_input',
      questions: prompt.questions,
      autoResolutionMs: prompt.autoResolutionMs,
    }),
  );
  presentUserInput(session, userInputId);
}

export function presentUserInput(session: Session, userInputId: string): void {
  const prompt = session.state.userInputs.get(userInputId);
  if (prompt) session.present('userInput/request', prompt.request);
}

/** The first durable settlement of a prompt. */
export function settleUserInput(session: Session, userInputId: string, settlement: Settlement): void {
  session.emit('userInput/settled', {
    userInputId,
    outcome: settlement.outcome,
    answers: settlement.answers ?? [],
    clarification: settlement.clarification ?? null,
    reason: settlement.reason ?? null,
    decidedByCommandId: settlement.commandId ?? null,
    decidedAt: session.now(),
  });
}

/** Closes what a turn that ends leaves open. */
export function abortUserInputs(session: Session, turnId: string): void {
  for (const request of pendingUserInputs(session.state)) {
    if (request['turnId'] === turnId) {
      settleUserInput(session, request['userInputId'] as string, { outcome: 'aborted' });
    }
  }
}
