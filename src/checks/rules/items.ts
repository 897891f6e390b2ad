import { BoundedMap } from './bounded-map.js';
import {
  type JsonMembers,
  membersOf,
  type Observation,
  type ObservedFrame,
  type Rule,
  textMember,
} from './observation.js';
import { pageEvents } from './pages.js';
import type { Verdicts } from './verdicts.js';

const ITEMS_REMEMBERED = 8192;

interface ItemState {
  revision: number | undefined;
  /** Stretch of the stream in which that revision arrived. */
  stretch: number;
  terminalCursor: string | undefined;
  terminalRevision: number;
  /** Highest revision of an open version seen. */
  openRevision: number;
  /** Its turn, in its session. */
  turn: string | undefined;
  /** Its start, while it has no terminal. */
  started: ObservedFrame | undefined;
}

/** Revisions rise, and an item ends once. A fork may call its copies by the ids of its source, so ids are a session's own. */
export class Items implements Rule {
  private readonly items = new BoundedMap<string, ItemState>(ITEMS_REMEMBERED);
  private readonly endedTurns = new BoundedMap<string, true>(ITEMS_REMEMBERED);

  constructor(private readonly verdicts: Verdicts) {}

  observe({ at, message, view, request }: Observation): void {
    if (view !== undefined && view.arrival === 'fresh') {
      const item = membersOf(view.params['item']);
      if (item !== undefined)
        this.observeVersion(
          view.sessionId,
          item,
          view.method,
          view.cursor,
          at,
          view.ordered ? view.entry.stretch : undefined,
        );
      if (view.method === 'turn/completed') this.noteTurnEnd(view.params);
    }
    if (message.kind === 'success' && request?.method === 'view/page' && at.dir === 'server')
      this.observePage(membersOf(message.result)?.['events'], at);
  }

  connectionClosed(): void {
    for (const item of this.items.values()) {
      if (item.started !== undefined && item.turn !== undefined && this.endedTurns.get(item.turn))
        this.verdicts.report('view/item-completed', {
          message: 'The item was started, its turn ended, and the item was never completed.',
          at: item.started,
        });
    }
    this.items.clear();
    this.endedTurns.clear();
  }

  private noteTurnEnd(params: JsonMembers): void {
    const turnId = textMember(params, 'turnId');
    if (turnId !== undefined) this.endedTurns.set(inSession(params, turnId), true);
  }

  private observePage(events: unknown, at: ObservedFrame): void {
    if (!Array.isArray(events)) return;
    const revisions = new Map<string, number>();
    for (const { method, params, cursor } of pageEvents(events)) {
      const item = membersOf(params['item']);
      const itemId = textMember(item, 'itemId');
      if (item === undefined || itemId === undefined) continue;
      this.observeVersion(textMember(params, 'sessionId') ?? '', item, method, cursor, at, undefined);
      const revision = item['revision'];
      if (typeof revision !== 'number') continue;
      this.observeRise(revisions.get(itemId), revision, itemId, at);
      revisions.set(itemId, revision);
    }
  }

  /** `stretch` is undefined where the order of arrival says nothing about revisions. */
  private observeVersion(
    sessionId: string,
    item: JsonMembers,
    method: string,
    cursor: string,
    at: ObservedFrame,
    stretch: number | undefined,
  ): void {
    const itemId = textMember(item, 'itemId');
    const revision = item['revision'];
    if (itemId === undefined || typeof revision !== 'number') return;
    const state = this.items.getOr(`${sessionId} ${itemId}`, newItem);
    if (stretch !== undefined) {
      this.observeRise(state.stretch === stretch ? state.revision : undefined, revision, itemId, at);
      state.revision = revision;
      state.stretch = stretch;
      if (method === 'item/started' && state.terminalCursor === undefined) {
        state.started = at;
        state.turn = `${sessionId} ${textMember(item, 'turnId')}`;
      }
    }
    if (method === 'item/completed') this.observeTerminal(state, revision, itemId, cursor, at);
    else if (item['status'] === 'inProgress') state.openRevision = Math.max(state.openRevision, revision);
  }

  private observeRise(before: number | undefined, revision: number, itemId: string, at: ObservedFrame): void {
    this.verdicts.exercise('view/item-revision-rises');
    if (before === undefined || revision > before) return;
    this.verdicts.report('view/item-revision-rises', {
      message: `Item ${itemId} has revision ${revision} after revision ${before}.`,
      at,
    });
  }

  private observeTerminal(
    state: ItemState,
    revision: number,
    itemId: string,
    cursor: string,
    at: ObservedFrame,
  ): void {
    this.verdicts.exercise('view/item-single-terminal');
    if (state.started !== undefined) this.verdicts.exercise('view/item-completed');
    state.started = undefined;
    if (state.terminalCursor === undefined || state.terminalCursor === cursor) {
      state.terminalCursor = cursor;
      state.terminalRevision = revision;
      return;
    }
    // A subagent can be reopened; whether its item then ends anew is left open.
    const wasReopened = state.openRevision > state.terminalRevision;
    const message = `Item ${itemId} was completed at ${state.terminalCursor} and again at ${cursor}.`;
    this.verdicts.report('view/item-single-terminal', { message, at }, wasReopened ? 'warning' : 'violation');
    state.terminalCursor = cursor;
    state.terminalRevision = revision;
  }
}

function inSession(params: JsonMembers, id: string): string {
  return `${textMember(params, 'sessionId') ?? ''} ${id}`;
}

function newItem(): ItemState {
  return {
    revision: undefined,
    stretch: -1,
    terminalCursor: undefined,
    terminalRevision: 0,
    openRevision: 0,
    turn: undefined,
    started: undefined,
  };
}
