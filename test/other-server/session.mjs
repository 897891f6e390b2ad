import { apply, blank } from './fold.mjs';
import { openCursor, sealCursor, timestamp, uuid7 } from './ids.mjs';
import { renderEvent } from './views.mjs';

/** @typedef {import('./journal.mjs').Entry} Entry */
/** @typedef {import('./connection.mjs').Connection} Connection */
/** @typedef {import('./journal.mjs').Journal} Journal */

/** How far cursors jump at each load: beyond any delta the dead host may have sent. */
const LOAD_GAP = 65_536;

/** One loaded session: its log, the fold of it, and who follows it. */
export class Session {
  /** @param {string} id @param {import('./host.mjs').Host} host @param {Journal} journal */
  constructor(id, host, journal) {
    this.id = id;
    this.host = host;
    this.journal = journal;
    this.state = blank();
    /** @type {Set<Connection>} */
    this.followers = new Set();
    /** @type {import('./performance.mjs').Performance | undefined} */
    this.performance = undefined;
    /** @type {import('./fold.mjs').ViewEvent[]} */
    this.held = [];
    this.seq = 0;
    /** Answers of carrier-less commands, which no log keeps. @type {Map<string, import("./fold.mjs").Intake>} */
    this.memory = new Map();
  }

  /** The cursor of the newest event, ephemeral ones included. */
  get head() {
    return this.cursor(this.seq);
  }

  /** @param {number} seq @returns {string} */
  cursor(seq) {
    return sealCursor(this.id, seq);
  }

  /** The place a client's cursor names, or undefined where this session never had it. @param {string} cursor */
  position(cursor) {
    const seq = openCursor(this.id, cursor);
    return seq !== undefined && seq > 0 && seq <= this.seq ? seq : undefined;
  }

  /** Cursors have gaps of uneven width. */
  nextSeq() {
    this.seq += 1 + (this.seq % 5);
    return this.seq;
  }

  /** A view event to commit. @param {string} method @param {Record<string, any>} body @returns {Entry} */
  event(method, body) {
    return { t: 'ev', seq: this.nextSeq(), method, body, at: timestamp(), record: uuid7() };
  }

  /** Puts entries on disk as one transaction, folds them, and returns the view events among them, not yet sent.
   * @param {Entry[]} entries @returns {import('./fold.mjs').ViewEvent[]} */
  record(entries) {
    this.journal.append(entries);
    for (const entry of entries) apply(this.state, entry);
    return entries
      .filter((entry) => entry.t === 'ev')
      .map(({ seq, method, body }) => ({ seq, method, body }));
  }

  /** Records, then sends all but what is to be held back until `release`. @param {Entry[]} entries @param {number} [atOnce] */
  commit(entries, atOnce = Number.POSITIVE_INFINITY) {
    const events = this.record(entries);
    this.release();
    for (const event of events.slice(0, atOnce)) this.send(event);
    this.held = events.slice(atOnce);
  }

  release() {
    const held = this.held;
    this.held = [];
    for (const event of held) this.send(event);
  }

  /** @param {import('./fold.mjs').ViewEvent} event */
  send(event) {
    for (const follower of this.followers) follower.notify(event.method, this.render(event));
    this.host.announceStatus(this, event);
  }

  /** An event that is in no log and on no page, yet has a cursor. @param {string} method @param {Record<string, any>} body */
  whisper(method, body) {
    this.release();
    const params = { ...body, sessionId: this.id, viewCursor: this.cursor(this.nextSeq()) };
    for (const follower of this.followers) follower.notify(method, params);
  }

  /** @param {Connection} follower @param {number} [after] replays what is durable after this place */
  attach(follower, after) {
    this.release();
    if (after !== undefined) {
      for (const event of this.state.events)
        if (event.seq > after) follower.notify(event.method, this.render(event));
    }
    this.followers.add(follower);
  }

  /** The wire form of a view event's params. @param {import('./fold.mjs').ViewEvent} event */
  render(event) {
    return renderEvent(this.id, event);
  }

  /** Folds what is on disk, then jumps ahead of every cursor that may have been seen. @param {Entry[]} entries */
  restore(entries) {
    for (const entry of entries) apply(this.state, entry);
    this.seq = this.state.seq + LOAD_GAP;
  }
}
