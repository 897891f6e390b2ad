import { admit } from '../admission.mjs';
import { cancellation } from '../closing.mjs';
import { rejection } from '../errors.mjs';
import { COMMAND, flag, may, take, uuid } from '../params.mjs';
import { launchNext } from '../performance.mjs';

/** @typedef {import('../connection.mjs').Connection} Connection */
/** @typedef {import('../admission.mjs').Reply} Reply */
/** @typedef {import('../session.mjs').Session} Session */

export const stopMethods = { 'turn/cancel': cancel, 'turn/interrupt': interrupt };

/** @param {Connection} connection @param {any} raw @returns {Reply} */
function cancel(connection, raw) {
  const params = take(raw, { ...COMMAND, turnId: may(uuid), retract: may(flag) });
  const isRetracting = params['retract'] !== undefined;
  return stop(connection, 'turn/cancel', params, (session) => {
    if (isRetracting) throw rejection(params['commandId'], 'not_paired_interrupt');
    return cancellation(session);
  });
}

/** Also takes a pursued goal off the road. @param {Connection} connection @param {any} raw @returns {Reply} */
function interrupt(connection, raw) {
  const params = take(raw, { ...COMMAND, turnId: may(uuid), retract: may(flag) });
  return stop(connection, 'turn/interrupt', params, (session, turnId) => {
    const { goal, items, turns } = session.state;
    const hasSpoken = [...items.values()].some(
      (item) => item.turnId === turnId && item.kind === 'agentMessage',
    );
    const isRetracted = params['retract'] === true && !hasSpoken && session.performance?.open === undefined;
    const submission = turns.get(turnId)?.commandId;
    return [
      ...cancellation(session),
      ...(isRetracted ? [session.event('turn/retracted', { turnId, commandId: submission })] : []),
      ...(goal?.status === 'pursuing'
        ? [session.event('session/goalChanged', { goal: { ...goal, status: 'paused' } })]
        : []),
    ];
  });
}

/**
 * The row whose acks no log keeps; its rejections are durable all the same.
 * @param {Connection} connection @param {string} method @param {Record<string, any>} params
 * @param {(session: Session, turnId: string) => import('../journal.mjs').Entry[]} effect @returns {Reply}
 */
function stop(connection, method, params, effect) {
  const session = connection.host.loaded(params['sessionId']);
  const { commandId } = params;
  const decide = () => {
    const { activeTurnId, turns } = session.state;
    const turnId = params['turnId'] ?? activeTurnId;
    if (turnId === null) throw rejection(commandId, 'nothing_to_stop');
    if (turnId !== activeTurnId) {
      throw rejection(
        commandId,
        turns.get(turnId)?.phase === 'over' ? 'turn_already_over' : 'turn_not_running',
      );
    }
    return {
      result: { turnId, commandId, status: 'accepted' },
      entries: effect(session, turnId),
      afterAck: () => launchNext(session),
    };
  };
  return admit(session, method, params, decide, { isCarrierless: true });
}
