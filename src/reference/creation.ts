import { isReplay } from './admission.js';
import type { Call } from './call.js';
import { commandRejected, Rejection } from './errors.js';
import type { JsonObject } from './json.js';
import type { Answer, Intake } from './ledger.js';
import { loadSession } from './loading.js';
import type { Session } from './session.js';
import type { Created } from './state.js';
import { repeatAndFollow, subscribe } from './subscription.js';

/** A session that is about to be. */
export interface Birth {
  readonly sessionId: string;
  readonly created: Omit<Created, 'at' | 'commandId'>;
  /** Puts what the session begins with onto its view. */
  readonly seed?: (session: Session) => void;
  /** The result of the command, once the session is there. */
  readonly result: (session: Session) => JsonObject;
  /** What happens elsewhere because of it, after the answer. */
  readonly afterwards?: (session: Session) => void;
}

/**
 * Serves a command that creates a session. Its intake stands in the log of the session that it created, which is how it is
 * found again after a restart; a rejection, which has no session, stands by itself.
 */
export function create(call: Call, decide: () => Birth | Promise<Birth>): Promise<void> {
  return call.host.exclusive(async () => {
    if (await isRepeated(call)) return;
    try {
      await bear(call, await decide());
    } catch (error) {
      if (!(error instanceof Rejection)) throw error;
      await reject(call, error);
    }
  });
}

async function isRepeated(call: Call): Promise<boolean> {
  const { host, connection, commandId, signature, method, params } = call;
  const loaded = [...host.sessions.values()].find(({ state }) => state.created?.commandId === commandId);
  const sessionId = loaded?.id ?? (await host.store?.createdBy(commandId));
  const fold = loaded ?? (sessionId === undefined ? undefined : await host.store?.read(sessionId));
  const recorded = fold?.ledger.find(commandId) ?? (await host.rejections.find(commandId));
  const at = { commandId, method, signature, params, connection, isReloaded: loaded?.isReloaded ?? true };
  const intake = host.seams.known(recorded, at);
  if (!intake || sessionId === undefined || intake.signature !== signature) return isReplay(call, intake);
  repeatAndFollow(call, await loadSession(host, sessionId), intake.answer);
  return true;
}

async function bear(call: Call, birth: Birth): Promise<void> {
  const { host, connection, commandId, method, signature } = call;
  const opened = await host.store?.openNew(birth.sessionId);
  const session = host.adopt(birth.sessionId, opened);
  session.record('created', { ...birth.created, commandId });
  session.isBorn = false;
  birth.seed?.(session);
  session.isBorn = true;
  const answer: Answer = { result: birth.result(session) };
  session.record('command', { method, signature, answer }, commandId);
  session.settle(commandId);
  host.broadcast('session/started', { session: session.toObject() });
  call.repeat(answer);
  subscribe(connection, session);
  birth.afterwards?.(session);
}

async function reject(call: Call, { reason, message }: Rejection): Promise<void> {
  const { commandId, method, signature } = call;
  const answer = { error: commandRejected(commandId, reason, message) };
  const intake: Intake = { commandId, method, signature, answer, isSettled: true };
  await call.host.rejections.add(intake);
  call.repeat(answer);
}
