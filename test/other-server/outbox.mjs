import { once } from 'node:events';
import { setImmediate as nextLoop } from 'node:timers/promises';

/**
 * Writes lines to a stream in one total order but in awkward pieces: some lines are cut in the middle (of a character,
 * where it can), others travel together in one write.
 */
export class Outbox {
  /** @param {import('node:stream').Writable} stream */
  constructor(stream) {
    this.stream = stream;
    /** @type {Buffer[]} */
    this.waiting = [];
    this.count = 0;
    this.isOpen = true;
    /** @type {Promise<void> | undefined} */
    this.pump = undefined;
    stream.on('error', () => this.close());
    stream.on('close', () => this.close());
  }

  /** @param {string} line without its line end */
  push(line) {
    if (!this.isOpen) return;
    this.waiting.push(Buffer.from(`${line}\n`, 'utf8'));
    this.pump ??= this.drain().finally(() => {
      this.pump = undefined;
    });
  }

  /** Resolves once all that was pushed has been handed to the stream. */
  async flushed() {
    while (this.pump !== undefined) await this.pump;
  }

  close() {
    this.isOpen = false;
    this.waiting = [];
  }

  async drain() {
    await nextLoop();
    while (this.isOpen && this.waiting.length > 0) {
      this.count += 1;
      if (this.count % 3 === 0) await this.writeInPieces(/** @type {Buffer} */ (this.waiting.shift()));
      else await this.write(Buffer.concat(this.waiting.splice(0, 2)));
    }
  }

  /** @param {Buffer} line */
  async writeInPieces(line) {
    const odd = line.findIndex((byte) => byte >= 0xc0);
    const cut = odd > 0 ? odd + 1 : Math.floor(line.length / 3);
    await this.write(line.subarray(0, cut));
    await nextLoop();
    await this.write(line.subarray(cut, line.length - 1));
    await nextLoop();
    await this.write(line.subarray(line.length - 1));
  }

  /** @param {Buffer} bytes */
  async write(bytes) {
    if (!this.isOpen || this.stream.write(bytes)) return;
    const stop = new AbortController();
    await Promise.race([
      once(this.stream, 'drain', { signal: stop.signal }),
      once(this.stream, 'close', { signal: stop.signal }),
    ]).catch(() => undefined);
    stop.abort();
  }
}
