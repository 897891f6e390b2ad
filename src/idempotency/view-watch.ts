import type { Exchange } from '../replay/exchange.js';
import { isEffect } from './effects.js';
import { readView, type ViewEvent } from './view.js';

/**
 * Watches the durable views of some sessions for effects, from one reading to the next. Where a server has no
 * `view/page`, the live events since the last look stand in.
 */
export class ViewWatch {
  readonly #cursors = new Map<string, string | undefined>();
  readonly #unreadable = new Set<string>();
  #liveSeen: number;

  constructor(
    private readonly exchange: Exchange,
    sessions: Iterable<string>,
  ) {
    for (const session of sessions) this.#cursors.set(session, undefined);
    this.#liveSeen = exchange.events.length;
  }

  /** Sessions whose view could not be paged. */
  get unreadable(): ReadonlySet<string> {
    return this.#unreadable;
  }

  /** Effects that have been added to the views since the last call (since the beginning, at the first). */
  async effects(): Promise<ViewEvent[]> {
    const found: ViewEvent[] = [];
    for (const [session, cursor] of this.#cursors) {
      const reading = this.#unreadable.has(session) ? undefined : await readView(this.exchange, session, cursor);
      if (reading?.kind !== 'read') {
        this.#unreadable.add(session);
        continue;
      }
      this.#cursors.set(session, reading.events.at(-1)?.cursor ?? cursor);
      found.push(...reading.events);
    }
    found.push(...this.#liveEffects());
    return found.filter(isEffect);
  }

  /** Live events of sessions that cannot be paged, and news of sessions that nobody watches yet. */
  #liveEffects(): ViewEvent[] {
    const fresh = this.exchange.events.slice(this.#liveSeen);
    this.#liveSeen = this.exchange.events.length;
    return fresh.flatMap(({ method, params }) => {
      const session = String(params['sessionId'] ?? '');
      const counts = method === 'session/started' || this.#unreadable.has(session);
      return counts ? [{ method, params, cursor: String(params['viewCursor']) }] : [];
    });
  }
}
