import type { Message } from '../../wire/frame.js';
import { BoundedMap } from './bounded-map.js';
import { identityOf, LiveEvents, type ViewEntry } from './live-events.js';
import { type JsonMembers, type ObservedFrame, type OpenRequest, textMember } from './observation.js';

/** A notification that belongs to a session's view: it has a cursor and comes from a record or a stream of deltas. */
export interface ViewEvent {
  readonly sessionId: string;
  readonly cursor: string;
  readonly method: string;
  readonly params: JsonMembers;
  /** `fresh` at first sight of the cursor, else whether the same event came again. */
  readonly arrival: 'fresh' | 'again' | 'clash';
  /** Whether the order of arrival is the order of the view: false once two subscriptions may interleave. */
  readonly ordered: boolean;
  readonly entry: ViewEntry;
}

/** One session as the connection delivered it. */
export class SessionView {
  readonly events = new LiveEvents();
  subscriptions = 0;
  ordered = true;
  followed = false;
  holeAhead = false;

  constructor(public stretch: number) {}
}

const SESSIONS_REMEMBERED = 64;
const PARAMS_CHARACTERS = 8192;

/** Keeps the recent view of each session on one connection. Bounded: old sessions and old events are forgotten. */
export class SessionViews {
  private readonly sessions = new BoundedMap<string, SessionView>(SESSIONS_REMEMBERED);
  /** Never used twice, so that a session that was forgotten is not taken to go on where it was. */
  private stretches = 0;
  /** Events come mostly in runs of one session, and each names it in a string of its own. */
  private last: { readonly sessionId: string; readonly view: SessionView } | undefined;

  get(sessionId: string): SessionView {
    if (this.last?.sessionId === sessionId) return this.last.view;
    const view = this.sessions.getOr(sessionId, () => new SessionView(this.newStretch()));
    this.last = { sessionId, view };
    return view;
  }

  /** Reads the view event out of a server notification; undefined when it is none. */
  note(message: Message & { kind: 'notification' }, at: ObservedFrame): ViewEvent | undefined {
    const params = message.params as JsonMembers | undefined;
    const sessionId = textMember(params, 'sessionId');
    if (params === undefined || sessionId === undefined) return undefined;
    if (message.method === 'view/gap') {
      this.markHole(this.get(sessionId), textMember(params, 'next'));
      return undefined;
    }
    const cursor = textMember(params, 'viewCursor');
    if (cursor === undefined || !isViewEvent(message.method, params)) return undefined;
    const view = this.get(sessionId);
    view.followed = true;
    const known = view.events.at(cursor);
    const identity = identityOf(message.method, params);
    const entry = known ?? append(view, at, message.method, params, cursor, identity);
    entry.deliveries += 1;
    const arrival = known === undefined ? 'fresh' : known.identity === identity ? 'again' : 'clash';
    return { sessionId, cursor, method: message.method, params, arrival, ordered: view.ordered, entry };
  }

  /** A client request or its answer may change what a session delivers. */
  noteRequest(request: OpenRequest, phase: 'asked' | 'answered', sessionId: string): void {
    const view = this.get(sessionId);
    if (request.method === 'view/unsubscribe') {
      view.holeAhead = true;
      if (phase === 'answered') view.followed = false;
      return;
    }
    // Whether a second subscription replays its suffix into the first one's stream is left open.
    if (phase === 'asked' && view.followed) view.ordered = false;
    if (phase === 'answered' && view.followed && !isNamed(request, sessionId)) view.ordered = false;
    if (phase === 'answered') view.followed = true;
    view.holeAhead = true;
    view.subscriptions += 1;
    view.stretch = this.newStretch();
  }

  /** Another connection follows; the host and its cursors stay. */
  disconnect(): void {
    for (const view of this.sessions.values()) {
      view.holeAhead = true;
      view.followed = false;
      view.subscriptions += 1;
      view.stretch = this.newStretch();
      view.ordered = true;
    }
  }

  clear(): void {
    this.last = undefined;
    this.sessions.clear();
  }

  private newStretch(): number {
    this.stretches += 1;
    return this.stretches;
  }

  private markHole(view: SessionView, next: string | undefined): void {
    view.holeAhead = true;
    // The gap may be written after the event that it leads up to.
    const entry = next === undefined ? undefined : view.events.at(next);
    if (entry !== undefined) entry.holeBefore = true;
  }
}

/** Whether the request itself named the session, so that the question was noted as well as the answer. */
function isNamed(request: OpenRequest, sessionId: string): boolean {
  return textMember(request.params, 'sessionId') === sessionId;
}

/** Methods that change what a connection receives of a session. */
export const SUBSCRIBING_METHODS: ReadonlySet<string> = new Set([
  'session/resume',
  'session/start',
  'session/fork',
  'view/subscribe',
  'view/unsubscribe',
]);

/** Broadcasts carry the cursor of the record that caused them, so only events with an origin of their own count. */
function isViewEvent(method: string, params: JsonMembers): boolean {
  return Object.hasOwn(params, 'sourceRange') || method === 'item/delta' || method === 'item/started';
}

function append(
  view: SessionView,
  at: ObservedFrame,
  method: string,
  params: JsonMembers,
  cursor: string,
  identity: string,
): ViewEntry {
  const entry: ViewEntry = {
    cursor,
    method,
    identity,
    durable: Object.hasOwn(params, 'sourceRange'),
    index: view.events.nextIndex,
    holeBefore: view.holeAhead,
    stretch: view.stretch,
    params: at.frame.raw.length <= PARAMS_CHARACTERS ? params : undefined,
    deliveries: 0,
    subscriptionsBefore: view.subscriptions,
  };
  view.holeAhead = false;
  view.events.add(entry);
  return entry;
}
