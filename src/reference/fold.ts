import type { JsonObject } from './json.js';
import type { LogRecord, RecordKind } from './session-log.js';
import type {
  Created,
  EffectiveApprovalMode,
  Goal,
  Item,
  QueuedTurn,
  SessionState,
  StoredOutput,
  TokenTotals,
} from './state.js';

/** The approval mode of a session that was started without naming one. */
export const DEFAULT_APPROVAL_MODE = 'promptUnmatched';

/** Applies one record. Nothing else changes a session's state, neither live nor at a load. */
export function foldRecord(state: SessionState, { kind, body }: LogRecord): void {
  state.isEnded = kind === 'ended';
  if (BOOKKEEPING.has(kind)) return;
  state.updatedAt = body['at'] as string;
  state.isEmpty = false;
  FACTS[kind]?.(state, body);
}

const FACTS: Readonly<Partial<Record<RecordKind, (state: SessionState, body: JsonObject) => void>>> = {
  created: foldCreated,
  event: (state, { method, params }) =>
    foldEvent(state, method as string, params as JsonObject, state.updatedAt),
  queued: (state, { turn, isNext }) => {
    const queued = turn as QueuedTurn;
    state.queue = isNext === true ? [queued, ...state.queue] : [...state.queue, queued];
  },
  roots: (state, { workspaceRoots }) => {
    state.workspaceRoots = workspaceRoots as string[];
  },
  output: (state, { id, ...output }) => {
    state.outputs.set(id as string, output as unknown as StoredOutput);
  },
  upload: foldUpload,
  activation: (state, { scope, selector, activation }) => {
    state.activations.set(`${scope} ${selector}`, activation as string);
  },
};

/** What a host writes for itself says nothing about the session. */
const BOOKKEEPING: ReadonlySet<string> = new Set(['resumed', 'ended', 'command', 'settlement']);

function foldCreated(state: SessionState, body: JsonObject): void {
  const created = body as unknown as Created;
  state.created = created;
  state.isEmpty = created.approvalMode === DEFAULT_APPROVAL_MODE && !created.forkedFrom && !created.sideFrom;
  state.model = { modelId: created.modelId, providerId: created.providerId, source: 'default' };
  state.approvalMode = { mode: created.approvalMode, source: 'startup', lastCommandId: null };
  state.workspaceRoots = created.workspaceRoots;
}

/** Applies an event of the view; those without a record, which no load will see, are applied live. */
export function foldEvent(state: SessionState, method: string, params: JsonObject, at: string): void {
  if (method.startsWith('item/') || method.startsWith('turn/')) state.lastActivityAt = at;
  EVENTS[method]?.(state, params);
}

const EVENTS: Readonly<Record<string, (state: SessionState, params: JsonObject) => void>> = {
  'turn/started': (state, params) => {
    const turn = { turnId: params['turnId'] as string, commandId: params['commandId'] as string };
    state.queue = state.queue.filter(({ turnId }) => turnId !== turn.turnId);
    state.turns.set(turn.turnId, turn);
    state.activeTurn = turn;
  },
  'turn/completed': (state, params) => {
    const { turnId, terminal, error, reason } = params;
    const end = terminal as string;
    state.lastTurn = {
      turnId,
      terminal,
      ...(error !== undefined && { error }),
      ...(reason !== undefined && { reason }),
    };
    state.turnCount += 1;
    endTurn(state, turnId as string, end);
  },
  'turn/unqueued': (state, params) => endTurn(state, params['turnId'] as string, 'unqueued'),
  'item/started': foldItem,
  'item/updated': foldItem,
  'item/completed': foldItem,
  'item/delta': foldDelta,
  'session/goalChanged': (state, params) => {
    state.goal = params['goal'] as Goal | undefined;
  },
  'session/modelChanged': (state, params) => {
    const { modelId, providerId, source } = params as unknown as SessionState['model'];
    state.model = { modelId, providerId, source };
  },
  'session/approvalModeChanged': (state, params) => {
    const { mode, source, commandId } = params as unknown as EffectiveApprovalMode & { commandId: string };
    state.approvalMode = { mode, source, lastCommandId: commandId };
  },
  'session/reasoningEffortChanged': (state, params) => {
    const { reasoningEffort, source } = params as unknown as NonNullable<SessionState['reasoningEffort']>;
    state.reasoningEffort = { reasoningEffort, source };
  },
  'session/nameChanged': (state, params) => {
    state.name = params['name'] as string;
  },
  'session/todoListChanged': (state, params) => {
    const { items, revision, sourceTool } = params;
    state.todoList = { items, revision, sourceTool };
  },
  'session/branchChanged': (state, params) => {
    const { branch, vcs, workspaceRoot } = params;
    state.branch = { branch, vcs, workspaceRoot };
  },
  'session/tokenUsage': (state, params) => {
    state.tokenUsage = params['cumulative'] as TokenTotals;
  },
  'session/contextUsage': (state, params) => {
    const { windowTokens, usedTokens, pressure } = params;
    state.contextUsage = { windowTokens, usedTokens, pressure };
  },
  'approval/requested': (state, params) => {
    state.approvals.set(params['approvalId'] as string, { request: params });
  },
  'approval/updated': (state, params) => {
    const approval = state.approvals.get(params['approvalId'] as string);
    if (!approval) return;
    const { currentRequirementId, availableChoices, subject } = params;
    const request = { ...approval.request, currentRequirementId, availableChoices, subject };
    state.approvals.set(params['approvalId'] as string, { request });
  },
  'approval/resolved': (state, params) => {
    const approval = state.approvals.get(params['approvalId'] as string);
    if (!approval) return;
    const { decision, resolvedBy, viewCursor } = params as Record<string, string>;
    state.approvals.set(params['approvalId'] as string, {
      request: approval.request,
      resolution: { decision: decision ?? '', resolvedBy: resolvedBy ?? '', viewCursor: viewCursor ?? '' },
    });
    if (decision === 'approvedForSession') state.sessionGrants.add(subjectKey(approval.request));
  },
  'userInput/requested': (state, params) => {
    state.userInputs.set(params['userInputId'] as string, { request: params });
  },
  'userInput/settled': (state, params) => {
    const prompt = state.userInputs.get(params['userInputId'] as string);
    const settlement = { outcome: params['outcome'] as string, viewCursor: params['viewCursor'] as string };
    if (prompt)
      state.userInputs.set(params['userInputId'] as string, { request: prompt.request, settlement });
  },
};

/** What a grant for the session covers: the same tool with the same arguments. */
export function subjectKey(request: JsonObject): string {
  return `${request['toolName']} ${request['rawArgs']}`;
}

function endTurn(state: SessionState, turnId: string, end: string): void {
  const queued = state.queue.find((turn) => turn.turnId === turnId);
  const commandId = state.turns.get(turnId)?.commandId ?? queued?.commandId ?? turnId;
  state.turns.set(turnId, { turnId, commandId, end });
  state.queue = state.queue.filter((turn) => turn.turnId !== turnId);
  if (state.activeTurn?.turnId === turnId) state.activeTurn = undefined;
}

function foldItem(state: SessionState, params: JsonObject): void {
  const item = params['item'] as Item;
  const known = state.items.get(item.itemId);
  if (known && known.revision >= item.revision) return;
  state.items.set(item.itemId, item);
  if (item.kind === 'compaction' && item['outcome'] === 'compacted') {
    const boundaryCursor = params['viewCursor'] as string;
    state.boundaries.push({
      boundaryCursor,
      position: Number(boundaryCursor.slice(boundaryCursor.lastIndexOf(':') + 1)),
      summarizedThrough: item['summarizedThrough'] as string,
    });
  }
}

function foldDelta(state: SessionState, params: JsonObject): void {
  const item = state.items.get(params['itemId'] as string);
  if (!item) return;
  // The tool calls' `output` path is how their `visibleOutput` streams; every other path here is a member's name.
  const member =
    params['field'] === 'output' ? 'visibleOutput' : ((params['field'] as string | undefined) ?? 'text');
  const text = `${(item[member] as string | undefined) ?? ''}${params['delta']}`;
  state.items.set(item.itemId, { ...item, [member]: text });
}

function foldUpload(state: SessionState, body: JsonObject): void {
  const uploadId = body['uploadId'] as string;
  const { mediaType, totalBytes, chunkCount, chunkIndex, bytes } = body as Record<string, number> & {
    mediaType: string;
  };
  const chunks = new Map(state.uploads.get(uploadId)?.chunks).set(chunkIndex ?? 0, bytes ?? 0);
  state.uploads.set(uploadId, {
    mediaType,
    totalBytes: totalBytes ?? 0,
    chunkCount: chunkCount ?? 0,
    chunks,
  });
}
