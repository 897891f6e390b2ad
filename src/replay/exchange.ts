import type { Connection, ReceivedFrame } from '../target/connection.js';
import type { ExactJson, ExactObject } from '../wire/exact-json.js';
import type { Frame, RequestId } from '../wire/frame.js';
import { idKey } from '../wire/ids.js';
import { EventLog, FloodError } from './event-log.js';
import { timeLimit } from './time-limit.js';
import type { Trace } from './trace.js';

/** A response, kept exactly as it came. */
export interface Answer {
  readonly kind: 'result' | 'error';
  /** The `result` or `error` member, losslessly. */
  readonly value: ExactJson;
  /** Pointers of repeated members inside the frame. */
  readonly repeatedMembers: readonly string[];
  readonly frame: Frame;
  /** Milliseconds between the write and the read. */
  readonly tookMs: number;
  /** `error.code`, `error.data.kind`, `error.data.reason`; undefined on a result. */
  readonly code?: number;
  readonly errorKind?: string;
  readonly reason?: string;
}

/** No response: the time limit passed, or the connection ended first. */
export interface NoAnswer {
  readonly kind: 'none';
  readonly why: 'timeout' | 'closed';
}

export type Outcome = Answer | NoAnswer;

/** A server notification or server request as it arrived. */
export interface LiveEvent {
  readonly frame: Frame;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** Set on server requests, which want a receipt. */
  readonly requestId?: RequestId;
  readonly atMs: number;
}

export type Waited<T> = { readonly value: T } | NoAnswer;

interface Pending {
  readonly sentMs: number;
  settle(outcome: Outcome): void;
  fail(flood: FloodError): void;
}

/** Responses without a request that are kept; each has been judged as it came. */
const ORPHANS_KEPT = 1_000;

const ORDERED_KEPT = 100_000;

/**
 * One conversation over one connection: requests and their answers, events in arrival order, and waiting for
 * what has not come yet. Nothing here sleeps; every wait ends by a frame, by the end of the connection or by
 * the time limit.
 */
export class Exchange {
  /** Responses that answer no request in flight, e.g. an error without an id. */
  readonly orphans: Frame[] = [];
  /** Every server frame not yet taken, when the order of all frames matters. */
  readonly inOrder: Frame[] = [];
  readonly #log: EventLog;
  readonly #pending = new Map<string, Pending>();
  readonly #waiters = new Set<() => void>();
  #nextId = 1;
  #frames = 0;
  readonly #received = () => this.#frames;
  #closed = false;
  #flood: FloodError | undefined;

  constructor(
    readonly connection: Connection,
    readonly trace: Trace,
    /** Time limit of one answer, in milliseconds. */
    readonly timeoutMs: number,
    /** Sees every server frame before anyone else does. */
    private readonly observe: (received: ReceivedFrame) => void = () => {},
    /** Sees every line that is sent. */
    private readonly observeSent: (line: string) => void = () => {},
    /** True: keep `inOrder`. */
    private readonly keepsOrder = false,
    /** Methods whose notifications are kept in `events`. */
    keepsEvents: (method: string) => boolean = () => true,
  ) {
    this.#log = new EventLog(keepsEvents);
    connection.onFrame((received) => this.#receive(received));
    connection.closed.then(() => this.#end());
  }

  /** Notifications and server requests in arrival order. */
  get events(): readonly LiveEvent[] {
    return this.#log.all;
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  /** An id that no recorded frame uses. */
  freshId(): RequestId {
    return `harness-${this.#nextId++}`;
  }

  /** Sends a request of the harness' own and waits for its answer. */
  ask(method: string, params?: unknown): Promise<Outcome> {
    const id = this.freshId();
    const message =
      params === undefined ? { jsonrpc: '2.0', id, method } : { jsonrpc: '2.0', id, method, params };
    return this.post(JSON.stringify(message), id);
  }

  /** Sends one line that is a request with this id and waits for its answer. */
  post(line: string, id: RequestId): Promise<Outcome> {
    const answer = this.expectAnswer(id);
    void this.send(line);
    return answer;
  }

  /** Sends several lines in one write. */
  sendTogether(lines: readonly string[]): void {
    for (const line of lines) this.#noteSent(line);
    void this.connection.sendRaw(Buffer.from(lines.map((line) => `${line}\n`).join(''), 'utf8'));
  }

  /** Resolves when the operating system has the line; nobody needs to wait for that but who counts the moments after it. */
  send(line: string): Promise<void> {
    this.#noteSent(line);
    return this.connection.send(line);
  }

  /** Registers interest in the answer to a request that is about to be sent. Rejects with `FloodError`. */
  expectAnswer(id: RequestId, timeoutMs: number = this.timeoutMs): Promise<Outcome> {
    if (this.#closed) return Promise.resolve({ kind: 'none', why: 'closed' });
    const answer = new Promise<Outcome>((resolve, reject) => {
      const key = idKey(id);
      const cancel = timeLimit(timeoutMs, this.#received, () =>
        pending.settle({ kind: 'none', why: 'timeout' }),
      );
      const pending: Pending = {
        sentMs: this.trace.clock(),
        settle: (outcome) => {
          cancel();
          if (this.#pending.get(key) === pending) this.#pending.delete(key);
          resolve(outcome);
        },
        fail: (flood) => {
          cancel();
          reject(flood);
        },
      };
      if (this.#flood === undefined) this.#pending.set(key, pending);
      else pending.fail(this.#flood);
    });
    // Whoever has lost interest in the answer need not hear of the flood.
    answer.catch(() => {});
    return answer;
  }

  /** Waits until `look` finds something; it is asked now and after every frame. Rejects with `FloodError`. */
  until<T>(look: () => T | undefined, timeoutMs: number = this.timeoutMs): Promise<Waited<T>> {
    return new Promise((resolve, reject) => {
      const finish = (conclude: () => void) => {
        cancel();
        this.#waiters.delete(waiter);
        conclude();
      };
      const waiter = () => {
        const value = look();
        if (value !== undefined) finish(() => resolve({ value }));
        else if (this.#flood !== undefined) finish(() => reject(this.#flood));
        else if (this.#closed) finish(() => resolve({ kind: 'none', why: 'closed' }));
      };
      const cancel = timeLimit(timeoutMs, this.#received, () =>
        finish(() => resolve({ kind: 'none', why: 'timeout' })),
      );
      this.#waiters.add(waiter);
      waiter();
    });
  }

  /** Waits for the first event from `first` on that is the wanted one; each event is looked at once. */
  untilEvent(first: number, isWanted: (event: LiveEvent) => boolean): Promise<Waited<LiveEvent>> {
    let next = first;
    return this.until(() => {
      while (next < this.events.length) {
        const event = this.events[next++];
        if (event !== undefined && isWanted(event)) return event;
      }
      return undefined;
    });
  }

  #receive(received: ReceivedFrame): void {
    const { frame, atMs } = received;
    this.#frames += 1;
    this.trace.note('server', frame.raw, atMs);
    this.observe(received);
    const { message } = frame;
    if (message.kind === 'notification' || message.kind === 'request') {
      const params = isRecord(message.params) ? message.params : {};
      const event = { frame, method: message.method, params, atMs };
      this.#keep(() =>
        this.#log.add(message.kind === 'request' ? { ...event, requestId: message.id } : event),
      );
    } else if (message.kind === 'success' || message.kind === 'error') {
      const pending = message.id === null ? undefined : this.#pending.get(idKey(message.id));
      if (pending !== undefined) pending.settle(toAnswer(frame, atMs - pending.sentMs));
      else if (this.orphans.length < ORPHANS_KEPT) this.orphans.push(frame);
    }
    if (this.keepsOrder) this.#keep(() => this.#queue(frame));
    this.#wake();
  }

  #queue(frame: Frame): void {
    if (this.inOrder.length >= ORDERED_KEPT)
      throw new FloodError(`the server is more than ${ORDERED_KEPT} frames ahead of the recording`);
    this.inOrder.push(frame);
  }

  /** After a flood nothing more is read or kept, and every wait ends with it. */
  #keep(add: () => void): void {
    if (this.#flood !== undefined) return;
    try {
      add();
    } catch (flood) {
      if (!(flood instanceof FloodError)) throw flood;
      this.#flood = flood;
      this.connection.pause();
      for (const pending of this.#pending.values()) pending.fail(flood);
      this.#pending.clear();
    }
  }

  #end(): void {
    this.#closed = true;
    for (const pending of [...this.#pending.values()]) pending.settle({ kind: 'none', why: 'closed' });
    this.#wake();
  }

  #wake(): void {
    for (const waiter of [...this.#waiters]) waiter();
  }

  #noteSent(line: string): void {
    this.trace.note('client', line);
    this.observeSent(line);
  }
}

/** The answer in a response frame; `tookMs` is for the caller to know. */
export function toAnswer(frame: Frame, tookMs = 0): Answer {
  const document = frame.exact;
  const whole = (document?.value ?? {}) as ExactObject;
  const repeatedMembers = document?.repeatedMembers ?? [];
  if (frame.message.kind !== 'error') {
    return { kind: 'result', value: whole['result'] ?? null, repeatedMembers, frame, tookMs };
  }
  const error = isRecord(frame.message.error) ? frame.message.error : {};
  const data = isRecord(error['data']) ? error['data'] : {};
  return {
    kind: 'error',
    value: whole['error'] ?? null,
    repeatedMembers,
    frame,
    tookMs,
    ...(typeof error['code'] === 'number' && { code: error['code'] }),
    ...(typeof data['kind'] === 'string' && { errorKind: data['kind'] }),
    ...(typeof data['reason'] === 'string' && { reason: data['reason'] }),
  };
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
