import type { LogRecord, SessionLog } from './session-log.js';

/**
 * Keeps the host's one promise about order: what a client is told is on disk first, and everybody is told in one
 * order. Records and deliveries are collected while something is decided; `commit` lets the deliveries go once these
 * records, and all that was committed before, are durable.
 */
export class Outbox {
  #appends: Promise<void>[] = [];
  #deliveries: (() => void)[] = [];
  #tail: Promise<void> = Promise.resolve();

  constructor(
    /** Called once if a record cannot be made durable: the host can promise nothing more. */
    private readonly onFailure: (error: unknown) => void,
  ) {}

  append(log: SessionLog, record: LogRecord): void {
    this.#appends.push(log.append(record));
  }

  deliver(send: () => void): void {
    this.#deliveries.push(send);
  }

  commit(): void {
    if (this.#appends.length === 0 && this.#deliveries.length === 0) return;
    const durable = Promise.all(this.#appends);
    const deliveries = this.#deliveries;
    this.#appends = [];
    this.#deliveries = [];
    const before = this.#tail;
    this.#tail = durable
      .then(() => before)
      .then(() => {
        for (const send of deliveries) send();
      });
    this.#tail.catch(this.onFailure);
  }

  /** Resolves once everything committed so far was delivered. */
  settled(): Promise<void> {
    return this.#tail;
  }
}
