import type { Json, SessionState } from './server-state.js';

/** The result of `initialize`. */
export const INTRODUCTION = {
  serverInfo: { name: 'memory', version: '1' },
  userAgent: 'memory/1',
  museHome: '/home',
  platformFamily: 'unix',
  platformOs: 'linux',
  schema: { version: 1, fingerprint: `sha256:${'0'.repeat(64)}` },
  grantedCapabilities: [],
  experimentalApi: false,
};

export function pageOf({ events }: SessionState, cursor: unknown): Json {
  const from = typeof cursor === 'string' ? Number(cursor.slice(2)) : 0;
  return { events: events.slice(from), nextCursor: null };
}

export function cursorOf(position: number): string {
  return `c:${position}`;
}

function turnCount({ events }: SessionState): number {
  return events.filter(({ method }) => method === 'turn/completed').length;
}

/** The result of a lifecycle command, and of `session/read`. */
export function resultOf(session: SessionState): Json {
  const { approval, active, queue, goal, name } = session;
  const state = {
    activeTurn: active === undefined ? null : { turnId: active.turnId },
    approvalMode: { mode: 'allowAll', source: 'default', lastCommandId: null },
    branch: null,
    effectiveModel: null,
    goal: goal ?? null,
    items: session.events.flatMap(({ params }) => params['item'] ?? []),
    pendingApprovals: [],
    pendingUserInputs: [],
    queuedTurns: queue.map(({ turnId, commandId }) => ({ turnId, commandId })),
    todoList: null,
    tokenUsage: {},
    turnCount: turnCount(session),
    ...(name !== undefined && { name }),
  };
  const viewCursor = cursorOf(session.events.length);
  return {
    session: sessionObject(session),
    viewCursor,
    history: { mode: 'snapshot', items: null, snapshot: { schemaVersion: 1, viewCursor, state } },
    pendingRequests: approval === undefined ? [] : [{ kind: 'approval', approvalId: approval, viewCursor }],
  };
}

export function sessionObject(session: SessionState): Json {
  const at = '2026-01-01T00:00:00Z';
  const { sessionId, active } = session;
  return {
    sessionId,
    status: active === undefined ? 'idle' : 'running',
    activeTurnId: active?.turnId ?? null,
    turnCount: turnCount(session),
    path: `/log/${sessionId}`,
    createdAt: at,
    updatedAt: at,
    workspaceRoot: null,
    providerId: null,
    modelId: null,
    forkedFrom: null,
  };
}
