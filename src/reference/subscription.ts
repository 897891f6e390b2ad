import type { Call } from './call.js';
import type { Connection } from './connection.js';
import type { Answer } from './ledger.js';
import { launchNext } from './run.js';
import type { Session } from './session.js';
import { pendingApprovals, pendingUserInputs } from './state.js';

/**
 * A connection follows a session from now on. With `after`, what happened since that position is sent again first. What
 * waits for an answer is asked again.
 */
export function subscribe(connection: Connection, session: Session, after = session.view.head): void {
  const { host } = connection;
  session.subscribers.add(connection);
  const start = session.view.cursor(after);
  host.outbox.deliver(() => connection.egress.follow(session.id, start));
  const emittedAtMs = host.clock.now();
  const events = host.seams.events(session.view.since(after), { sessionId: session.id, for: 'replay' });
  for (const { position, method, params } of events) {
    const cursor = session.view.cursor(position);
    host.outbox.deliver(() =>
      connection.sendEvent(session.id, cursor, { jsonrpc: '2.0', method, params, emittedAtMs }),
    );
  }
  askAgain(connection, session);
}

/**
 * Gives a lifecycle command's answer again. It promises every event after its cursor, so a connection that does not follow the
 * session gets them now.
 */
export function repeatAndFollow(call: Call, session: Session, answer: Answer): void {
  call.repeat(answer);
  if (!session.subscribers.has(call.connection) && 'result' in answer) {
    subscribe(call.connection, session, session.view.position(answer.result['viewCursor'] as string));
  }
  launchNext(session);
}

export function unsubscribe(connection: Connection, session: Session): void {
  if (!session.subscribers.delete(connection)) return;
  connection.host.outbox.deliver(() => connection.egress.unfollow(session.id));
  connection.host.unloadWhenIdle(session);
}

function askAgain(connection: Connection, session: Session): void {
  const { outbox } = connection.host;
  for (const request of pendingApprovals(session.state)) {
    outbox.deliver(() => connection.sendRequest('approval/request', request));
  }
  for (const request of pendingUserInputs(session.state)) {
    outbox.deliver(() => connection.sendRequest('userInput/request', request));
  }
}
