import { isAbsolute } from 'node:path';
import { conflictWith } from '../admission.js';
import { assertModeWithinCeiling } from '../approval-modes.js';
import type { Call } from '../call.js';
import { create } from '../creation.js';
import { envelopeOf } from '../envelope.js';
import { invalidParams, ProtocolError, Rejection } from '../errors.js';
import { DEFAULT_APPROVAL_MODE } from '../fold.js';
import { HISTORY_BUDGET_BYTES, type HistoryPreference, historyOf, noHistory } from '../history.js';
import { isUuid } from '../ids.js';
import type { JsonObject } from '../json.js';
import { findSession, loadSession } from '../loading.js';
import type { Method } from '../method.js';
import { DEFAULT_MODEL, type Model, modelNamed } from '../model-catalogue.js';
import { launchNext } from '../run.js';
import type { SessionFold } from '../session-fold.js';
import { repeatAndFollow, subscribe } from '../subscription.js';
import { assertWorkspaceRoots, canonical } from '../workspace-roots.js';

export const LIFECYCLE_METHODS: readonly Method[] = [
  { name: 'session/start', serve: start },
  { name: 'session/resume', isWithheldWhenEphemeral: true, serve: resume },
];

interface StartParams {
  readonly sessionId?: string;
  readonly workspaceRoot?: string;
  readonly workspaceRoots?: readonly string[];
  readonly modelId?: string;
  readonly providerId?: string | null;
  readonly approvalMode?: string | null;
  readonly config?: JsonObject;
}

function start(call: Call): Promise<void> {
  const params = call.params as StartParams;
  assertNoServers(call, params.config);
  const workspaceRoots = rootsOf(params);
  if (params.sessionId !== undefined && !isUuid(params.sessionId))
    throw invalidParams('sessionId: expected a UUID');
  return create(call, async () => {
    const { sessionId, approvalMode } = params;
    if (sessionId !== undefined && (await isTaken(call, sessionId))) {
      throw new Rejection('session_id_conflict', `there is a session ${sessionId} already`);
    }
    const mode = approvalMode ?? DEFAULT_APPROVAL_MODE;
    assertModeWithinCeiling(mode, call.host.isEphemeral);
    return {
      sessionId: sessionId ?? call.host.ids.next(),
      created: {
        workspaceRoot: params.workspaceRoot ?? workspaceRoots[0] ?? null,
        workspaceRoots,
        ...modelOf(params),
        approvalMode: mode,
        createdByClient: call.connection.agreement?.clientInfo ?? {},
      },
      result: (session) => ({ session: session.toObject(), viewCursor: session.view.cursor() }),
    };
  });
}

async function isTaken({ host }: Call, sessionId: string): Promise<boolean> {
  return host.sessions.has(sessionId) || (await host.store?.isTaken(sessionId)) === true;
}

function modelOf({ modelId, providerId }: StartParams): Model {
  if (modelId === undefined && providerId == null) return DEFAULT_MODEL;
  const model = modelNamed(modelId ?? DEFAULT_MODEL.modelId, providerId ?? undefined);
  if (!model)
    throw new Rejection(
      'unknown_model',
      `this host has no model ${modelId ?? ''} of ${providerId ?? 'any provider'}`,
    );
  return { modelId: model.modelId, providerId: model.providerId };
}

function rootsOf({ workspaceRoot, workspaceRoots }: StartParams): readonly string[] {
  if (workspaceRoot !== undefined && !isAbsolute(workspaceRoot)) {
    throw invalidParams('workspaceRoot: expected an absolute path');
  }
  if (!workspaceRoots) return workspaceRoot === undefined ? [] : [workspaceRoot];
  assertWorkspaceRoots(workspaceRoots);
  if (workspaceRoot !== undefined && canonical(workspaceRoot) !== workspaceRoots[0]) {
    throw invalidParams('workspaceRoot and workspaceRoots: expected the same first folder');
  }
  return workspaceRoots;
}

/** This host starts no MCP servers, so nobody is granted what they need. */
function assertNoServers({ connection }: Call, config: JsonObject = {}): void {
  const capability = 'sessionMcp';
  const servers = Object.keys((config['mcpServers'] as JsonObject | undefined) ?? {});
  if (servers.length === 0 || connection.agreement?.granted.has(capability)) return;
  throw new ProtocolError('capabilityRequired', 'mcpServers need the capability sessionMcp', {
    capability,
    retryable: false,
  });
}

interface ResumeParams {
  readonly cursor?: string | null;
  readonly excludeItems?: boolean;
  readonly history?: HistoryPreference;
  readonly config?: JsonObject;
}

function resume(call: Call): Promise<void> {
  const { host, connection, sessionId, commandId, method, signature } = call;
  const { cursor, config } = call.params as ResumeParams;
  assertNoServers(call, config);
  return host.exclusive(async () => {
    const found = await findSession(host, sessionId);
    const wasLoaded = host.sessions.has(sessionId);
    const intake = host.seams.known(found.ledger.find(commandId), {
      ...{ commandId, method, signature, connection, params: call.params },
      isReloaded: !wasLoaded || host.sessions.get(sessionId)?.isReloaded === true,
    });
    if (intake && intake.signature !== signature) return call.refuse(conflictWith(commandId));
    if (!intake && cursor != null) positionOf(found, cursor);
    const session = await loadSession(host, sessionId);
    if (intake) return repeatAndFollow(call, session, intake.answer);
    if (!wasLoaded) session.record('resumed', {});
    const answer = { result: envelopeOf(session, session.toObject(), historyFor(call, session)) };
    session.record('command', { method, signature, answer }, commandId);
    session.settle(commandId);
    call.repeat(answer);
    subscribe(connection, session, cursor == null ? undefined : positionOf(session, cursor));
    launchNext(session);
  });
}

function historyFor({ params, connection }: Call, fold: SessionFold): JsonObject {
  const { cursor, excludeItems = false, history = 'auto' } = params as ResumeParams;
  if (excludeItems) return noHistory('excluded');
  if (cursor != null) return noHistory('cursorSuffix');
  return historyOf(fold, history, Math.min(HISTORY_BUDGET_BYTES, connection.host.contentLimitBytes));
}

/** A cursor, or the anchor of a compaction, which stands for the cursor of its boundary. */
function positionOf({ state, view }: SessionFold, cursor: string): number {
  const boundary = state.boundaries.find(({ summarizedThrough }) => summarizedThrough === cursor);
  return boundary?.position ?? view.position(cursor);
}
