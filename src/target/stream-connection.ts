import type { Readable, Writable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { decodeServerFrame } from '../wire/decode.js';
import { type LineEvent, LineSplitter } from '../wire/line-splitter.js';
import type { StreamFault } from '../wire/stream-fault.js';
import type { Connection, ReceivedFrame } from './connection.js';
import { within } from './within.js';

/** A connection over a pair of byte streams: a process's stdin and stdout, or twice the same socket. */
export class StreamConnection implements Connection {
  readonly closed: Promise<'end' | 'reset' | 'local'>;
  #settleClosed: (how: 'end' | 'reset' | 'local') => void = () => {};
  readonly #input: Readable;
  readonly #output: Writable;
  readonly #limitBytes: number;
  readonly #clock: () => number;
  readonly #splitter: LineSplitter;
  readonly #frameListeners: ((received: ReceivedFrame) => void)[] = [];
  readonly #faultListeners: ((fault: StreamFault) => void)[] = [];
  #chunks = 0;
  #isFlowing = false;
  #hasEnded = false;
  #isDestroyed = false;
  #takesNoInput = false;

  constructor(
    /** Where the server's frames come from and ours go to. */
    streams: { readonly from: Readable; readonly to: Writable },
    options: { readonly frameLimitBytes: number; clock(): number },
  ) {
    this.#input = streams.from;
    this.#output = streams.to;
    this.#limitBytes = options.frameLimitBytes;
    this.#clock = options.clock;
    this.#splitter = new LineSplitter({ capBytes: options.frameLimitBytes });
    this.closed = new Promise((resolve) => {
      this.#settleClosed = resolve;
    });
    this.#input.pause();
    this.#input.on('data', (chunk: Buffer) => this.#take(chunk));
    this.#input.on('end', () => this.#end());
    this.#input.on('error', (error) => this.#breakOff(error));
    this.#input.on('close', () => this.#close(this.#isDestroyed ? 'local' : 'reset'));
    // A socket's one error belongs to its reading; failed writes are told by their callbacks.
    if (streams.to !== (streams.from as unknown))
      this.#output.on('error', (error) => this.#stopWriting(error));
  }

  send(line: string | Uint8Array): Promise<void> {
    return this.#write(typeof line === 'string' ? `${line}\n` : Buffer.concat([line, LF]));
  }

  sendRaw(bytes: Uint8Array): Promise<void> {
    return this.#write(bytes);
  }

  onFrame(listener: (received: ReceivedFrame) => void): void {
    this.#frameListeners.push(listener);
    if (this.#frameListeners.length === 1) this.resume();
  }

  onFault(listener: (fault: StreamFault) => void): void {
    this.#faultListeners.push(listener);
  }

  pause(): void {
    this.#isFlowing = false;
    this.#input.pause();
  }

  resume(): void {
    this.#isFlowing = true;
    this.#input.resume();
  }

  get pendingBytes(): number {
    return this.#output.writableLength;
  }

  closeInput(): void {
    this.#output.end();
  }

  destroy(): void {
    this.#isDestroyed = true;
    this.#output.destroy();
    this.#input.destroy();
  }

  /**
   * Delivers what the dead server had written, then closes. Another process may hold the far end open: silence ends
   * the wait, and so does a flood that goes on for too long.
   */
  async finish(): Promise<void> {
    const deadline = performance.now() + DRAIN_LIMIT_MS;
    this.resume();
    for (let chunks = -1; chunks !== this.#chunks && !this.#hasEnded && performance.now() < deadline; ) {
      chunks = this.#chunks;
      await within(this.closed, DRAIN_SILENCE_MS);
      // A busy harness may see the timer before the bytes that were there all along.
      await nextTurn();
      await nextTurn();
    }
    this.destroy();
    await this.closed;
  }

  #write(bytes: string | Uint8Array): Promise<void> {
    if (this.#takesNoInput || this.#output.destroyed || this.#output.writableEnded) return Promise.resolve();
    return new Promise((resolve) => {
      this.#output.write(bytes, (error) => {
        if (error) this.#stopWriting(error);
        resolve();
      });
    });
  }

  /** Node reads on from a process that has exited, even where it was told to pause. */
  #take(chunk: Buffer): void {
    if (this.#isFlowing) {
      this.#receive(chunk);
      return;
    }
    this.#input.pause();
    this.#input.unshift(chunk);
  }

  #receive(chunk: Buffer): void {
    this.#chunks += 1;
    const atMs = this.#clock();
    for (const event of this.#splitter.push(chunk)) this.#deliver(event, atMs);
  }

  #deliver(event: LineEvent, atMs: number): void {
    switch (event.kind) {
      case 'line': {
        const received = { frame: decodeServerFrame(event.bytes), atMs };
        for (const listener of this.#frameListeners) listener(received);
        break;
      }
      case 'oversize':
        this.#report({
          kind: 'oversizeLine',
          limitBytes: this.#limitBytes,
          head: textOf(event.prefix),
          atMs,
        });
        break;
      case 'unterminated':
        this.#report({
          kind: 'unterminatedLine',
          bytes: event.bytes.length,
          head: textOf(event.bytes),
          atMs,
        });
        break;
    }
  }

  #report(fault: StreamFault): void {
    for (const listener of this.#faultListeners) listener(fault);
  }

  #end(): void {
    this.#endLine();
    this.#close('end');
  }

  #breakOff(error: NodeJS.ErrnoException): void {
    if (this.#hasEnded || this.#isDestroyed) return;
    this.#endLine();
    this.#report({ kind: 'readFailed', code: error.code ?? error.message, atMs: this.#clock() });
    this.#close('reset');
  }

  #endLine(): void {
    for (const event of this.#splitter.end()) this.#deliver(event, this.#clock());
  }

  #close(how: 'end' | 'reset' | 'local'): void {
    this.#hasEnded = true;
    this.#settleClosed(how);
  }

  #stopWriting(error: NodeJS.ErrnoException): void {
    if (this.#takesNoInput || this.#isDestroyed) return;
    this.#takesNoInput = true;
    const code = error.code?.startsWith('ERR_STREAM') ? 'EPIPE' : (error.code ?? error.message);
    this.#report({ kind: 'writeFailed', code, atMs: this.#clock() });
  }
}

const LF = Buffer.from('\n');

/** How long a dead server's pipe may be silent before somebody else must be holding it open. */
const DRAIN_SILENCE_MS = 200;

const DRAIN_LIMIT_MS = 5000;

const HEAD_BYTES = 4096;

function textOf(bytes: Buffer): string {
  return bytes.subarray(0, HEAD_BYTES).toString('utf8');
}
