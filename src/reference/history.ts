import { budgeted } from './items.js';
import { type JsonObject, present } from './json.js';
import type { SessionFold } from './session-fold.js';
import {
  type Item,
  pendingApprovals,
  pendingUserInputs,
  type QueuedTurn,
  type SessionState,
} from './state.js';

/** How large a history may be before a smaller form of it is served. A resume's answer is kept for its replay. */
export const HISTORY_BUDGET_BYTES = 256 * 1024;

/** Version of the snapshot's form. */
const SNAPSHOT_SCHEMA_VERSION = 1;

export type HistoryPreference = 'auto' | 'inline' | 'snapshot' | 'anchored';

type NoneReason = 'excluded' | 'cursorSuffix' | 'historyBudget';

export function noHistory(noneReason: NoneReason): JsonObject {
  return { mode: 'none', items: null, snapshot: null, noneReason };
}

/** The largest form of the history that the preference allows and the budget holds. */
export function historyOf(fold: SessionFold, preference: HistoryPreference, budgetBytes: number): JsonObject {
  const forms = formsFor(preference, fold.state).map((form) => FORMS[form]);
  for (const form of forms) {
    const history = form(fold);
    if (Buffer.byteLength(JSON.stringify(history)) <= budgetBytes) return history;
  }
  return noHistory('historyBudget');
}

type Form = 'anchoredSnapshot' | 'inline' | 'snapshot' | 'elided';

const LADDERS: Readonly<Record<HistoryPreference, readonly Form[]>> = {
  auto: ['anchoredSnapshot', 'inline', 'snapshot', 'elided'],
  anchored: ['anchoredSnapshot', 'inline', 'snapshot'],
  inline: ['inline', 'snapshot'],
  snapshot: ['snapshot'],
};

/** Without a compaction there is nothing to anchor at. */
function formsFor(preference: HistoryPreference, state: SessionState): readonly Form[] {
  return LADDERS[preference].filter((form) => form !== 'anchoredSnapshot' || state.boundaries.length > 0);
}

const FORMS: Readonly<Record<Form, (fold: SessionFold) => JsonObject>> = {
  anchoredSnapshot: (fold) => {
    const boundary = fold.state.boundaries.at(-1);
    const anchor = {
      boundaryCursor: boundary?.boundaryCursor,
      summarizedThrough: boundary?.summarizedThrough,
    };
    return snapshotHistory('anchoredSnapshot', { ...snapshotOf(fold, itemsOf(fold.state)), anchor });
  },
  inline: ({ state }) => ({ mode: 'inline', items: itemsOf(state), snapshot: null }),
  snapshot: (fold) => snapshotHistory('snapshot', snapshotOf(fold, itemsOf(fold.state))),
  elided: (fold) => snapshotHistory('snapshot', snapshotOf(fold, itemsOf(fold.state).map(elided))),
};

function snapshotHistory(mode: string, snapshot: JsonObject): JsonObject {
  return { mode, items: null, snapshot };
}

function itemsOf(state: SessionState): readonly Item[] {
  return [...state.items.values()];
}

/** Output that can be fetched by its reference need not be in the snapshot. */
function elided(item: Item): Item {
  if (item['outputRef'] === undefined) return item;
  const { visibleOutput: _, ...rest } = item;
  return { ...rest, truncated: true } as unknown as Item;
}

function snapshotOf(fold: SessionFold, items: readonly Item[]): JsonObject {
  return {
    schemaVersion: SNAPSHOT_SCHEMA_VERSION,
    viewCursor: fold.view.cursor(),
    state: stateOf(fold.state, items),
  };
}

function stateOf(state: SessionState, items: readonly Item[]): JsonObject {
  return present({
    items,
    activeTurn: state.activeTurn ?? null,
    queuedTurns: state.queue.map(queuedRef),
    pendingApprovals: pendingApprovals(state).map(({ approvalId, itemId, viewCursor }) => ({
      approvalId,
      itemId,
      viewCursor,
    })),
    pendingUserInputs: pendingUserInputs(state).map(({ userInputId, itemId, viewCursor }) => ({
      userInputId,
      itemId,
      viewCursor,
    })),
    approvalMode: state.approvalMode,
    effectiveModel: state.model,
    goal: state.goal ?? null,
    todoList: state.todoList ?? null,
    branch: state.branch ?? null,
    tokenUsage: state.tokenUsage,
    contextUsage: state.contextUsage,
    reasoningEffort: state.reasoningEffort,
    name: state.name,
    turnCount: state.turnCount,
  });
}

function queuedRef({ turnId, commandId, submission }: QueuedTurn): JsonObject {
  const { text: displayText, truncated } = budgeted(submission.displayText ?? submission.text);
  return { turnId, commandId, displayText, ...(truncated && { truncated }) };
}

/** Pointers to what waits for an answer, in the order in which it was asked. */
export function pendingRequests(state: SessionState): readonly JsonObject[] {
  return [
    ...pendingApprovals(state).map(({ approvalId, viewCursor }) => ({
      kind: 'approval',
      approvalId,
      viewCursor,
    })),
    ...pendingUserInputs(state).map(({ userInputId, viewCursor }) => ({
      kind: 'userInput',
      userInputId,
      viewCursor,
    })),
  ];
}
