import type { LiveEvent } from '../replay/exchange.js';
import type { ViewEvent } from './view.js';

/**
 * Reads a live stream as a view: without the server's requests, and without what it has told before. A durable event
 * may be delivered once more under its cursor, after a resume or to a second subscription.
 */
export class LiveEvents {
  readonly #told = new Set<string>();

  /** The events among these that have not been told yet. */
  fresh(events: readonly LiveEvent[]): ViewEvent[] {
    return events.filter((event) => this.#isNews(event)).map(asViewEvent);
  }

  #isNews({ method, params, requestId }: LiveEvent): boolean {
    if (requestId !== undefined) return false;
    const { sessionId, viewCursor } = params;
    if (typeof viewCursor !== 'string') return true;
    // Events that are not durable may bear the cursor of the last one that is.
    const key = JSON.stringify([sessionId, viewCursor, method]);
    if (this.#told.has(key)) return false;
    this.#told.add(key);
    return true;
  }
}

function asViewEvent({ method, params }: LiveEvent): ViewEvent {
  return { method, params, cursor: String(params['viewCursor']) };
}
