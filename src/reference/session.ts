import { type Clock, timestamp } from './clock.js';
import type { Connection } from './connection.js';
import type { ErrorObject } from './errors.js';
import type { Seams } from './faults.js';
import { foldEvent, foldRecord } from './fold.js';
import type { IdSource } from './ids.js';
import type { JsonObject } from './json.js';
import type { Intake } from './ledger.js';
import type { Outbox } from './outbox.js';
import type { Run } from './run.js';
import { SessionFold } from './session-fold.js';
import type { RecordKind, SessionLog } from './session-log.js';
import { attentionOf, sessionObject, statusOf } from './session-object.js';
import { isComplete } from './state.js';
import { EPHEMERAL_RUN } from './view.js';

/** What a session needs of its host. */
export interface SessionHost {
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly outbox: Outbox;
  readonly seams: Seams;
  /** Sends a notification to every initialized connection, whatever it follows. */
  broadcast(method: string, params: JsonObject): void;
  /** Tells the connections that follow the list about a changed row. */
  sessionListed(session: Session): void;
  /** The session is not loaded here any more. */
  forget(session: Session): void;
  /** Does something later, unless it is cancelled before. What it changes is committed afterwards. */
  later(ms: number, action: () => void): () => void;
  /** What was last observed of the user's subscription. */
  subscriptionUsage: JsonObject | undefined;
  /** The host is on its way out: nothing new starts. */
  readonly isDraining: boolean;
}

export interface SessionParts {
  readonly host: SessionHost;
  readonly sessionId: string;
  readonly log: SessionLog;
  readonly carrierless: Map<string, Intake>;
  /** How many events of the view are kept. */
  readonly retention?: number;
}

/** A session that is loaded on this host. Every change is a record or an event; the state follows by the fold. */
export class Session extends SessionFold {
  readonly host: SessionHost;
  readonly log: SessionLog;
  readonly subscribers = new Set<Connection>();
  /** The turn that is running now, with the script that drives it. */
  run: Run | undefined;
  /** An earlier host wrote a part of the log. */
  isReloaded = false;
  /** Open items whose text was cut at the budget. */
  readonly saturated = new Set<string>();
  /** Commands whose intake is on its way to the disk. */
  unsyncedCommands = 0;
  /** False while a session that is being created gets what it begins with: nobody knows of it yet. */
  isBorn = true;
  #ephemeralRun = 0;
  #announced = 'idle ';

  constructor({ host, sessionId, log, ...options }: SessionParts) {
    super(sessionId, options);
    this.host = host;
    this.log = log;
  }

  override restored(): this {
    super.restored();
    this.isReloaded = true;
    this.#announced = this.#announcement();
    return this;
  }

  /** Writes a record down and applies it. */
  record(kind: RecordKind, body: JsonObject, id?: string): void {
    const record = { kind, body: { at: this.now(), ...body }, ...(id !== undefined && { id }) };
    this.host.outbox.append(this.log, record);
    if (kind === 'command') this.#countUnsynced();
    foldRecord(this.state, record);
    this.ledger.fold(record);
  }

  /** Ends the intake of a command whose work is over: with its ack, or with a rejection for ever after. */
  settle(commandId: string, error?: ErrorObject): void {
    const intake = this.ledger.find(commandId);
    if (intake && !intake.isSettled) this.record('settlement', error ? { error } : {}, commandId);
  }

  /** Puts an event on the view and sends it to the subscribers. Answers its cursor. */
  emit(method: string, members: JsonObject): string {
    const id = this.host.ids.next();
    const at = { id, sequence: this.log.nextSequence };
    const sourceRange = { stream: { kind: 'session', id: this.id }, first: at, last: at };
    return this.#emit(method, { sourceRange, ...members }, true);
  }

  /** Puts an event on the view that no record holds: it is gone after a restart, its cursor is not given again. */
  emitEphemeral(method: string, members: JsonObject): void {
    if (this.#ephemeralRun + 1 < EPHEMERAL_RUN) this.#emit(method, members, false);
  }

  /** Tells every subscriber something that is no event of the view. */
  notify(method: string): void {
    const emittedAtMs = this.host.clock.now();
    for (const connection of this.subscribers) {
      this.host.outbox.deliver(() => connection.notify(method, { sessionId: this.id }, emittedAtMs));
    }
  }

  /** Asks every subscriber something. */
  present(method: string, params: JsonObject): void {
    for (const connection of this.subscribers) {
      this.host.outbox.deliver(() => connection.sendRequest(method, params));
    }
  }

  /** Nobody follows the session and nothing goes on in it. */
  isIdle(): boolean {
    const isQuiet = !this.run && this.state.queue.length === 0 && attentionOf(this.state).length === 0;
    return this.subscribers.size === 0 && isQuiet && [...this.state.items.values()].every(isComplete);
  }

  now(): string {
    return timestamp(this.host.clock.now());
  }

  toObject(): JsonObject {
    return sessionObject(this.state, { path: this.log.path, isLoaded: true });
  }

  #emit(method: string, members: JsonObject, isDurable: boolean): string {
    const position = this.host.seams.position(this.view.head + 1, { isDurable });
    this.#ephemeralRun = isDurable ? 0 : this.#ephemeralRun + 1;
    const viewCursor = this.view.cursor(position);
    const params = { sessionId: this.id, viewCursor, ...members };
    const at = this.now();
    if (isDurable)
      this.host.outbox.append(this.log, { kind: 'event', body: { at, position, method, params } });
    if (isDurable) foldRecord(this.state, { kind: 'event', body: { at, method, params } });
    else foldEvent(this.state, method, params, at);
    this.view.add({ position, method, params, isDurable });
    this.#publish(method, params, viewCursor);
    if (!this.#announceStatus(viewCursor) && LISTED.has(method)) this.host.sessionListed(this);
    return viewCursor;
  }

  #countUnsynced(): void {
    this.unsyncedCommands += 1;
    this.host.outbox.deliver(() => {
      this.unsyncedCommands -= 1;
    });
  }

  #publish(method: string, params: JsonObject, viewCursor: string): void {
    const emittedAtMs = this.host.clock.now();
    for (const connection of this.subscribers) {
      this.host.outbox.deliver(() =>
        connection.sendEvent(this.id, viewCursor, { jsonrpc: '2.0', method, params, emittedAtMs }),
      );
    }
  }

  /** Whether the session runs, and what it waits for, is everybody's business, subscribed or not. */
  #announceStatus(viewCursor: string): boolean {
    const announcement = this.#announcement();
    if (announcement === this.#announced) return false;
    this.#announced = announcement;
    if (!this.isBorn) return false;
    const attention = attentionOf(this.state);
    this.host.broadcast('session/statusChanged', {
      sessionId: this.id,
      status: statusOf(this.state, true),
      ...(attention.length > 0 && { attention }),
      viewCursor,
    });
    this.host.sessionListed(this);
    return true;
  }

  #announcement(): string {
    return `${statusOf(this.state, true)} ${attentionOf(this.state)}`;
  }
}

/** Events that change the session's row in the list, beside those that change its status. */
const LISTED: ReadonlySet<string> = new Set([
  'session/nameChanged',
  'session/modelChanged',
  'session/approvalModeChanged',
]);
