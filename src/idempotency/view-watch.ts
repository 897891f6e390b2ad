import { type Exchange, isRecord } from '../replay/exchange.js';
import { identityOf, isEffect } from './effects.js';
import { LiveEvents } from './live-events.js';
import { readSession, type ViewEvent } from './view.js';

/**
 * Watches some sessions for effects, from one look to the next: on their durable views, else on their histories, else
 * on the live stream. A stream can show that something happened; only a reading can show that nothing did.
 */
export class ViewWatch {
  readonly #cursors = new Map<string, string | undefined>();
  readonly #unreadable = new Map<string, string>();
  /** Everything that has been seen, as often as it has been seen. */
  readonly #seen = new Map<string, number>();
  /** What the latest reading of a history told; the next one tells it again. */
  readonly #told = new Map<string, readonly ViewEvent[]>();
  readonly #live = new LiveEvents();
  #liveSeen: number;

  constructor(
    private readonly exchange: Exchange,
    sessions: Iterable<string>,
  ) {
    for (const session of sessions) this.#cursors.set(session, undefined);
    this.#liveSeen = exchange.events.length;
    this.#live.fresh(exchange.events);
  }

  /** Why nothing can be said of a session's effects; undefined while its view or history can be read. */
  blindFor(session: string | undefined): string | undefined {
    if (session !== undefined) return this.#unreadable.get(session);
    return [...this.#unreadable.values()][0];
  }

  /** How often an event that speaks of the same thing has been seen so far. */
  timesSeen(event: ViewEvent): number {
    return this.#seen.get(keyOf(event)) ?? 0;
  }

  /** Effects that have been added since the last look (since the beginning, at the first). */
  async effects(): Promise<ViewEvent[]> {
    const found: ViewEvent[] = [];
    for (const session of this.#cursors.keys()) found.push(...(await this.#look(session)));
    found.push(...this.#liveEffects());
    const effects = found.filter(isEffect);
    for (const event of effects) this.#seen.set(keyOf(event), this.timesSeen(event) + 1);
    return effects;
  }

  async #look(session: string): Promise<readonly ViewEvent[]> {
    if (this.#unreadable.has(session)) return [];
    const cursor = this.#cursors.get(session);
    const reading = await readSession(this.exchange, session, cursor);
    if (reading.kind === 'unreadable') {
      this.#unreadable.set(session, reading.why);
      return [];
    }
    if (reading.from === 'history') {
      const fresh = beyond(this.#told.get(session) ?? [], reading.events);
      this.#told.set(session, reading.events);
      return fresh;
    }
    this.#cursors.set(session, reading.events.at(-1)?.cursor ?? cursor);
    return reading.events;
  }

  /** Live events of sessions that cannot be read, and news of sessions that nobody watches yet. */
  #liveEffects(): ViewEvent[] {
    const fresh = this.#live.fresh(this.exchange.events.slice(this.#liveSeen));
    this.#liveSeen = this.exchange.events.length;
    return fresh.filter(
      ({ method, params }) =>
        this.#unreadable.has(String(params['sessionId'])) || this.#isNewSession(method, params),
    );
  }

  /** A session that is announced once more is no second one. */
  #isNewSession(method: string, params: ViewEvent['params']): boolean {
    const session =
      method === 'session/started' && isRecord(params['session'])
        ? params['session']['sessionId']
        : undefined;
    return typeof session === 'string' && !this.#cursors.has(session);
  }
}

/** The events of a reading that an earlier one has not, or has less often. */
export function beyond(before: readonly ViewEvent[], now: readonly ViewEvent[]): ViewEvent[] {
  const known = new Map<string, number>();
  for (const event of before) known.set(keyOf(event), (known.get(keyOf(event)) ?? 0) + 1);
  return now.filter((event) => {
    const left = known.get(keyOf(event)) ?? 0;
    known.set(keyOf(event), left - 1);
    return left <= 0;
  });
}

function keyOf(event: ViewEvent): string {
  return `${String(event.params['sessionId'])} ${identityOf(event)}`;
}
