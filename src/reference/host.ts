import { join } from 'node:path';
import type { Clock } from './clock.js';
import type { Connection } from './connection.js';
import type { Seams } from './faults.js';
import type { Agreement } from './handshake.js';
import type { IdSource } from './ids.js';
import { introduction } from './introduction.js';
import type { JsonObject } from './json.js';
import type { Intake } from './ledger.js';
import { Outbox } from './outbox.js';
import { loadPlane, type Plane } from './plane.js';
import { RejectedCreations } from './rejected-creations.js';
import { Session, type SessionHost } from './session.js';
import { MemoryLog, type SessionLog } from './session-log.js';
import type { Store } from './store.js';

export interface HostOptions {
  /** Where everything of this server lies; absolute, and named even where nothing is written. */
  readonly stateDir: string;
  /** Absent: an ephemeral host, which writes nothing. */
  readonly store?: Store;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly seams: Seams;
  readonly frameLimitBytes: number;
  readonly backlogLimitBytes: number;
  /** How long a session that nobody follows and nothing happens in stays loaded. */
  readonly idleUnloadMs: number;
  /** Called once if the host cannot keep its promises any more. */
  readonly onFailure: (error: unknown) => void;
}

/** Room for what stands around the variable part of a result: the envelope, a session, cursors. */
const ENVELOPE_BYTES = 8 * 1024;

/** How many view events an ephemeral session keeps in memory. */
const EPHEMERAL_RETENTION = 20_000;

/** The server's process: its sessions, its connections, and what they share. */
export class Host implements SessionHost {
  readonly sessions = new Map<string, Session>();
  readonly connections = new Set<Connection>();
  readonly outbox: Outbox;
  isDraining = false;
  /** Everything but the handshake; there once `prepare` is through. */
  plane: Plane | undefined;
  /** What the host last observed of the user's subscription. */
  subscriptionUsage: JsonObject | undefined;
  readonly rejections: RejectedCreations;
  readonly #carrierless = new Map<string, Map<string, Intake>>();
  readonly #timers = new Set<NodeJS.Timeout>();
  #lifecycle: Promise<unknown> = Promise.resolve();
  #preparing: Promise<Plane> | undefined;
  #requestIds = 0;

  constructor(readonly options: HostOptions) {
    this.outbox = new Outbox(options.onFailure);
    this.rejections = new RejectedCreations(options.store && join(options.stateDir, 'rejected'));
  }

  get clock(): Clock {
    return this.options.clock;
  }

  get ids(): IdSource {
    return this.options.ids;
  }

  get seams(): Seams {
    return this.options.seams;
  }

  get store(): Store | undefined {
    return this.options.store;
  }

  get frameLimitBytes(): number {
    return this.options.frameLimitBytes;
  }

  get backlogLimitBytes(): number {
    return this.options.backlogLimitBytes;
  }

  /** How large the variable part of a result may be, so that its frame stays under the limit. */
  get contentLimitBytes(): number {
    return Math.max(0, this.options.frameLimitBytes - ENVELOPE_BYTES);
  }

  get isEphemeral(): boolean {
    return this.options.store === undefined;
  }

  /** Server requests are numbered over the whole process. */
  nextRequestId(): number {
    this.#requestIds += 1;
    return this.#requestIds;
  }

  introduction(agreement: Agreement, fingerprint: string): JsonObject {
    return introduction(agreement, fingerprint, this.options);
  }

  /** Loads what the handshake does not need. It is awaited by the first request after it. */
  prepare(): Promise<Plane> {
    this.#preparing ??= loadPlane().then((plane) => {
      this.plane = plane;
      return plane;
    });
    return this.#preparing;
  }

  broadcast(method: string, params: JsonObject): void {
    const emittedAtMs = this.clock.now();
    for (const connection of this.connections) {
      if (connection.phase !== 'new') {
        this.outbox.deliver(() => connection.notify(method, params, emittedAtMs));
      }
    }
  }

  sessionListed(session: Session): void {
    const emittedAtMs = this.clock.now();
    for (const connection of this.connections) {
      if (!connection.agreement?.granted.has('sessionListStream')) continue;
      const params = { session: session.toObject() };
      this.outbox.deliver(() => connection.notify('session/listChanged', params, emittedAtMs));
    }
  }

  forget(session: Session): void {
    this.sessions.delete(session.id);
    session.subscribers.clear();
  }

  later(ms: number, action: () => void): () => void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      action();
      this.outbox.commit();
    }, ms);
    this.#timers.add(timer);
    return () => {
      this.#timers.delete(timer);
      clearTimeout(timer);
    };
  }

  /** Runs one piece of work that loads, creates or ends sessions; they take turns. */
  exclusive<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#lifecycle.then(work);
    this.#lifecycle = result.catch(() => undefined);
    return result;
  }

  /** Adds a session to the host: with the log that the store opened, or one in memory. */
  adopt(sessionId: string, log: SessionLog = new MemoryLog()): Session {
    const carrierless = this.#carrierless.get(sessionId) ?? new Map<string, Intake>();
    this.#carrierless.set(sessionId, carrierless);
    const retention = this.isEphemeral ? { retention: EPHEMERAL_RETENTION } : {};
    const session = new Session({
      host: this,
      sessionId,
      log: this.seams.log(log),
      carrierless,
      ...retention,
    });
    this.sessions.set(sessionId, session);
    return session;
  }

  /** Loads a stored session and brings it into order. Throws what opening its log throws. */
  async load(store: Store, sessionId: string): Promise<Session> {
    const { recover } = await this.prepare();
    const { log, records } = await store.open(sessionId);
    const session = this.adopt(sessionId, log);
    for (const record of records) session.restore(record);
    session.restored();
    recover(session);
    return session;
  }

  /** Unloads a session after a while, unless somebody comes back to it or something goes on in it. */
  unloadWhenIdle(session: Session): void {
    if (session.isIdle() && !this.isDraining)
      this.later(this.options.idleUnloadMs, () => void this.#unloadIdle(session));
  }

  /** The orderly end: what was asked is answered, what runs is cancelled, every session's end is on record. */
  async drain(): Promise<void> {
    await Promise.all([...this.connections].map((connection) => connection.finish()));
    await this.exclusive(async () => {
      this.isDraining = true;
      for (const timer of this.#timers) clearTimeout(timer);
      const sessions = [...this.sessions.values()];
      if (this.seams.drains(true))
        for (const session of sessions) this.plane?.unload(session, 'hostShutdown');
      this.outbox.commit();
      await this.outbox.settled();
      for (const session of sessions) await session.log.close();
    });
    for (const connection of this.connections) connection.close();
  }

  #unloadIdle(session: Session): Promise<void> {
    return this.exclusive(async () => {
      if (!session.isIdle() || this.sessions.get(session.id) !== session) return;
      this.plane?.unload(session, 'idle');
      this.outbox.commit();
      await this.outbox.settled();
      await session.log.close();
    });
  }

  /** Stops as a process does that is killed: timers end, connections fall silent, nothing is written. */
  abandon(): void {
    this.isDraining = true;
    for (const timer of this.#timers) clearTimeout(timer);
    for (const connection of this.connections) connection.close();
  }
}
