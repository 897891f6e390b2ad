import { hash } from 'node:crypto';
import { IdempotencyCollisionError } from './errors.js';

/** What was persisted under an id: its kind and the SHA-256 of the body's bytes. */
export class Fingerprint {
  readonly #kind: string;
  readonly #sha256: string;

  constructor(kind: string, body: string) {
    this.#kind = kind;
    this.#sha256 = hash('sha256', body, 'base64');
  }

  /** True only for byte-identical persisted records. */
  equals(other: Fingerprint): boolean {
    return this.#kind === other.#kind && this.#sha256 === other.#sha256;
  }
}

export interface IndexEntry {
  readonly sequence: number;
  readonly fingerprint: Fingerprint;
}

/**
 * The ids that are on disk. Not serialised by itself: the journal asks it under the order of its appends,
 * and tells it of a record only once that record is durable.
 */
export class IdempotencyIndex {
  readonly #entries = new Map<string, IndexEntry>();

  /** `base` is looked up after this index's own entries, so that a group can be staged above what is durable. */
  constructor(private readonly base?: IdempotencyIndex) {}

  observe(id: string, sequence: number, fingerprint: Fingerprint): void {
    this.#entries.set(id, { sequence, fingerprint });
  }

  lookup(id: string): IndexEntry | undefined {
    return this.#entries.get(id) ?? this.base?.lookup(id);
  }

  /** The sequence of the identical record, undefined for a new id. Throws `IdempotencyCollisionError`. */
  check(id: string, fingerprint: Fingerprint): number | undefined {
    const entry = this.lookup(id);
    if (entry === undefined) return undefined;
    if (!entry.fingerprint.equals(fingerprint)) throw new IdempotencyCollisionError(id, entry.sequence);
    return entry.sequence;
  }

  /** Takes over the entries that were staged above this index. */
  absorb(staged: IdempotencyIndex): void {
    for (const [id, entry] of staged.#entries) this.#entries.set(id, entry);
  }
}
