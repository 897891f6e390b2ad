import { type Exchange, isRecord } from '../replay/exchange.js';
import { askUntilAdmitted } from './ask.js';
import { readHistory } from './history.js';

/** One durable event of a session's view. */
export interface ViewEvent {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly cursor: string;
}

/** Events asked for in one page; the protocol's maximum is 1000. */
const PAGE_LIMIT = 500;

/** Pages read of one session before the reader gives up: no scenario is this long. */
const MAX_PAGES = 2_000;

export type ViewReading =
  /** Of `history` the events are inferred from what a session looks like now: all of them, whatever was asked for. */
  | { readonly kind: 'read'; readonly from: 'view' | 'history'; readonly events: readonly ViewEvent[] }
  | { readonly kind: 'unreadable'; readonly why: string };

/**
 * What has happened in a session, read instead of waited for: its durable view, where `view/page` serves it, else
 * what `session/read` or `session/resume` tell of its history.
 */
export async function readSession(
  exchange: Exchange,
  sessionId: string,
  after?: string,
): Promise<ViewReading> {
  const view = await readView(exchange, sessionId, after);
  if (view.kind === 'read') return view;
  const history = await readHistory(exchange, sessionId);
  return history.kind === 'read' ? history : { kind: 'unreadable', why: `${view.why}, and ${history.why}` };
}

/** The durable view of a session from its beginning, or after a cursor. Servers without `view/page` are `unreadable`. */
export async function readView(exchange: Exchange, sessionId: string, after?: string): Promise<ViewReading> {
  const events: ViewEvent[] = [];
  const asked = new Set<string>();
  let cursor = after;
  for (let page = 0; page < MAX_PAGES; page++) {
    const params = { sessionId, limit: PAGE_LIMIT, ...(cursor !== undefined && { cursor }) };
    const answer = await askUntilAdmitted(exchange, 'view/page', params);
    if (answer.kind === 'none')
      return { kind: 'unreadable', why: `view/page was not answered (${answer.why})` };
    if (answer.kind === 'error') return { kind: 'unreadable', why: `view/page answered ${answer.errorKind}` };
    const result = isRecord(answer.frame.value) ? answer.frame.value['result'] : undefined;
    if (!isRecord(result) || !Array.isArray(result['events']))
      return { kind: 'unreadable', why: 'view/page had no events' };
    events.push(...result['events'].flatMap(asEvent));
    const next = result['nextCursor'];
    if (typeof next !== 'string') return { kind: 'read', from: 'view', events };
    if (asked.has(next)) return { kind: 'unreadable', why: 'view/page goes round in circles' };
    asked.add(next);
    cursor = next;
  }
  return { kind: 'unreadable', why: `view/page did not come to an end within ${MAX_PAGES} pages` };
}

function asEvent(entry: unknown): ViewEvent[] {
  if (!isRecord(entry) || typeof entry['method'] !== 'string' || !isRecord(entry['params'])) return [];
  return [
    { method: entry['method'], params: entry['params'], cursor: String(entry['params']['viewCursor']) },
  ];
}
