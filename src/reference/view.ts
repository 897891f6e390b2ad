import { ProtocolError } from './errors.js';
import type { JsonObject } from './json.js';

/** One event of a session's view. */
export interface ViewEvent {
  /** The number in its cursor. */
  readonly position: number;
  readonly method: string;
  readonly params: JsonObject;
  /** False for what no log holds: deltas, and the opening of items that stream. */
  readonly isDurable: boolean;
}

/** At most so many events without a record stand between two with one, so that a crash loses no more cursors. */
export const EPHEMERAL_RUN = 1000;

/**
 * A session's events in cursor order. Cursors count up by one; after a crash the next load skips the numbers that
 * lost deltas may have had, so that no cursor ever names two events.
 */
export class View {
  /** The position of the last event. */
  head = 0;
  #events: ViewEvent[] = [];
  /** Events up to here were evicted to bound memory. */
  #evictedThrough = 0;

  constructor(
    private readonly sessionId: string,
    /** How many events are kept; a session with a log on disk keeps them all. */
    private readonly retention = Number.POSITIVE_INFINITY,
  ) {}

  cursor(position = this.head): string {
    return `v:${this.sessionId}:${position}`;
  }

  add(event: ViewEvent): void {
    this.#events.push(event);
    this.head = event.position;
    if (this.#events.length <= this.retention) return;
    const evicted = this.#events.splice(0, Math.ceil(this.retention / 4));
    this.#evictedThrough = evicted.at(-1)?.position ?? this.#evictedThrough;
  }

  /** Deltas of an item that is complete tell nothing more than the item does. */
  forgetDeltas(itemId: string): void {
    for (let index = this.#events.length - 1; index >= 0; index -= 1) {
      const event = this.#events[index];
      if (event === undefined || event.isDurable || itemIdOf(event) !== itemId) continue;
      this.#events.splice(index, 1);
      if (event.method === 'item/started') return;
    }
  }

  /**
   * The position that a cursor names. Throws `notFound` with reason `missingAnchor` for one that this view never
   * gave out, `viewTruncated` for one whose events were evicted.
   */
  position(cursor: string): number {
    const prefix = `v:${this.sessionId}:`;
    const digits = cursor.startsWith(prefix) ? cursor.slice(prefix.length) : '';
    const position = /^(0|[1-9]\d{0,14})$/.test(digits) ? Number(digits) : Number.NaN;
    if (!(position <= this.head)) {
      throw new ProtocolError('notFound', `${cursor} is no cursor of this session`, {
        reason: 'missingAnchor',
        sessionId: this.sessionId,
        anchor: cursor,
      });
    }
    this.assertRetained(position);
    return position;
  }

  /** Throws `viewTruncated` when events after `position` were evicted. */
  assertRetained(position: number): void {
    if (position >= this.#evictedThrough) return;
    throw new ProtocolError('viewTruncated', 'the events after this cursor are no longer held', {
      sessionId: this.sessionId,
      earliestCursor: this.cursor(this.#evictedThrough),
    });
  }

  /** Every event still held with `after < position`. */
  since(after: number): readonly ViewEvent[] {
    return this.#events.slice(this.#indexAfter(after));
  }

  /** The durable events with `after < position < before`. */
  durable(after: number, before = Number.POSITIVE_INFINITY): ViewEvent[] {
    return this.since(after).filter(({ position, isDurable }) => isDurable && position < before);
  }

  #indexAfter(position: number): number {
    let low = 0;
    let high = this.#events.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#events[middle]?.position ?? 0) > position) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}

function itemIdOf({ params }: ViewEvent): unknown {
  return params['itemId'] ?? (params['item'] as JsonObject | undefined)?.['itemId'];
}
