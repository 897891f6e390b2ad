/** The frame limit of a server whose configuration states none: 10 MiB. */
export const DEFAULT_FRAME_LIMIT_BYTES = 10 * 1024 * 1024;

/** How much of an oversize line is kept: enough to recover an id. */
export const OVERSIZE_PREFIX_BYTES = 4096;

export type LineEvent =
  /** A whole line without its LF (a CR stays). `bytes` may share memory with the pushed chunk. */
  | { readonly kind: 'line'; readonly bytes: Buffer }
  /**
   * A line passed the cap. Reported once, as soon as it does, because its end may never come; the rest up to
   * the LF is dropped. `length` is the bytes that had been counted, always cap + 1: the line is at least as long.
   */
  | { readonly kind: 'oversize'; readonly prefix: Buffer; readonly length: number }
  /** The bytes after the last LF when the stream ended; only if there are any. */
  | { readonly kind: 'unterminated'; readonly bytes: Buffer };

/**
 * Cuts a byte stream at LF. The events depend on the bytes alone, not on how they were chunked. Holds less than
 * twice the cap, whatever arrives. The cap counts a line's bytes without the LF; a line of exactly the cap passes.
 */
export class LineSplitter {
  private readonly capBytes: number;
  private pending = Buffer.alloc(0);
  private pendingLength = 0;
  private isDiscarding = false;

  constructor(options: { readonly capBytes: number }) {
    this.capBytes = options.capBytes;
  }

  push(chunk: Uint8Array): LineEvent[] {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    const events: LineEvent[] = [];
    let start = 0;
    for (let end = bytes.indexOf(LF); end !== -1; end = bytes.indexOf(LF, start)) {
      this.finishLine(bytes.subarray(start, end), events);
      start = end + 1;
    }
    if (start < bytes.length) {
      this.continueLine(bytes.subarray(start), events);
    }
    return events;
  }

  /** Call once, when the stream has ended. */
  end(): LineEvent[] {
    const rest = this.takePending();
    return rest.length === 0 ? [] : [{ kind: 'unterminated', bytes: rest }];
  }

  private finishLine(tail: Buffer, events: LineEvent[]): void {
    if (!this.isDiscarding && this.pendingLength === 0 && tail.length <= this.capBytes) {
      events.push({ kind: 'line', bytes: tail });
      return;
    }
    this.continueLine(tail, events);
    if (!this.isDiscarding) {
      events.push({ kind: 'line', bytes: this.takePending() });
    }
    this.isDiscarding = false;
  }

  private continueLine(bytes: Buffer, events: LineEvent[]): void {
    if (this.isDiscarding) {
      return;
    }
    if (this.pendingLength + bytes.length <= this.capBytes) {
      this.append(bytes);
      return;
    }
    const head = this.takePending();
    const prefix = Buffer.concat([
      head.subarray(0, OVERSIZE_PREFIX_BYTES),
      bytes.subarray(0, OVERSIZE_PREFIX_BYTES),
    ]);
    const kept = Math.min(OVERSIZE_PREFIX_BYTES, this.capBytes + 1);
    events.push({ kind: 'oversize', prefix: prefix.subarray(0, kept), length: this.capBytes + 1 });
    this.isDiscarding = true;
  }

  /** Grows by doubling, so that a line that arrives byte by byte is copied a constant number of times. */
  private append(bytes: Buffer): void {
    const needed = this.pendingLength + bytes.length;
    if (needed > this.pending.length) {
      const capacity = Math.min(
        Math.max(needed, this.pending.length * 2, 256),
        Math.max(needed, this.capBytes),
      );
      const grown = Buffer.allocUnsafe(capacity);
      this.pending.copy(grown, 0, 0, this.pendingLength);
      this.pending = grown;
    }
    bytes.copy(this.pending, this.pendingLength);
    this.pendingLength = needed;
  }

  private takePending(): Buffer {
    const taken = this.pending.subarray(0, this.pendingLength);
    this.pending = Buffer.alloc(0);
    this.pendingLength = 0;
    return taken;
  }
}

const LF = 0x0a;
