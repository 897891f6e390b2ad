import type { Readable } from 'node:stream';

export const TAIL_BYTES = 16 * 1024;

/** The end of what a server says beside the protocol. The writer is never held up, however much it writes. */
export class StderrTail {
  #chunks: Buffer[] = [];
  #keptBytes = 0;
  #bytes = 0;

  /** Reads the stream to its end. Several streams may share a tail. */
  drain(stream: Readable): void {
    stream.on('data', (chunk: Buffer) => this.#append(chunk));
    stream.on('error', () => stream.destroy());
  }

  /** At most `TAIL_BYTES`, cut at the front; bytes that are no UTF-8 become replacement characters. */
  text(): string {
    const bytes = Buffer.concat(this.#chunks).subarray(-TAIL_BYTES);
    return bytes.subarray(this.#bytes > TAIL_BYTES ? startOfCharacter(bytes) : 0).toString('utf8');
  }

  #append(chunk: Buffer): void {
    this.#bytes += chunk.length;
    this.#keptBytes += chunk.length;
    this.#chunks.push(chunk);
    if (this.#keptBytes > 8 * TAIL_BYTES) this.#cut();
  }

  /** Copies what is kept, so that no part of it holds a whole chunk in memory. */
  #cut(): void {
    this.#chunks = [Buffer.from(Buffer.concat(this.#chunks).subarray(-TAIL_BYTES))];
    this.#keptBytes = TAIL_BYTES;
  }
}

/** The cut may fall within a character: skips its continuation bytes. */
function startOfCharacter(bytes: Buffer): number {
  const at = bytes.findIndex((byte) => (byte & 0xc0) !== 0x80);
  return at > 0 && at < 4 ? at : 0;
}
