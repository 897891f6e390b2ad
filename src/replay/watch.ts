import type { Finding, PassName } from '../checks/finding.js';
import { type ConnectionEnd, StreamChecker } from '../checks/stream-checker.js';
import { decodeFrame } from '../wire/decode.js';
import type { Frame } from '../wire/frame.js';
import type { StreamFault } from '../wire/stream-fault.js';

type Waiting = { readonly pass: PassName } & Seen;

type Seen =
  | { readonly dir: 'server'; readonly frame: Frame; readonly atMs: number }
  | { readonly dir: 'client'; readonly line: string; readonly atMs: number };

/**
 * The stream rules over a connection. Frames wait, in order, until the harness has sent what it had to send, so that
 * the rules are applied while the server works and not between its answer and the next request.
 */
export class Watch {
  readonly #checker: StreamChecker;
  #pass: PassName;
  #waiting: Waiting[] = [];

  constructor(context: ConstructorParameters<typeof StreamChecker>[0]) {
    this.#checker = new StreamChecker(context);
    this.#pass = context.pass ?? 'replay';
  }

  /** What is seen from now on belongs to this pass. */
  enter(pass: PassName): void {
    this.#pass = pass;
  }

  received(frame: Frame, atMs: number): void {
    this.#add({ dir: 'server', frame, atMs });
  }

  sent(line: string, atMs: number): void {
    this.#add({ dir: 'client', line, atMs });
  }

  connectionFault(fault: StreamFault): void {
    this.#catchUp();
    this.#checker.connectionFault(fault);
  }

  connectionClosed(how: ConnectionEnd): void {
    this.#catchUp();
    this.#checker.connectionClosed(how);
  }

  finish(): readonly Finding[] {
    this.#catchUp();
    return this.#checker.finish();
  }

  #add(seen: Seen): void {
    if (this.#waiting.length === 0) setImmediate(() => this.#catchUp());
    this.#waiting.push({ ...seen, pass: this.#pass });
  }

  #catchUp(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const { atMs, pass, ...seen } of waiting) {
      this.#checker.enter(pass);
      this.#checker.observe({
        dir: seen.dir,
        frame: seen.dir === 'server' ? seen.frame : decodeFrame(seen.line),
        atMs,
      });
    }
    this.#checker.enter(this.#pass);
  }
}
