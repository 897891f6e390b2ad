import { type Exchange, isRecord } from '../replay/exchange.js';

/** One durable event of a session's view. */
export interface ViewEvent {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly cursor: string;
}

/** Events asked for in one page; the protocol's maximum is 1000. */
const PAGE_LIMIT = 500;

/** Pages read of one session before the reader gives up: no scenario is this long, so the paging is circular. */
const MAX_PAGES = 2_000;

export type ViewReading =
  | { readonly kind: 'read'; readonly events: readonly ViewEvent[] }
  | { readonly kind: 'unreadable'; readonly why: string };

/**
 * The durable view of a session from its beginning, or after a cursor: what happened, read instead of waited for.
 * Servers without `view/page` are `unreadable`.
 */
export async function readView(exchange: Exchange, sessionId: string, after?: string): Promise<ViewReading> {
  const events: ViewEvent[] = [];
  let cursor = after;
  for (let page = 0; page < MAX_PAGES; page++) {
    const params = { sessionId, limit: PAGE_LIMIT, ...(cursor !== undefined && { cursor }) };
    const answer = await exchange.ask('view/page', params);
    if (answer.kind === 'none') return { kind: 'unreadable', why: `view/page was not answered (${answer.why})` };
    if (answer.kind === 'error') return { kind: 'unreadable', why: `view/page answered ${answer.errorKind}` };
    const result = isRecord(answer.frame.value) ? answer.frame.value['result'] : undefined;
    if (!isRecord(result) || !Array.isArray(result['events'])) return { kind: 'unreadable', why: 'view/page had no events' };
    for (const entry of result['events'] as unknown[]) {
      const event = asEvent(entry);
      if (event !== undefined) events.push(event);
    }
    const next = result['nextCursor'];
    if (typeof next !== 'string' || next === cursor) return { kind: 'read', events };
    cursor = next;
  }
  return { kind: 'unreadable', why: `view/page did not come to an end within ${MAX_PAGES} pages` };
}

function asEvent(entry: unknown): ViewEvent | undefined {
  if (!isRecord(entry) || typeof entry['method'] !== 'string' || !isRecord(entry['params'])) return undefined;
  return { method: entry['method'], params: entry['params'], cursor: String(entry['params']['viewCursor']) };
}
