import { apply, blank } from './fold.mjs';
import { sealCursor } from './ids.mjs';
import { readLog } from './journal.mjs';

/** @typedef {import('./fold.mjs').State} State */

/**
 * The Session object. It leaves out what is optional and documented, and adds a member of its own.
 * @param {string} sessionId @param {State} state @param {{ path: string, isLoaded: boolean }} place
 */
export function sessionObject(sessionId, state, { path, isLoaded }) {
  const { born } = state;
  const attention = attentionOf(state);
  const active = isLoaded ? state.activeTurnId : null;
  return {
    sessionId,
    status: !isLoaded ? 'notLoaded' : active === null ? 'idle' : 'running',
    activeTurnId: active,
    turnCount: state.turnCount,
    path,
    createdAt: born.at,
    updatedAt: state.updatedAt,
    workspaceRoot: born.workspaceRoot,
    providerId: state.model.providerId,
    modelId: state.model.modelId,
    forkedFrom: born.forkedFrom,
    kind: 'root',
    createdByClient: born.client,
    ...(state.name === undefined ? {} : { name: state.name }),
    ...(isLoaded && attention.length > 0 ? { attention } : {}),
    x_vendor: { colour: 'teal' },
  };
}

/** @param {State} state @returns {string[]} */
export function attentionOf(state) {
  return [
    ...(openOnes(state.approvals).length > 0 ? ['approvalPending'] : []),
    ...(openOnes(state.prompts).length > 0 ? ['inputPending'] : []),
  ];
}

/** @param {Map<string, any>} requests */
export function openOnes(requests) {
  return [...requests.values()].filter(({ isOpen }) => isOpen);
}

/**
 * The history envelope in the form asked for, or in this host's own preference.
 * @param {string} sessionId @param {State} state
 * @param {{ preference?: string, fallback: string, isExcluded?: boolean, isSuffix?: boolean, head: string }} wish
 */
export function history(sessionId, state, { preference = 'auto', fallback, isExcluded, isSuffix, head }) {
  if (isSuffix) return { mode: 'none', items: null, snapshot: null, noneReason: 'cursorSuffix' };
  if (isExcluded) return { mode: 'none', items: null, snapshot: null, noneReason: 'excluded' };
  const mode = preference === 'inline' || preference === 'snapshot' ? preference : fallback;
  if (mode === 'inline') return { mode, snapshot: null, items: [...state.items.values()] };
  return {
    mode: 'snapshot',
    items: null,
    snapshot: { schemaVersion: 1, viewCursor: head, state: folded(sessionId, state) },
  };
}

/** @param {string} sessionId @param {State} state */
function folded(sessionId, state) {
  /** @param {string} turnId */
  const reference = (turnId) => {
    const turn = /** @type {import('./fold.mjs').Turn} */ (state.turns.get(turnId));
    return {
      turnId,
      commandId: turn.commandId,
      ...(turn.displayText === undefined ? {} : { displayText: turn.displayText }),
    };
  };
  return {
    items: [...state.items.values()],
    activeTurn: state.activeTurnId === null ? null : reference(state.activeTurnId),
    queuedTurns: state.queue.map(reference),
    approvalMode: state.mode,
    branch: null,
    effectiveModel: state.model,
    goal: state.goal,
    todoList: null,
    tokenUsage: { promptTokens: 0, outputTokens: 0, totalTokens: 0 },
    turnCount: state.turnCount,
    ...(state.name === undefined ? {} : { name: state.name }),
    ...(state.effort === undefined ? {} : { reasoningEffort: state.effort }),
    ...(state.contextUsage === undefined ? {} : { contextUsage: state.contextUsage }),
    pendingApprovals: openOnes(state.approvals).map(({ body, seq }) => ({
      approvalId: body.approvalId,
      viewCursor: sealCursor(sessionId, seq),
    })),
    pendingUserInputs: openOnes(state.prompts).map(({ body, seq }) => ({
      userInputId: body.userInputId,
      itemId: body.itemId,
      viewCursor: sealCursor(sessionId, seq),
    })),
  };
}

/** Pointers to what waits for the user. @param {string} sessionId @param {State} state */
export function pendingRequests(sessionId, state) {
  return [...openOnes(state.approvals), ...openOnes(state.prompts)].map(({ body, seq }) => ({
    kind: 'approvalId' in body ? 'approval' : 'userInput',
    ...('approvalId' in body ? { approvalId: body.approvalId } : { userInputId: body.userInputId }),
    viewCursor: sealCursor(sessionId, seq),
  }));
}

/**
 * The wire form of a view event's params.
 * @param {string} sessionId @param {import('./fold.mjs').ViewEvent} event
 */
export function renderEvent(sessionId, { seq, method, body }) {
  const run = body['turnId'] ?? body['item']?.turnId;
  const position = { id: `rec-${seq.toString(36)}`, sequence: seq };
  return {
    ...body,
    ...(method.startsWith('item/') ? { x_vendor: { shard: seq % 4 } } : {}),
    sourceRange: {
      stream: run === undefined ? { kind: 'session', id: sessionId } : { kind: 'run', id: run },
      first: position,
      last: position,
    },
    viewCursor: sealCursor(sessionId, seq),
    sessionId,
  };
}

/** The state of a stored session, read without a lease. @param {string} path @returns {State} */
export function readState(path) {
  const state = blank();
  for (const entry of readLog(path).entries) apply(state, entry);
  return state;
}
