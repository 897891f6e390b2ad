import { admit } from '../admission.mjs';
import { cancellation } from '../closing.mjs';
import { Fault, rejection } from '../errors.mjs';
import { itemId } from '../ids.mjs';
import {
  COMMAND,
  list,
  may,
  need,
  object,
  oneOf,
  readInput,
  refuseExperimental,
  take,
  text,
  uuid,
} from '../params.mjs';
import { openingEntries, perform } from '../performance.mjs';

/** @typedef {import('../connection.mjs').Connection} Connection */
/** @typedef {import('../admission.mjs').Reply} Reply */
/** @typedef {import('../session.mjs').Session} Session */

const EFFORTS = oneOf('none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max', 'ultra');

export const turnMethods = { 'turn/start': startTurn, 'turn/steer': steerTurn, 'turn/unqueue': unqueueTurn };

/** @param {Connection} connection @param {any} raw @returns {Reply} */
function startTurn(connection, raw) {
  refuseExperimental(raw, 'turn/start', 'tokenBudget');
  if (object(raw) && Object.hasOwn(raw, 'userShell')) {
    throw new Fault('capabilityRequired', 'No shells here.', { capability: 'userShell', retryable: false });
  }
  const params = take(raw, {
    ...COMMAND,
    input: need(list(object)),
    ifBusy: may(oneOf('queue', 'steer', 'replace')),
    displayText: may(text),
    reasoningEffort: may(EFFORTS),
    workspaceRoots: may(list(text)),
  });
  if (params['ifBusy'] === 'steer' && params['workspaceRoots'] !== undefined) {
    throw new Fault('invalidParams', 'A steer moves no roots.');
  }
  const session = connection.host.loaded(params['sessionId']);
  const said = readInput(params['input']);
  const { commandId, displayText, ifBusy = 'queue' } = params;
  const turn = {
    turnId: commandId,
    commandId,
    ...said,
    ...(displayText === undefined ? {} : { displayText }),
  };
  return admit(session, 'turn/start', params, () => {
    if (session.state.activeTurnId === null) return launch(session, turn);
    if (ifBusy === 'steer') return absorb(session, turn);
    if (ifBusy === 'replace') return launch(session, turn, cancellation(session, { reason: 'replaced' }));
    return {
      result: ack(commandId, { turnId: commandId, disposition: 'queued' }),
      entries: [{ t: 'queued', turn }],
      isPending: true,
    };
  });
}

/** @param {Session} session @param {any} turn @param {import('../journal.mjs').Entry[]} [before] @returns {import('../admission.mjs').Plan} */
function launch(session, turn, before = []) {
  const opening = openingEntries(session, turn);
  // The ack comes after the first event at times, after all of them at others.
  const isLate = session.state.events.length % 2 === 0;
  return {
    result: ack(turn.commandId, { turnId: turn.turnId, disposition: 'started' }),
    entries: [...before, ...opening],
    isPending: true,
    early: isLate ? before.length + opening.length : before.length + 1,
    afterAck: () => {
      if (session.state.activeTurnId === turn.turnId) perform(session, turn);
    },
  };
}

/** @param {Session} session @param {any} turn @returns {import('../admission.mjs').Plan} */
function absorb(session, turn) {
  const turnId = /** @type {string} */ (session.state.activeTurnId);
  return {
    result: ack(turn.commandId, { turnId, disposition: 'steered' }),
    entries: [steeredMessage(session, turnId, turn)],
  };
}

/** @param {Session} session @param {string} turnId @param {any} said */
function steeredMessage(session, turnId, { commandId, text: words, displayText }) {
  const item = { itemId: itemId(), kind: 'userMessage', turnId, commandId, text: words, steered: true };
  const shown = displayText === undefined ? {} : { displayText };
  return session.event('item/completed', { item: { ...item, ...shown, revision: 1, status: 'completed' } });
}

/** @param {string} commandId @param {{ turnId: string, disposition: string }} how */
function ack(commandId, { turnId, disposition }) {
  const startedNewTurn = disposition === 'started';
  return {
    startedNewTurn,
    disposition,
    turnId,
    commandId,
    status: 'accepted',
    x_vendor: { lane: ['a', { slot: 1.5 }] },
  };
}

/** @param {Connection} connection @param {any} raw @returns {Reply} */
function steerTurn(connection, raw) {
  const params = take(raw, {
    ...COMMAND,
    expectedTurnId: need(uuid),
    input: need(list(object)),
    reasoningEffort: may(EFFORTS),
  });
  const session = connection.host.loaded(params['sessionId']);
  const { commandId, expectedTurnId } = params;
  const said = readInput(params['input']);
  return admit(session, 'turn/steer', params, () => {
    if (session.state.activeTurnId !== expectedTurnId) throw rejection(commandId, 'turn_not_active');
    return {
      result: { turnId: expectedTurnId, commandId, status: 'accepted' },
      entries: [steeredMessage(session, expectedTurnId, { ...said, commandId })],
    };
  });
}

/** @param {Connection} connection @param {any} raw @returns {Reply} */
function unqueueTurn(connection, raw) {
  const params = take(raw, { ...COMMAND, turnId: need(uuid) });
  const session = connection.host.loaded(params['sessionId']);
  const { commandId, turnId } = params;
  return admit(session, 'turn/unqueue', params, () => {
    const turn = session.state.turns.get(turnId);
    if (turn?.phase !== 'queued')
      throw rejection(commandId, turn === undefined ? 'not_in_line' : 'already_left_the_line');
    return {
      result: { status: 'accepted', turnId, commandId },
      entries: [
        session.event('turn/unqueued', { turnId, commandId: turn.commandId }),
        { t: 'out', id: turn.commandId },
      ],
    };
  });
}
