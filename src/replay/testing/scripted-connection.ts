import type { Connection, ReceivedFrame } from '../../target/connection.js';
import { decodeFrame } from '../../wire/decode.js';

/** A frame as the scripted server received it; no JSON gives an empty one. */
export interface SentFrame {
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: unknown;
}

/** What a scripted server does on a frame: it says things, or ends the connection. */
export type Reaction = (frame: SentFrame, server: ScriptedConnection) => void;

/** A connection without a process behind it: the other end is a function. Frames come in the order in which they were said. */
export class ScriptedConnection implements Connection {
  readonly sent: SentFrame[] = [];
  readonly lines: string[] = [];
  readonly closed: Promise<'end' | 'reset' | 'local'>;
  readonly pendingBytes = 0;
  #listener: ((received: ReceivedFrame) => void) | undefined;
  #close: (how: 'end' | 'reset' | 'local') => void = () => {};

  constructor(private readonly react: Reaction) {
    this.closed = new Promise((resolve) => {
      this.#close = resolve;
    });
  }

  /** The server says a frame. */
  say(frame: unknown): void {
    const raw = typeof frame === 'string' ? frame : JSON.stringify(frame);
    queueMicrotask(() => this.#listener?.({ frame: decodeFrame(raw), atMs: 0 }));
  }

  answer(to: SentFrame, result: unknown): void {
    this.say({ jsonrpc: '2.0', id: to.id, result });
  }

  refuse(to: SentFrame, code: number, kind: string, data: object = {}): void {
    this.say({ jsonrpc: '2.0', id: to.id, error: { code, message: kind, data: { kind, ...data } } });
  }

  /** A notification; a view event gets some provenance. */
  tell(method: string, params: object): void {
    const provenance = 'viewCursor' in params ? { sourceRange: {} } : {};
    this.say({ jsonrpc: '2.0', method, params: { ...provenance, ...params }, emittedAtMs: 1 });
  }

  /** The server ends the connection, after what it has said. */
  end(): void {
    queueMicrotask(() => this.#close('end'));
  }

  async send(line: string | Uint8Array): Promise<void> {
    this.#take(Buffer.from(line).toString('utf8'));
  }

  async sendRaw(bytes: Uint8Array): Promise<void> {
    for (const line of Buffer.from(bytes).toString('utf8').split('\n')) if (line !== '') this.#take(line);
  }

  onFrame(listener: (received: ReceivedFrame) => void): void {
    this.#listener = listener;
  }

  onFault(): void {}
  pause(): void {}
  resume(): void {}

  closeInput(): void {
    this.end();
  }

  destroy(): void {
    this.#close('local');
  }

  #take(line: string): void {
    const { value } = decodeFrame(line);
    const frame = typeof value === 'object' && value !== null ? (value as SentFrame) : {};
    this.lines.push(line);
    this.sent.push(frame);
    this.react(frame, this);
  }
}
