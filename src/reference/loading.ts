import { ProtocolError } from './errors.js';
import type { Host } from './host.js';
import { CorruptJournalError, LeaseUnavailableError } from './journal/index.js';
import type { Session } from './session.js';
import type { SessionFold } from './session-fold.js';

/** The session if it is loaded, else what is stored of it. Takes no lease. Throws `sessionNotFound`. */
export async function findSession(host: Host, sessionId: string): Promise<SessionFold> {
  const found = host.sessions.get(sessionId) ?? (await readable(() => host.store?.read(sessionId)));
  if (!found) throw new ProtocolError('sessionNotFound', `there is no session ${sessionId}`, { sessionId });
  return found;
}

/** The session, which `findSession` found, loaded. Throws `sessionInUse`. */
export async function loadSession(host: Host, sessionId: string): Promise<Session> {
  const { store } = host;
  const loaded = host.sessions.get(sessionId);
  if (loaded) return loaded;
  if (!store) throw new ProtocolError('sessionNotFound', `there is no session ${sessionId}`, { sessionId });
  return readable(() => host.load(store, sessionId), sessionId);
}

/** Says in the protocol's words why a log could not be opened or read. */
async function readable<T>(read: () => Promise<T> | T, sessionId?: string): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof LeaseUnavailableError)
      throw new ProtocolError('sessionInUse', error.message, { sessionId });
    if (error instanceof CorruptJournalError) throw new ProtocolError('internal', error.message);
    throw error;
  }
}
