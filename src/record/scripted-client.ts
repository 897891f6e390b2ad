import type { Connection } from '../target/connection.js';
import type { UnplacedStep } from '../transcript/write-transcript.js';
import { decodeFrame } from '../wire/decode.js';
import type { Frame, RequestId } from '../wire/frame.js';
import { idKey } from '../wire/ids.js';
import { contains } from './contains.js';
import type { ScriptLine } from './script.js';
import type { ScriptValues } from './script-values.js';

/**
 * Plays one connection's stretch of a script: each line goes out as soon as the answers of all earlier requests and
 * the awaited frames have come, in the same turn of the event loop. Server requests are answered with `{}` at once.
 * What was sent and received is told in order; nothing is told after the last line is done, since what a server
 * says after that depends on chance.
 */
export class ScriptedClient {
  readonly #received: Frame[] = [];
  readonly #unanswered = new Map<string, { readonly count: number; readonly line: ScriptLine | undefined }>();
  #next = 0;
  #finish: () => void = () => {};
  #fail: (error: unknown) => void = () => {};
  readonly #finished: Promise<void>;

  constructor(
    private readonly lines: readonly ScriptLine[],
    private readonly connection: Connection,
    private readonly values: ScriptValues,
    private readonly tell: (step: UnplacedStep, line: ScriptLine | undefined, frame: Frame) => void,
    /** The client frame as it goes out, given with its placeholders filled. */
    private readonly adapt: (raw: string, line: ScriptLine) => string,
  ) {
    this.#finished = new Promise((resolve, reject) => {
      this.#finish = resolve;
      this.#fail = reject;
    });
  }

  /** Resolves when the last line is done; rejects with what a placeholder or a listener threw. */
  play(): Promise<void> {
    this.connection.onFrame(({ frame }) => this.#guarded(() => this.#receive(frame)));
    this.#guarded(() => this.#advance());
    return this.#finished;
  }

  /** The line whose answer or frame is being waited for, or that cannot go out; undefined at the end. */
  get current(): ScriptLine | undefined {
    const [unanswered] = this.#unanswered.values();
    return unanswered?.line ?? this.lines[this.#next];
  }

  /** What the client waits for, in words. */
  get waitsFor(): string {
    const line = this.current;
    if (line?.kind === 'await') return `a frame that holds ${line.members}`;
    return `the answer to request ${[...this.#unanswered.keys()].map((key) => key.slice(2)).join(', ')}`;
  }

  get #isDone(): boolean {
    return this.#next === this.lines.length && this.#unanswered.size === 0;
  }

  #guarded(act: () => void): void {
    try {
      act();
    } catch (error) {
      this.#fail(error);
    }
  }

  #receive(frame: Frame): void {
    if (this.#isDone) return;
    this.tell({ dir: 'server', raw: frame.raw }, undefined, frame);
    const { message } = frame;
    if (message.kind === 'success' || message.kind === 'error') this.#settle(message.id, frame);
    else if (message.kind !== 'invalid') this.values.noteCall(message.method, frame);
    this.#received.push(frame);
    if (message.kind === 'request') {
      this.#send(JSON.stringify({ jsonrpc: '2.0', id: message.id, result: {} }), undefined);
    }
    this.#advance();
  }

  #settle(id: RequestId | null, frame: Frame): void {
    if (id === null) return;
    const asked = this.#unanswered.get(idKey(id));
    if (asked === undefined || asked.count === 1) this.#unanswered.delete(idKey(id));
    else this.#unanswered.set(idKey(id), { ...asked, count: asked.count - 1 });
    this.values.noteAnswer(id, frame);
  }

  #advance(): void {
    for (;;) {
      const line = this.lines[this.#next];
      if (line === undefined || !this.#mayPass(line)) break;
      const raw = line.kind === 'send' ? this.adapt(this.values.fill(line.raw), line) : undefined;
      this.#next += 1;
      if (raw !== undefined) this.#send(raw, line);
    }
    if (this.#isDone) this.#finish();
  }

  #mayPass(line: ScriptLine): boolean {
    const isSettled = this.#unanswered.size === 0;
    if (line.kind !== 'await') return isSettled || (line.kind === 'send' && line.isPipelined);
    if (!isSettled) return false;
    const members: unknown = JSON.parse(this.values.fill(line.members));
    const found = this.#received.findIndex(({ value }) => contains(value, members));
    if (found !== -1) this.#received.splice(found, 1);
    return found !== -1;
  }

  #send(raw: string, line: ScriptLine | undefined): void {
    const frame = decodeFrame(raw);
    const { message } = frame;
    if (message.kind === 'request') {
      const count = this.#unanswered.get(idKey(message.id))?.count ?? 0;
      this.#unanswered.set(idKey(message.id), { count: count + 1, line });
    }
    this.tell({ dir: 'client', raw }, line, frame);
    void this.connection.send(raw);
  }
}
