import { JournalUnusableError } from './errors.js';
import { type AppendResult, type Candidate, identify, type Outcome, stageGroup } from './group.js';
import type { IdempotencyIndex } from './idempotency.js';
import type { Lease } from './lease.js';
import type { LogWriter } from './log-writer.js';
import { assertAppendable, type JournalRecord, type StoredRecord } from './record.js';
import { scanLog } from './scan.js';
import type { JournalStorage } from './storage.js';

export interface JournalParts {
  readonly path: string;
  readonly storage: JournalStorage;
  readonly writer: LogWriter;
  readonly lease: Lease;
  readonly epoch: number;
  readonly sessionId: string | undefined;
  readonly index: IdempotencyIndex;
  /** The fence's. */
  readonly sequence: number;
}

interface Waiting extends Candidate {
  readonly resolve: (result: AppendResult) => void;
  readonly reject: (error: Error) => void;
}

/** One session's open log. Made by `openJournal`. */
export class Journal {
  readonly #parts: JournalParts;
  #sequence: number;
  #queue: Waiting[] = [];
  #draining: Promise<void> | undefined;
  #closing: Promise<void> | undefined;

  constructor(parts: JournalParts) {
    this.#parts = parts;
    this.#sequence = parts.sequence;
  }

  get path(): string {
    return this.#parts.path;
  }

  /** The epoch of this journal's fence. */
  get epoch(): number {
    return this.#parts.epoch;
  }

  /** The sequence of the last durable record. */
  get sequence(): number {
    return this.#sequence;
  }

  /** `appendIdempotent` for callers that need no more than the sequence. */
  append(record: JournalRecord): Promise<Pick<AppendResult, 'sequence'>> {
    return this.appendIdempotent(record);
  }

  /**
   * Resolves once the record is on disk: with its new sequence, or with the original one if the identical
   * record is there under the same id. Calls made at the same time share one write and one sync, in call order.
   *
   * Rejects with `InvalidRecordError`, `IdempotencyCollisionError`, `DeliveryTransitionError` or
   * `CommandRouteMismatchError` for this record alone; with the storage's error if the write failed, after which
   * index and tip are as before and a retry decides afresh; with `StaleWriterError` or `JournalUnusableError`
   * for good.
   */
  appendIdempotent(record: JournalRecord): Promise<AppendResult> {
    return new Promise((resolve, reject) => {
      if (this.#closing) throw new JournalUnusableError(`${this.path}: the journal is closed`);
      assertAppendable(record, this.#parts.sessionId);
      const { identity } = identify(record);
      this.#queue.push({ record, identity, resolve, reject });
      this.#draining ??= this.#drain();
    });
  }

  /** The sequence of the durable record with this physical id (of a settlement: `settlementKey(commandId)`). */
  sequenceOf(physicalId: string): number | undefined {
    return this.#parts.index.lookup(physicalId)?.sequence;
  }

  /** Every durable record in order, read anew from storage. */
  async read(): Promise<readonly StoredRecord[]> {
    const { storage, writer } = this.#parts;
    const { offset } = writer;
    return scanLog(this.path, (await storage.read()).subarray(0, offset)).records;
  }

  /** Waits for the appends under way, then lets the log and its lease go. Later appends are refused. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await this.#draining;
    try {
      await this.#parts.storage.close();
    } finally {
      await this.#parts.lease.release();
    }
  }

  async #drain(): Promise<void> {
    // Appends made in the same turn of the event loop join the first group.
    await Promise.resolve();
    while (this.#queue.length > 0) {
      const group = this.#queue;
      this.#queue = [];
      await this.#commit(group);
    }
    this.#draining = undefined;
  }

  async #commit(group: readonly Waiting[]): Promise<void> {
    const { index, writer } = this.#parts;
    try {
      const staged = this.#stage(group);
      if (staged.text !== '') await writer.write(Buffer.from(staged.text));
      index.absorb(staged.added);
      this.#sequence = staged.lastSequence;
      for (const [position, waiting] of group.entries()) settle(waiting, staged.outcomes[position]);
    } catch (error) {
      for (const waiting of group) this.#reject(waiting, error as Error);
    }
  }

  /** A record that was durable before its group failed is a duplicate all the same. */
  #reject(waiting: Waiting, error: Error): void {
    const [outcome] = this.#stage([waiting]).outcomes;
    if (outcome && 'sequence' in outcome && !outcome.appended) waiting.resolve(outcome);
    else waiting.reject(error);
  }

  #stage(group: readonly Waiting[]) {
    return stageGroup(group, this.#parts.index, this.#sequence, this.epoch);
  }
}

function settle({ resolve, reject }: Waiting, outcome: Outcome | undefined): void {
  if (outcome && 'sequence' in outcome) resolve(outcome);
  else reject(outcome?.refusal ?? new Error('an append was left without an outcome'));
}
