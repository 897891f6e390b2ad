import { completeItem } from './items.js';
import { endTurn } from './run.js';
import type { Session } from './session.js';

/** Takes a session off its host: what runs is cancelled, the end is recorded, and then everybody is told. */
export function unload(session: Session, reason: 'idle' | 'hostShutdown'): void {
  endTurn(session, { terminal: 'cancelled', reason });
  for (const { itemId } of session.state.items.values()) completeItem(session, itemId, 'cancelled');
  const viewCursor = session.view.cursor();
  session.record('ended', { reason, position: session.view.head });
  session.host.broadcast('session/statusChanged', { sessionId: session.id, status: 'notLoaded', viewCursor });
  session.host.broadcast('session/closed', { sessionId: session.id, reason, viewCursor });
  session.host.forget(session);
}
