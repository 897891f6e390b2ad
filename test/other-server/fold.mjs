/** @typedef {import('./journal.mjs').Entry} Entry */

/**
 * @typedef {object} Turn
 * @property {string} turnId
 * @property {string} commandId the submission (or goal command) the turn came from
 * @property {string} text
 * @property {string} [displayText]
 * @property {'queued' | 'running' | 'over' | 'reclaimed'} phase
 */

/**
 * @typedef {object} Intake what the ledger knows of one command
 * @property {string} signature
 * @property {{ result: any } | { error: any }} answer
 * @property {boolean} isPending
 */

/** @typedef {{ seq: number, method: string, body: Record<string, any> }} ViewEvent */

/** @returns a session's state before its first entry */
export function blank() {
  return {
    /** @type {any} */ born: undefined,
    /** @type {string | undefined} */ name: undefined,
    /** @type {any} */ model: null,
    /** @type {any} */ mode: undefined,
    /** @type {any} */ effort: undefined,
    /** @type {any} */ goal: null,
    /** @type {any} */ lastTurn: undefined,
    /** @type {any} */ contextUsage: undefined,
    /** @type {string | null} */ activeTurnId: null,
    /** @type {Map<string, Turn>} */ turns: new Map(),
    /** @type {string[]} */ queue: [],
    /** @type {Map<string, any>} */ items: new Map(),
    /** @type {Map<string, any>} */ approvals: new Map(),
    /** @type {Map<string, any>} */ prompts: new Map(),
    /** @type {ViewEvent[]} */ events: [],
    /** @type {Map<string, Intake>} */ ledger: new Map(),
    turnCount: 0,
    seq: 0,
    updatedAt: '',
    hasEndedInOrder: false,
    hasFacts: false,
  };
}

/** @typedef {ReturnType<typeof blank>} State */

/** Applies one log entry. @param {State} state @param {Entry} entry */
export function apply(state, entry) {
  state.hasEndedInOrder = entry.t === 'end';
  state.hasFacts ||=
    entry.t === 'in' ? !LIFECYCLE_METHODS.has(entry.method) : !LIFECYCLE_ENTRIES.has(entry.t);
  if ('seq' in entry) state.seq = Math.max(state.seq, entry.seq);
  if ('at' in entry) state.updatedAt = entry.at;
  ENTRIES[/** @type {keyof typeof ENTRIES} */ (entry.t)]?.(state, entry);
}

const LIFECYCLE_ENTRIES = new Set(['born', 'load', 'end', 'out']);
const LIFECYCLE_METHODS = new Set(['session/start', 'session/resume', 'session/fork']);

/** @type {Record<string, (state: State, entry: any) => void>} */
const ENTRIES = {
  born(state, entry) {
    state.born = entry;
    state.model = { modelId: entry.modelId, providerId: entry.providerId, source: 'default' };
    state.mode = { mode: entry.mode, source: 'startup', lastCommandId: null };
  },
  in(state, { id, signature, answer, isPending }) {
    state.ledger.set(id, { signature, answer, isPending });
  },
  out(state, { id, error }) {
    const intake = state.ledger.get(id);
    if (intake === undefined) return;
    intake.isPending = false;
    if (error !== undefined) intake.answer = { error };
  },
  queued(state, { turn }) {
    state.turns.set(turn.turnId, { ...turn, phase: 'queued' });
    state.queue.push(turn.turnId);
  },
  running(state, { turn }) {
    state.turns.set(turn.turnId, { ...turn, phase: 'running' });
  },
  mode(state, { mode }) {
    state.mode = mode;
  },
  ev(state, { seq, method, body }) {
    state.events.push({ seq, method, body });
    EVENTS[method]?.(state, body, seq);
  },
};

/** @type {Record<string, (state: State, body: any, seq: number) => void>} */
const EVENTS = {
  'turn/started'(state, { turnId }) {
    dequeue(state, turnId, 'running');
    state.activeTurnId = turnId;
  },
  'turn/completed'(state, { turnId, terminal, error, reason }) {
    dequeue(state, turnId, 'over');
    if (state.activeTurnId === turnId) state.activeTurnId = null;
    if (terminal === 'completed') state.turnCount += 1;
    state.lastTurn = { turnId, terminal, error, reason };
  },
  'turn/unqueued'(state, { turnId }) {
    dequeue(state, turnId, 'reclaimed');
  },
  'item/started': keepItem,
  'item/updated': keepItem,
  'item/completed': keepItem,
  'session/goalChanged'(state, { goal }) {
    state.goal = goal ?? null;
  },
  'session/nameChanged'(state, { name }) {
    state.name = name;
  },
  'session/modelChanged'(state, { modelId, providerId, source }) {
    state.model = { modelId, providerId: providerId ?? null, source };
  },
  'session/reasoningEffortChanged'(state, { reasoningEffort, source }) {
    state.effort = { reasoningEffort, source };
  },
  'session/contextUsage'(state, { pressure, usedTokens }) {
    state.contextUsage = { pressure, usedTokens };
  },
  'approval/requested'(state, body, seq) {
    state.approvals.set(body.approvalId, { body, seq, isOpen: true });
  },
  'approval/resolved'(state, { approvalId, decision, resolvedBy }, seq) {
    const approval = state.approvals.get(approvalId);
    Object.assign(approval, { isOpen: false, resolution: { decision, resolvedBy, seq } });
  },
  'userInput/requested'(state, body, seq) {
    state.prompts.set(body.userInputId, { body, seq, isOpen: true });
  },
  'userInput/settled'(state, { userInputId, outcome }, seq) {
    const prompt = state.prompts.get(userInputId);
    Object.assign(prompt, { isOpen: false, settlement: { outcome, seq } });
  },
};

/** @param {State} state @param {{ item: any }} body */
function keepItem(state, { item }) {
  state.items.set(item.itemId, item);
}

/** @param {State} state @param {string} turnId @param {Turn['phase']} phase */
function dequeue(state, turnId, phase) {
  state.queue = state.queue.filter((queued) => queued !== turnId);
  const turn = state.turns.get(turnId);
  if (turn !== undefined) turn.phase = phase;
}
