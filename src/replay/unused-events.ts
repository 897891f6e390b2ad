import type { LiveEvent } from './exchange.js';

/**
 * Finds where the events of a method that stand for no recorded one begin. An event that is used stays so: what has
 * been passed over is never looked at again, however long the connection grows.
 */
export class UnusedEvents {
  readonly #firstOf = new Map<string, number>();

  constructor(
    /** Of one connection; it grows. */
    readonly events: readonly LiveEvent[],
    /** Index of the first event that counts. */
    private readonly from: number,
    private readonly isUsed: (event: LiveEvent) => boolean,
  ) {}

  /** Index of the first unused event of this method; the number of events while there is none. */
  first(method: string): number {
    let index = this.#firstOf.get(method) ?? this.from;
    for (; index < this.events.length; index += 1) {
      const event = this.events[index];
      if (event !== undefined && event.method === method && !this.isUsed(event)) break;
    }
    this.#firstOf.set(method, index);
    return index;
  }
}
