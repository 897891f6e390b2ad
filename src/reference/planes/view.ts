import { query } from '../admission.js';
import { type Call, refuseUnloaded } from '../call.js';
import { invalidParams, ProtocolError } from '../errors.js';
import { type JsonObject, present } from '../json.js';
import { findSession } from '../loading.js';
import type { Method } from '../method.js';
import type { SessionFold } from '../session-fold.js';
import { subscribe, unsubscribe } from '../subscription.js';
import type { ViewEvent } from '../view.js';

export const VIEW_METHODS: readonly Method[] = [
  query('view/page', readPage),
  { name: 'view/subscribe', serve: follow },
  { name: 'view/unsubscribe', serve: leave },
];

interface PageParams {
  readonly cursor?: string;
  readonly direction?: 'forward' | 'backward';
  readonly anchor?: 'latestCompaction';
  readonly limit: number;
}

async function readPage(call: Call): Promise<JsonObject> {
  const params = call.params as unknown as PageParams;
  if (params.cursor !== undefined && params.anchor !== undefined) {
    throw invalidParams('cursor and anchor cannot be given together');
  }
  const fold = await findSession(call.host, call.sessionId);
  return params.direction === 'backward' ? backward(call, fold, params) : forward(call, fold, params);
}

function forward(call: Call, fold: SessionFold, params: PageParams): JsonObject {
  const boundaryCursor = params.anchor && latestBoundary(fold);
  const after =
    boundaryCursor === undefined ? startOf(fold, params.cursor) : fold.view.position(boundaryCursor) - 1;
  fold.view.assertRetained(after);
  const rest = fold.view.durable(after);
  const page = fitting(call, fold, rest.slice(0, params.limit));
  const isLast = page.length === rest.length;
  return present({
    events: page.map(unframed),
    nextCursor: isLast ? null : fold.view.cursor(page.at(-1)?.position),
    resolvedAnchor: boundaryCursor === undefined ? undefined : { boundaryCursor },
  });
}

function backward(call: Call, fold: SessionFold, params: PageParams): JsonObject {
  const boundaryCursor = params.anchor && latestBoundary(fold);
  const cursor = boundaryCursor ?? params.cursor;
  const before = cursor === undefined ? undefined : fold.view.position(cursor);
  const rest = fold.view.durable(0, before);
  const page = fitting(call, fold, rest.slice(-params.limit).reverse()).reverse();
  const isLast = page.length === rest.length;
  return present({
    events: page.map(unframed),
    nextCursor: isLast ? null : fold.view.cursor(page[0]?.position),
    resolvedAnchor: boundaryCursor === undefined ? undefined : { boundaryCursor },
  });
}

function startOf({ view }: SessionFold, cursor: string | undefined): number {
  return cursor === undefined ? 0 : view.position(cursor);
}

function latestBoundary({ state, id }: SessionFold): string {
  const boundary = state.boundaries.at(-1);
  if (boundary) return boundary.boundaryCursor;
  throw new ProtocolError('noBoundary', 'the session was never compacted', {
    sessionId: id,
    anchor: null,
    latestBoundaryCursor: null,
  });
}

/** As many of the events as one frame holds, at least one. */
function fitting({ host }: Call, fold: SessionFold, candidates: readonly ViewEvent[]): ViewEvent[] {
  const served = host.seams.events(candidates, { sessionId: fold.id, for: 'page' });
  const page: ViewEvent[] = [];
  let room = host.contentLimitBytes;
  for (const event of served) {
    room -= Buffer.byteLength(JSON.stringify(unframed(event))) + 1;
    if (room < 0 && page.length > 0) break;
    if (room < 0) {
      const viewCursor = fold.view.cursor(event.position);
      throw new ProtocolError('pageEventTooLarge', 'the next event does not fit into a frame', {
        viewCursor,
      });
    }
    page.push(event);
  }
  return page;
}

/** The notification without its frame. */
function unframed({ method, params }: ViewEvent): JsonObject {
  return { method, params };
}

function follow(call: Call): void | Promise<void> {
  const session = call.loadedSession();
  if (!session) return refuseUnloaded(call);
  const after = call.params['after'] as string | undefined;
  const position = after === undefined ? undefined : session.view.position(after);
  call.respond({ viewCursor: session.view.cursor() });
  subscribe(call.connection, session, position);
}

function leave(call: Call): void | Promise<void> {
  const session = call.loadedSession();
  if (session) unsubscribe(call.connection, session);
  call.respond({});
}
