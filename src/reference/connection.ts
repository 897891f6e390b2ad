import { decodeFrame } from '../wire/decode.js';
import type { RequestId } from '../wire/frame.js';
import { type LineEvent, LineSplitter } from '../wire/line-splitter.js';
import { dispatch } from './dispatch.js';
import { Egress, type Phase } from './egress.js';
import { type ErrorObject, ProtocolError } from './errors.js';
import { type Agreement, PROTECTED_NOTIFICATIONS } from './handshake.js';
import type { Host } from './host.js';
import type { JsonObject } from './json.js';
import type { Answer } from './ledger.js';
import { recoverId } from './recover-id.js';
import type { Transport } from './transport.js';

/** How many lines may wait while an earlier request is still being served. */
export const INGRESS_CAPACITY = 4096;

/** One client: its lines in, its frames out, and what was agreed with it. Requests are served in the order of arrival. */
export class Connection {
  /** `answered` after initialize was, `ready` once the client said `initialized`. */
  phase: Phase = 'new';
  agreement: Agreement | undefined;
  readonly egress: Egress;
  readonly #splitter: LineSplitter;
  readonly #waiting: LineEvent[] = [];
  readonly #held: (() => void)[] = [];
  #isServing = false;
  #served: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(
    readonly host: Host,
    private readonly transport: Transport,
    /** Capabilities that this transport may be granted. */
    readonly grantable: readonly string[],
  ) {
    this.#splitter = new LineSplitter({ capBytes: host.frameLimitBytes });
    this.egress = new Egress(transport, host.seams, host.frameLimitBytes, host.backlogLimitBytes);
  }

  receive(chunk: Uint8Array): void {
    if (this.#isClosed) return;
    for (const event of this.#splitter.push(chunk)) this.#accept(event);
    if (!this.#isServing) this.#served = this.#serve();
  }

  /** No more lines will come. Resolves once those that came are served. */
  async finish(): Promise<void> {
    await this.#served;
  }

  /** The connection is over: nothing is sent any more, and its subscriptions are gone. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.host.connections.delete(this);
    for (const session of this.host.sessions.values()) {
      if (session.subscribers.delete(this)) this.host.unloadWhenIdle(session);
    }
    this.transport.end();
  }

  respond(id: RequestId | null, method: string, answer: Answer): void {
    this.host.outbox.deliver(() => {
      if (this.#isClosed || this.egress.send({ jsonrpc: '2.0', id, ...answer }, method, this.phase)) return;
      const error = new ProtocolError('internal', 'the answer does not fit into a frame').toErrorObject();
      this.#send({ jsonrpc: '2.0', id, error }, method);
    });
  }

  /** A notification that belongs to no subscription. */
  notify(method: string, params: JsonObject, emittedAtMs: number): void {
    if (this.#declines(method)) return;
    this.#whenReady(() => this.#send({ jsonrpc: '2.0', method, params, emittedAtMs }, method));
  }

  /** An event of the view that this connection follows. */
  sendEvent(sessionId: string, viewCursor: string, frame: JsonObject): void {
    const method = frame['method'] as string;
    if (this.#declines(method)) return;
    const isProtected = PROTECTED_NOTIFICATIONS.has(method);
    this.#whenReady(() => {
      if (!this.#isClosed) this.egress.sendEvent(frame, { sessionId, viewCursor }, isProtected);
    });
  }

  /** A request of the server. The client's answer is a receipt, so nobody waits for it. */
  sendRequest(method: string, params: JsonObject): void {
    if (method === 'userInput/request' && this.agreement?.showsDialogs === false) return;
    this.#whenReady(() =>
      this.#send({ jsonrpc: '2.0', id: this.host.nextRequestId(), method, params }, method),
    );
  }

  /** The client said that it is ready: what was held back goes out. */
  becomeReady(): void {
    if (this.phase !== 'answered') return;
    this.phase = 'ready';
    for (const send of this.#held.splice(0)) send();
  }

  #accept(event: LineEvent): void {
    // An unterminated line was never sent whole.
    if (event.kind === 'unterminated') return;
    if (this.#waiting.length < INGRESS_CAPACITY) {
      this.#waiting.push(event);
      return;
    }
    const id = event.kind === 'line' ? idOf(event.bytes) : undefined;
    if (id === undefined) return;
    const error = new ProtocolError('overloaded', 'too many requests are waiting', { retryable: true });
    this.respond(id, '', { error: error.toErrorObject() });
    this.host.outbox.commit();
  }

  async #serve(): Promise<void> {
    this.#isServing = true;
    for (let event = this.#waiting.shift(); event !== undefined; event = this.#waiting.shift()) {
      const served =
        event.kind === 'oversize' ? this.#refuseOversize(event.prefix) : this.#serveLine(event.bytes);
      if (served) await served;
      this.host.outbox.commit();
    }
    this.#isServing = false;
  }

  #serveLine(bytes: Buffer): void | Promise<void> {
    const frame = decodeFrame(bytes);
    return frame.raw.trim() === '' ? undefined : dispatch(this, frame);
  }

  #refuseOversize(prefix: Buffer): undefined {
    const id = recoverId(prefix);
    const limitBytes = this.host.frameLimitBytes;
    const error =
      id === undefined
        ? new ProtocolError('parseError', `a line is over the limit of ${limitBytes} bytes`, { limitBytes })
        : new ProtocolError('inputTooLarge', `the frame is over the limit of ${limitBytes} bytes`, {
            limitBytes,
          });
    this.refuse(id ?? null, error.toErrorObject());
    if (!this.host.seams.survives(true, { problem: 'oversize' })) this.close();
  }

  refuse(id: RequestId | null, error: ErrorObject): void {
    this.respond(id, '', { error });
  }

  #declines(method: string): boolean {
    const isDeclined = this.agreement?.optOuts.has(method) === true && !PROTECTED_NOTIFICATIONS.has(method);
    return this.host.seams.gate(isDeclined, { gate: 'optOut', method });
  }

  #whenReady(send: () => void): void {
    if (this.phase === 'ready') send();
    else this.#held.push(send);
  }

  #send(frame: JsonObject, method: string): void {
    if (!this.#isClosed) this.egress.send(frame, method, this.phase);
  }
}

function idOf(bytes: Buffer): RequestId | undefined {
  const { message } = decodeFrame(bytes);
  return message.kind === 'request' ? message.id : undefined;
}
