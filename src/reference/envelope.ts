import { pendingRequests } from './history.js';
import { type JsonObject, present } from './json.js';
import type { SessionFold } from './session-fold.js';

/** How resume, read, fork and sideChat tell a session with its history. */
export function envelopeOf(fold: SessionFold, session: JsonObject, history: JsonObject): JsonObject {
  return present({
    session,
    viewCursor: fold.view.cursor(),
    history,
    pendingRequests: pendingRequests(fold.state),
    lastTurn: fold.state.lastTurn,
  });
}
