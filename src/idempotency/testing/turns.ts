import type { Json, SessionState, Turn } from './server-state.js';

/** How long a slow turn runs, in milliseconds: long enough to be met running. */
const SLOW_MS = 80;

/** What a turn needs of its server. */
export interface TurnHost {
  emit(session: SessionState, method: string, params: Json): void;
  ask(method: string, params: Json): void;
  later(milliseconds: number, act: () => void): void;
}

/** Runs a turn to its end, or as far as it goes by itself: `slow` in its text takes a while, `ask` waits for a decision. */
export function startTurn(host: TurnHost, session: SessionState, turn: Turn): void {
  const { turnId, commandId, text } = turn;
  session.active = turn;
  host.emit(session, 'turn/started', { turnId, commandId });
  host.emit(session, 'item/completed', { item: message(turn, false) });
  if (text.includes('slow')) host.later(SLOW_MS, () => endTurn(host, session, turn, 'completed'));
  else if (text.includes('ask')) openApproval(host, session, turn);
  else endTurn(host, session, turn, text.includes('fail') ? 'failed' : 'completed');
}

/** Ends the running turn and launches the next one; nothing happens when the turn does not run any more. */
export function endTurn(host: TurnHost, session: SessionState, { turnId }: Turn, terminal: string): void {
  if (session.active?.turnId !== turnId) return;
  if (session.approval !== undefined) resolveApproval(host, session, 'hostShutdown');
  session.active = undefined;
  const error =
    terminal === 'failed' ? { error: { kind: 'modelError', message: 'as asked', retryable: false } } : {};
  host.emit(session, 'turn/completed', { turnId, terminal, ...error });
  const next = session.queue.shift();
  if (next !== undefined) startTurn(host, session, next);
}

export function message({ turnId, commandId, text }: Turn, steered: boolean): Json {
  const itemId = `item-${commandId}`;
  const item = { itemId, kind: 'userMessage', turnId, commandId, text, revision: 1, status: 'completed' };
  return steered ? { ...item, steered } : item;
}

export function resolveApproval(host: TurnHost, session: SessionState, decidedByCommandId: string): void {
  const approvalId = session.approval;
  session.approval = undefined;
  host.emit(session, 'approval/resolved', { approvalId, decidedByCommandId });
}

function openApproval(host: TurnHost, session: SessionState, { turnId }: Turn): void {
  session.approval = `approval-${turnId}`;
  host.emit(session, 'approval/requested', { approvalId: session.approval, turnId });
  host.ask('approval/request', { sessionId: session.sessionId, approvalId: session.approval, turnId });
}
