import { type JsonObject, present } from './json.js';
import { pendingApprovals, pendingUserInputs, type SessionState } from './state.js';

/** What a host adds to a session's own facts: where it lies, and whether it is loaded here. */
export interface Whereabouts {
  /** Absolute path of the log; empty for a session that has none. */
  readonly path: string;
  readonly isLoaded: boolean;
}

/** The session as the lifecycle methods return and list it. */
export function sessionObject(state: SessionState, { path, isLoaded }: Whereabouts): JsonObject {
  const { created } = state;
  const prompt = firstPrompt(state);
  const attention = isLoaded ? attentionOf(state) : [];
  return present({
    sessionId: state.sessionId,
    kind: 'root',
    status: statusOf(state, isLoaded),
    attention: attention.length > 0 ? attention : undefined,
    activeTurnId: isLoaded ? (state.activeTurn?.turnId ?? null) : null,
    turnCount: state.turnCount,
    path,
    createdAt: created?.at ?? state.updatedAt,
    updatedAt: state.updatedAt,
    lastActivityAt: state.lastActivityAt,
    workspaceRoot: state.workspaceRoots[0] ?? created?.workspaceRoot ?? null,
    providerId: state.model.providerId,
    modelId: state.model.modelId,
    approvalMode: state.approvalMode,
    forkedFrom: created?.forkedFrom ?? null,
    sideFrom: created?.sideFrom,
    createdByClient: created?.createdByClient,
    name: state.name,
    branch: state.branch?.['branch'],
    title: prompt?.slice(0, 60),
    firstUserPrompt: prompt?.slice(0, 200),
  });
}

export function statusOf(state: SessionState, isLoaded: boolean): string {
  if (!isLoaded) return 'notLoaded';
  return state.activeTurn ? 'running' : 'idle';
}

/** Which kinds of prompt wait for somebody, in a fixed order. */
export function attentionOf(state: SessionState): readonly string[] {
  return [
    ...(pendingApprovals(state).length > 0 ? ['approvalPending'] : []),
    ...(pendingUserInputs(state).length > 0 ? ['inputPending'] : []),
  ];
}

function firstPrompt(state: SessionState): string | undefined {
  for (const item of state.items.values()) {
    if (item.kind !== 'userMessage') continue;
    const text = ((item['displayText'] ?? item['text']) as string | undefined)?.trim();
    if (text) return text;
  }
  return undefined;
}
