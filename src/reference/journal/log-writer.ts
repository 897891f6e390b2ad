import { JournalUnusableError, StaleWriterError } from './errors.js';
import type { JournalStorage } from './storage.js';

/** Writes at the end of a log that it alone writes, and stops for good when that is no longer so. */
export class LogWriter {
  #offset: number;
  #refusal: Error | undefined;

  constructor(
    private readonly path: string,
    private readonly storage: JournalStorage,
    /** Where the log ends, in bytes. */
    offset: number,
  ) {
    this.#offset = offset;
  }

  /** Where the durable log ends, in bytes. */
  get offset(): number {
    return this.#offset;
  }

  /**
   * Makes `bytes` durable behind the tip. A failure is taken back, so that the same write may be tried again;
   * where that fails too, and when the tip has moved (`StaleWriterError`), every later write is refused.
   */
  async write(bytes: Buffer): Promise<void> {
    if (this.#refusal) throw this.#refusal;
    await this.assertTip();
    try {
      await this.storage.append(bytes);
      await this.storage.sync();
    } catch (error) {
      await this.#takeBack(bytes.length, error);
      throw error;
    }
    this.#offset += bytes.length;
  }

  /** Throws `StaleWriterError`, now and for good, unless the log ends where this writer left it. */
  async assertTip(): Promise<void> {
    const found = await this.storage.size();
    if (found !== this.#offset) throw this.#refuse(new StaleWriterError(this.path, this.#offset, found));
  }

  async #takeBack(written: number, cause: unknown): Promise<void> {
    try {
      const found = await this.storage.size();
      // More bytes than were ours to write, or fewer than there were: cutting would destroy another's records.
      if (found < this.#offset || found > this.#offset + written) {
        throw new StaleWriterError(this.path, this.#offset, found);
      }
      await this.storage.truncate(this.#offset);
      await this.storage.sync();
    } catch (error) {
      const reason = `${(cause as Error).message}; and taking it back: ${(error as Error).message}`;
      throw this.#refuse(
        error instanceof StaleWriterError
          ? error
          : new JournalUnusableError(`${this.path}: a write failed: ${reason}; open the journal anew`, {
              cause,
            }),
      );
    }
  }

  #refuse(refusal: Error): Error {
    this.#refusal = refusal;
    return refusal;
  }
}
