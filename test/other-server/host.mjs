import { existsSync, mkdirSync, readdirSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { cancellation } from './closing.mjs';
import { Fault } from './errors.mjs';
import { Journal, readLog } from './journal.mjs';
import { acquireLease, isHeldElsewhere, releaseLease } from './lease.mjs';
import { methodTable } from './methods/table.mjs';
import { recover } from './recovery.mjs';
import { Session } from './session.mjs';
import { attentionOf, readState, sessionObject } from './views.mjs';

const REQUEST_ID_FIRST = 1000;
const REQUEST_ID_STEP = 3;

/** Events after which the status that others see may have changed. */
const STATUS_EVENTS = new Set([
  'turn/started',
  'turn/completed',
  'approval/requested',
  'approval/resolved',
  'userInput/requested',
  'userInput/settled',
]);

/** @typedef {import('./options.mjs').Options} Options */
/** @typedef {import('./connection.mjs').Connection} Connection */

/** The process: its loaded sessions, its connections, and the ledger of commands that make sessions. */
export class Host {
  /** @param {Options} options */
  constructor(options) {
    this.latencyMs = options.latencyMs;
    this.slowMs = options.slowMs;
    this.isEphemeral = options.isEphemeral;
    this.isMinimal = options.isMinimal;
    this.queuePolicy = options.queuePolicy;
    this.reopensApprovals = options.reopensApprovals;
    this.historyForm = options.historyForm;
    this.frameLimitBytes = options.frameLimitBytes;
    this.home = options.home;
    this.folder = join(options.home, 'other-sessions');
    /** @type {Map<string, Session>} */
    this.sessions = new Map();
    /** @type {Set<Connection>} */
    this.connections = new Set();
    /** Start and fork commands by id. @type {Map<string, import('./fold.mjs').Intake>} */
    this.ledger = new Map();
    this.methods = methodTable(options);
    this.isDraining = false;
    this.lastRequestId = REQUEST_ID_FIRST - REQUEST_ID_STEP;
    if (this.isEphemeral) this.journal = new Journal(undefined);
    else this.journal = this.openStore(options.reclaims);
  }

  /** Reads what earlier hosts left. @param {boolean} reclaims @returns {Journal} */
  openStore(reclaims) {
    mkdirSync(this.folder, { recursive: true });
    const path = join(this.folder, 'host.log');
    const { journal, entries } = existsSync(path)
      ? Journal.open(path)
      : { journal: Journal.create(path), entries: [] };
    this.learn(entries);
    for (const id of this.storedIds()) {
      if (isHeldElsewhere(this.pathOf(id, 'lease'))) continue;
      const { entries: own } = readLog(this.pathOf(id));
      this.learn(own);
      if (own.length === 0 || (reclaims && this.isEmpty(id))) this.reclaim(id, journal, own);
    }
    return journal;
  }

  /** @param {import('./journal.mjs').Entry[]} entries */
  learn(entries) {
    for (const entry of entries) {
      if (entry.t !== 'in' || !['session/start', 'session/fork'].includes(entry['method'])) continue;
      this.ledger.set(entry['id'], {
        signature: entry['signature'],
        answer: entry['answer'],
        isPending: false,
      });
    }
  }

  /** Whether a session holds nothing but its start. @param {string} id */
  isEmpty(id) {
    const state = readState(this.pathOf(id));
    return !state.hasFacts && state.born.mode === this.defaultMode;
  }

  /** The session goes, its command's answer stays. @param {string} id @param {Journal} journal @param {import('./journal.mjs').Entry[]} entries */
  reclaim(id, journal, entries) {
    const intakes = entries.filter(({ t, method }) => t === 'in' && method === 'session/start');
    if (intakes.length > 0) journal.append(intakes);
    unlinkSync(this.pathOf(id));
  }

  get defaultMode() {
    return this.isEphemeral ? 'allowAll' : 'onRequest';
  }

  /** @param {string} id @param {'log' | 'lease'} [kind] */
  pathOf(id, kind = 'log') {
    return join(this.folder, `${id}.${kind}`);
  }

  /** @returns {string[]} */
  storedIds() {
    if (this.isEphemeral) return [];
    return readdirSync(this.folder).flatMap((name) => /^([0-9a-f-]{36})\.log$/i.exec(name)?.[1] ?? []);
  }

  /** @param {string} id */
  isStored(id) {
    return this.sessions.has(id) || (!this.isEphemeral && existsSync(this.pathOf(id)));
  }

  /** A new session under this host's lease, nothing written yet. @param {string} id @returns {Session} */
  create(id) {
    if (!this.isEphemeral) acquireLease(this.pathOf(id, 'lease'));
    const journal = this.isEphemeral ? new Journal(undefined) : Journal.create(this.pathOf(id));
    const session = new Session(id, this, journal);
    this.sessions.set(id, session);
    return session;
  }

  /** The loaded session; loads it from disk where need be. @param {string} id @returns {{ session: Session, isFresh: boolean }} @throws {Fault} */
  load(id) {
    const loaded = this.sessions.get(id);
    if (loaded !== undefined) return { session: loaded, isFresh: false };
    if (!this.isStored(id))
      throw new Fault('sessionNotFound', 'There is no such session.', { sessionId: id });
    if (!acquireLease(this.pathOf(id, 'lease'))) throw new Fault('sessionInUse', 'Taken.', { sessionId: id });
    const { journal, entries } = Journal.open(this.pathOf(id));
    const session = new Session(id, this, journal);
    session.restore(entries);
    this.sessions.set(id, session);
    recover(session);
    return { session, isFresh: true };
  }

  /** The session a command or read wants, which has to be loaded here. @param {string} id @returns {Session} @throws {Fault} */
  loaded(id) {
    const session = this.sessions.get(id);
    if (session !== undefined) return session;
    if (!this.isStored(id))
      throw new Fault('sessionNotFound', 'There is no such session.', { sessionId: id });
    const isForeign = isHeldElsewhere(this.pathOf(id, 'lease'));
    throw new Fault(isForeign ? 'sessionInUse' : 'sessionNotLoaded', 'Not at hand.', { sessionId: id });
  }

  /** @param {Session} session */
  describe(session) {
    return sessionObject(session.id, session.state, {
      path: this.isEphemeral ? '' : this.pathOf(session.id),
      isLoaded: true,
    });
  }

  nextRequestId() {
    this.lastRequestId += REQUEST_ID_STEP;
    return this.lastRequestId;
  }

  /** To everyone, followers or not. @param {string} method @param {Record<string, any>} params */
  broadcast(method, params) {
    for (const connection of this.connections) connection.notify(method, params);
  }

  /** Tells everyone of a status that an event may have changed, under that event's cursor. @param {Session} session @param {import('./fold.mjs').ViewEvent} event */
  announceStatus(session, event) {
    if (!STATUS_EVENTS.has(event.method)) return;
    const attention = attentionOf(session.state);
    this.broadcast('session/statusChanged', {
      sessionId: session.id,
      viewCursor: session.cursor(event.seq),
      status: session.state.activeTurnId === null ? 'idle' : 'running',
      ...(attention.length === 0 ? {} : { attention }),
    });
    for (const connection of this.connections) {
      if (connection.granted.has('sessionListStream')) {
        connection.notify('session/listChanged', { session: this.describe(session) });
      }
    }
  }

  /** Ends every session in order and releases it; queued turns stay queued. */
  async drain() {
    this.isDraining = true;
    for (const session of this.sessions.values()) {
      session.commit([...cancellation(session, { reason: 'the host is leaving' }), { t: 'end' }]);
      this.broadcast('session/closed', {
        sessionId: session.id,
        reason: 'hostShutdown',
        viewCursor: session.head,
      });
      session.journal.close();
      if (!this.isEphemeral) releaseLease(this.pathOf(session.id, 'lease'));
    }
    this.sessions.clear();
    await Promise.all([...this.connections].map(({ outbox }) => outbox.flushed()));
  }

  /** A defect of this server: say so and die. @param {unknown} error */
  fail(error) {
    process.stderr.write(`other-server: ${error instanceof Error ? error.stack : String(error)}\n`);
    process.exit(1);
  }
}
