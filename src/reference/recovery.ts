import { commandRejected } from './errors.js';
import { completeItem } from './items.js';
import { resolveApproval } from './prompts/approval.js';
import { abortUserInputs } from './prompts/user-input.js';
import { takeUp } from './run.js';
import type { Session } from './session.js';
import { isComplete, pendingApprovals, type TurnRef } from './state.js';

/**
 * Brings a session that was just read from its log into order: what ran when its host died gets its terminal, once, and
 * what was admitted without being settled is settled. After an orderly end there is nothing to do.
 */
export function recover(session: Session): void {
  const turn = session.state.activeTurn;
  const parked = turn && parkedItem(session, turn);
  closeItems(session, parked);
  if (turn && parked !== undefined) reopen(session, turn, parked);
  else if (turn) bury(session, turn);
  abandonIntakes(session, turn?.turnId);
}

/** The tool call that waited for an approval: nothing of it had run yet, so its turn can go on. */
function parkedItem(session: Session, turn: TurnRef): string | undefined {
  const request = pendingApprovals(session.state).find(({ turnId }) => turnId === turn.turnId);
  return request?.['itemId'] as string | undefined;
}

/** The old request is closed and never decided; a new one with an id of its own takes its place. */
function reopen(session: Session, turn: TurnRef, itemId: string): void {
  for (const request of pendingApprovals(session.state)) {
    resolveApproval(session, request, { decision: 'abort', resolvedBy: 'policy' });
  }
  takeUp(session, turn, { text: textOf(session, turn) }, itemId);
}

function textOf(session: Session, { turnId }: TurnRef): string {
  const message = [...session.state.items.values()].find(
    (item) => item.kind === 'userMessage' && item.turnId === turnId && item['steered'] !== true,
  );
  return (message?.['text'] as string | undefined) ?? session.state.goal?.objective ?? '';
}

/** The turn died with its host. */
function bury(session: Session, { turnId }: TurnRef): void {
  abortUserInputs(session, turnId);
  const terminal = session.host.seams.diedTurn('failed', { state: session.state });
  if (terminal !== undefined) session.emit('turn/completed', { turnId, terminal, reason: 'crash' });
}

/** Work in the background does not outlive its host either. */
function closeItems(session: Session, except: string | undefined): void {
  for (const item of session.state.items.values()) {
    if (isComplete(item) || item.itemId === except) continue;
    completeItem(session, item.itemId, 'failed', item.kind === 'toolCall' ? { failureReason: 'crash' } : {});
  }
}

/** Turns that wait in the queue, and the one that waits for an approval, are pending still. */
function abandonIntakes(session: Session, diedTurnId: string | undefined): void {
  const { state } = session;
  for (const { commandId } of session.ledger.pending()) {
    const isAlive =
      session.run?.commandId === commandId || state.queue.some((turn) => turn.commandId === commandId);
    if (isAlive) continue;
    const isOver = commandId !== diedTurnId && state.turns.get(commandId)?.end !== undefined;
    const error = isOver ? undefined : session.host.seams.abandonment(abandoned(commandId), { commandId });
    session.settle(commandId, error);
  }
}

function abandoned(commandId: string) {
  return commandRejected(commandId, 'abandoned', `the host ended before command ${commandId} was settled`);
}
