import { exactEqual } from '../../wire/compare.js';
import type { ExactJson } from '../../wire/exact-json.js';
import { BoundedMap } from './bounded-map.js';
import type { Handshake } from './handshake.js';
import { identityOf } from './live-events.js';
import {
  type JsonMembers,
  membersOf,
  type Observation,
  type ObservedFrame,
  type OpenRequest,
  type Rule,
  textMember,
} from './observation.js';
import { PageAgainstStream } from './page-against-stream.js';
import type { SessionViews } from './session-view.js';
import type { Verdicts } from './verdicts.js';

/** One event of a page that has a cursor. */
export interface PageEvent {
  readonly method: string;
  readonly params: JsonMembers;
  readonly cursor: string;
}

/** A page as it was asked for and served. */
export interface Page {
  readonly sessionId: string;
  readonly anchor: string | undefined;
  readonly isBackward: boolean;
  /** The page starts at an anchor of the server's choosing. */
  readonly isAnchored: boolean;
  readonly events: readonly PageEvent[];
  readonly nextCursor: string | null | undefined;
}

const SESSIONS_REMEMBERED = 32;

/** view/page: order, bounds, continuation, and agreement with what was delivered live. */
export class Pages implements Rule {
  private readonly previous = new BoundedMap<string, Page>(SESSIONS_REMEMBERED);
  private readonly againstStream: PageAgainstStream;

  constructor(
    private readonly verdicts: Verdicts,
    private readonly views: SessionViews,
    handshake: Handshake,
  ) {
    this.againstStream = new PageAgainstStream(verdicts, views, handshake);
  }

  observe({ at, message, request }: Observation): void {
    if (message.kind === 'request' && at.dir === 'client' && message.method === 'view/page')
      this.againstStream.noteAsked(at, textMember(membersOf(message.params), 'sessionId'));
    if (message.kind === 'notification' && message.method === 'view/gap')
      this.againstStream.noteGap(membersOf(message.params));
    if (at.dir === 'client' || message.kind !== 'success' || request?.method !== 'view/page') return;
    const page = pageOf(request, message.result);
    if (page === undefined || request.ambiguous) return;
    this.observeBounds(page, request, at);
    this.observeOrder(page, at);
    this.observeEvents(page, at);
    this.againstStream.observe(page, request.at, at);
    this.previous.set(page.sessionId, page);
  }

  connectionClosed(): void {
    this.previous.clear();
    this.againstStream.conclude();
  }

  private observeBounds(page: Page, request: OpenRequest, at: ObservedFrame): void {
    const { verdicts } = this;
    const limit = request.params?.['limit'];
    if (typeof limit === 'number') {
      verdicts.exercise('view/page-within-limit');
      if (page.events.length > limit)
        this.tell(
          'view/page-within-limit',
          `The page has ${page.events.length} events; the limit was ${limit}.`,
          at,
        );
    }
    if (page.anchor !== undefined) {
      verdicts.exercise('view/page-anchor-exclusive');
      if (page.events.some(({ cursor }) => cursor === page.anchor))
        this.tell('view/page-anchor-exclusive', `The event at the anchor ${page.anchor} is on the page.`, at);
    }
    if (typeof page.nextCursor !== 'string') return;
    verdicts.exercise('view/page-next-cursor');
    const edge = page.isBackward ? page.events[0] : page.events.at(-1);
    if (edge?.cursor !== page.nextCursor)
      this.tell(
        'view/page-next-cursor',
        `nextCursor is ${page.nextCursor}; the page’s ${page.isBackward ? 'first' : 'last'} event is at ${edge?.cursor ?? 'none'}.`,
        at,
      );
  }

  private observeOrder(page: Page, at: ObservedFrame): void {
    this.verdicts.exercise('view/page-ascending');
    const seen = new Set<string>();
    for (const { cursor } of page.events) {
      if (seen.has(cursor)) this.tell('view/page-ascending', `Cursor ${cursor} is on the page twice.`, at);
      seen.add(cursor);
    }
    const before = this.previous.get(page.sessionId);
    const continues =
      before !== undefined &&
      page.anchor !== undefined &&
      before.nextCursor === page.anchor &&
      before.isBackward === page.isBackward;
    if (!continues) return;
    const repeated = before.events.find(({ cursor }) => cursor !== page.anchor && seen.has(cursor));
    if (repeated !== undefined)
      this.tell('view/page-ascending', `Cursor ${repeated.cursor} was on the page before this one.`, at);
  }

  private observeEvents({ sessionId, events }: Page, at: ObservedFrame): void {
    const live = this.views.get(sessionId).events;
    this.verdicts.exercise('view/page-durable-only');
    for (const { method, params, cursor } of events) {
      if (method === 'item/delta')
        this.tell('view/page-durable-only', `The page has a delta at ${cursor}.`, at);
      const known = live.at(cursor);
      if (known === undefined) continue;
      this.verdicts.exercise('view/cursor-unique');
      this.verdicts.exercise('view/event-stable');
      const identity = identityOf(method, params);
      if (known.identity !== identity)
        this.tell(
          'view/cursor-unique',
          `Cursor ${cursor} is ${known.identity} live and ${identity} on the page.`,
          at,
        );
      else if (known.params !== undefined && !exactEqual(known.params as ExactJson, params as ExactJson))
        this.tell('view/event-stable', `The ${method} at cursor ${cursor} has other content than live.`, at);
    }
  }

  private tell(id: Parameters<Verdicts['report']>[0], message: string, at: ObservedFrame): void {
    this.verdicts.report(id, { message, at, method: 'view/page' });
  }
}

function pageOf(request: OpenRequest, result: unknown): Page | undefined {
  const members = membersOf(result);
  const sessionId = textMember(request.params, 'sessionId');
  const events = members?.['events'];
  if (sessionId === undefined || !Array.isArray(events)) return undefined;
  const next = members?.['nextCursor'];
  return {
    sessionId,
    anchor: textMember(request.params, 'cursor'),
    isBackward: request.params?.['direction'] === 'backward',
    isAnchored: request.params?.['anchor'] !== undefined,
    events: pageEvents(events),
    nextCursor: typeof next === 'string' || next === null ? next : undefined,
  };
}

/** The events of a page or a history, those without method, params or cursor left out. */
export function pageEvents(events: readonly unknown[]): readonly PageEvent[] {
  return events.flatMap((event) => {
    const method = textMember(membersOf(event), 'method');
    const params = membersOf(membersOf(event)?.['params']);
    const cursor = textMember(params, 'viewCursor');
    return method === undefined || params === undefined || cursor === undefined
      ? []
      : [{ method, params, cursor }];
  });
}
