import type { LiveEvent } from './exchange.js';

/**
 * More came over one connection than may be held while a scenario is carried out. Nothing is dropped in silence:
 * a frame that a later step asks for must not look as if it had never come.
 */
export class FloodError extends Error {
  override readonly name = 'FloodError';
}

const EVENTS_KEPT = 100_000;
const CHARACTERS_KEPT = 64 * 1024 * 1024;

/** The events of one connection that later steps may ask for, in arrival order. Bounded by `FloodError`. */
export class EventLog {
  readonly all: LiveEvent[] = [];
  #characters = 0;

  constructor(
    /** Notifications of other methods are let through and forgotten: nobody can ask for them. */
    private readonly keeps: (method: string) => boolean,
  ) {}

  /** @throws FloodError when the event cannot be held beside the others */
  add(event: LiveEvent): void {
    if (event.requestId === undefined && !this.keeps(event.method)) return;
    this.#characters += event.frame.raw.length;
    if (this.all.length >= EVENTS_KEPT || this.#characters > CHARACTERS_KEPT) throw floodOf(event.method);
    this.all.push(event);
  }
}

function floodOf(method: string): FloodError {
  return new FloodError(
    `the server sent more than the harness holds for one connection (${EVENTS_KEPT} notifications and requests, ` +
      `or ${CHARACTERS_KEPT} characters of them); the last was ${method}`,
  );
}
