import { admit } from '../admission.mjs';
import { rejection } from '../errors.mjs';
import { itemId } from '../ids.mjs';
import { COMMAND, may, need, object, oneOf, take, text, uuid, words } from '../params.mjs';
import { isInCatalog, PROVIDER } from './catalog.mjs';
import { MODES } from './lifecycle.mjs';

/** @typedef {import('../connection.mjs').Connection} Connection */
/** @typedef {import('../admission.mjs').Reply} Reply */

const EFFORTS = oneOf('none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max', 'ultra');

export const settingMethods = {
  'session/rename': rename,
  'session/setModel': setModel,
  'session/setApprovalMode': setApprovalMode,
  'session/setReasoningEffort': setReasoningEffort,
  'session/compact': compact,
};

/** @param {Connection} connection @param {any} raw @returns {Reply} */
function rename(connection, raw) {
  const params = take(raw, { ...COMMAND, name: need(words) });
  const session = connection.host.loaded(params['sessionId']);
  const name = params['name'].trim();
  return admit(session, 'session/rename', params, () => ({
    result: {
      status: 'accepted',
      commandId: params['commandId'],
      ...(name === params['name'] ? {} : { name }),
    },
    entries: [session.event('session/nameChanged', { name })],
  }));
}

/** @param {Connection} connection @param {any} raw @returns {Reply} */
function setModel(connection, raw) {
  const params = take(raw, { ...COMMAND, model: need(object) });
  const { modelId, providerId } = take(params['model'], { modelId: need(text), providerId: may(text) });
  const session = connection.host.loaded(params['sessionId']);
  return admit(session, 'session/setModel', params, () => {
    if (!isInCatalog(modelId)) throw rejection(params['commandId'], 'model_not_in_catalog');
    const isSame = session.state.model.modelId === modelId;
    const change = { modelId, providerId: providerId ?? PROVIDER, source: 'user' };
    return {
      result: {
        status: 'accepted',
        commandId: params['commandId'],
        x_vendor: { was: session.state.model.modelId },
      },
      entries: isSame ? [] : [session.event('session/modelChanged', change)],
    };
  });
}

/** @param {Connection} connection @param {any} raw @returns {Reply} */
function setApprovalMode(connection, raw) {
  const params = take(raw, { ...COMMAND, mode: need(MODES) });
  const session = connection.host.loaded(params['sessionId']);
  return admit(session, 'session/setApprovalMode', params, () => {
    const { mode: current } = session.state;
    const { mode, commandId } = params;
    if (current.mode === mode) {
      return { result: { status: 'accepted', commandId, applyOutcome: 'noop', effectiveMode: current } };
    }
    const effectiveMode = { mode, source: 'approvalReconfigure', lastCommandId: commandId };
    const change = { mode, commandId, clientName: connection.client.name, source: effectiveMode.source };
    return {
      result: { status: 'accepted', commandId, applyOutcome: 'completed', effectiveMode },
      entries: [{ t: 'mode', mode: effectiveMode }, session.event('session/approvalModeChanged', change)],
    };
  });
}

/** @param {Connection} connection @param {any} raw @returns {Reply} */
function setReasoningEffort(connection, raw) {
  const params = take(raw, { ...COMMAND, reasoningEffort: need(EFFORTS) });
  const session = connection.host.loaded(params['sessionId']);
  const { commandId, reasoningEffort } = params;
  return admit(session, 'session/setReasoningEffort', params, () => {
    const isSame = session.state.effort?.reasoningEffort === reasoningEffort;
    const change = { reasoningEffort, source: 'user' };
    return {
      result: { commandId, status: 'accepted' },
      entries: isSame ? [] : [session.event('session/reasoningEffortChanged', change)],
    };
  });
}

/** Accepted whenever there is a turn; that there was nothing to compact is told by an item. @param {Connection} connection @param {any} raw @returns {Reply} */
function compact(connection, raw) {
  const params = take(raw, { ...COMMAND, turnId: may(uuid) });
  const session = connection.host.loaded(params['sessionId']);
  const { commandId, turnId } = params;
  return admit(session, 'session/compact', params, () => {
    const launched = [...session.state.turns.values()].filter(
      ({ phase }) => phase === 'running' || phase === 'over',
    );
    const isKnown =
      turnId === undefined ? launched.length > 0 : launched.some((turn) => turn.turnId === turnId);
    if (!isKnown) throw rejection(commandId, 'missing_run');
    const item = { itemId: itemId(), kind: 'compaction', trigger: 'manual', outcome: 'noop', revision: 1 };
    return {
      result: { commandId, status: 'accepted' },
      entries: [session.event('item/completed', { item: { ...item, status: 'completed' } })],
      early: 0,
    };
  });
}
