import { command, type Decision, query } from '../admission.js';
import { assertModeWithinCeiling } from '../approval-modes.js';
import type { Call } from '../call.js';
import { Rejection } from '../errors.js';
import type { JsonObject } from '../json.js';
import { findSession } from '../loading.js';
import type { Method } from '../method.js';
import { DEFAULT_MODEL, MODELS, modelNamed } from '../model-catalogue.js';
import type { Session } from '../session.js';

export const SETTINGS_METHODS: readonly Method[] = [
  query('model/list', listModels),
  command('session/setModel', setModel),
  command('session/setApprovalMode', setApprovalMode),
  command('session/setReasoningEffort', setReasoningEffort),
  command('session/rename', rename, { isWithheldWhenEphemeral: true }),
];

/** The longest name, in characters. */
const LONGEST_NAME = 200;

async function listModels(call: Call): Promise<JsonObject> {
  const { host, params } = call;
  const active =
    params['sessionId'] === undefined ? undefined : (await findSession(host, call.sessionId)).state.model;
  return {
    models: MODELS.map((model) => ({ ...model, isActive: model.modelId === active?.modelId })),
    profileId: null,
    providerId: DEFAULT_MODEL.providerId,
    source: 'bundledCatalog',
  };
}

function setModel(call: Call, session: Session): Decision {
  const { modelId, providerId } = call.params['model'] as { modelId: string; providerId?: string };
  // An empty text stands for an absent member.
  const model = modelNamed(modelId, providerId === '' ? undefined : providerId);
  if (!model) throw new Rejection('unknown_model', `this host has no model ${JSON.stringify(modelId)}`);
  return {
    effect: () => {
      const { modelId, providerId } = model;
      session.emit('session/modelChanged', { modelId, providerId, source: 'user' });
    },
  };
}

function setApprovalMode(call: Call, session: Session): Decision {
  const mode = call.params['mode'] as string;
  assertModeWithinCeiling(mode, call.host.isEphemeral);
  const current = session.state.approvalMode;
  if (current.mode === mode) return { ack: { applyOutcome: 'noop', effectiveMode: current } };
  const { commandId } = call;
  const source = 'approvalReconfigure';
  const clientName = call.connection.agreement?.clientInfo.name ?? '';
  return {
    ack: { applyOutcome: 'completed', effectiveMode: { mode, source, lastCommandId: commandId } },
    effect: () => session.emit('session/approvalModeChanged', { mode, source, commandId, clientName }),
  };
}

function setReasoningEffort(call: Call, session: Session): Decision {
  const { reasoningEffort } = call.params;
  return {
    effect: () => session.emit('session/reasoningEffortChanged', { reasoningEffort, source: 'user' }),
  };
}

function rename(call: Call, session: Session): Decision {
  const name = (call.params['name'] as string).normalize('NFC').replace(/\s+/gu, ' ').trim();
  if (name === '' || [...name].length > LONGEST_NAME) {
    throw new Rejection('invalid_name', `a name has 1 to ${LONGEST_NAME} characters`);
  }
  return { ack: { name }, effect: () => session.emit('session/nameChanged', { name }) };
}
