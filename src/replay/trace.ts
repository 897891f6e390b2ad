import type { Evidence } from '../checks/finding.js';
import { ownCopy } from '../wire/own-copy.js';

/** Frames kept for evidence; older ones are dropped so that a chatty server cannot fill memory. */
const KEPT = 400;

/** Longest text of one frame that evidence shows, in UTF-16 code units. */
const SHOWN = 4_000;

/** What went over the wire of one scenario, newest last, bounded. Control entries are the harness' own acts. */
export class Trace {
  readonly #entries: Evidence[] = [];
  #dropped = 0;

  constructor(
    /** Milliseconds since the scenario began. */
    readonly clock: () => number,
  ) {}

  note(dir: Evidence['dir'], raw: string, atMs: number = this.clock()): void {
    this.#entries.push({ atMs, dir, raw: raw.length > SHOWN ? `${ownCopy(raw.slice(0, SHOWN))}…` : raw });
    if (this.#entries.length > 2 * KEPT) {
      this.#dropped += this.#entries.length - KEPT;
      this.#entries.splice(0, this.#entries.length - KEPT);
    }
  }

  /** A position to cut evidence from later: how many entries have been noted so far. */
  mark(): number {
    return this.#dropped + this.#entries.length;
  }

  /** The last `count` entries, or those since `from` (still at most `count`, newest kept). */
  tail(count = 12, from = 0): Evidence[] {
    const start = Math.max(0, from - this.#dropped, this.#entries.length - count);
    return this.#entries.slice(start);
  }
}
