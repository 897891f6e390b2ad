import { canonicalText } from './canonical.js';
import { admit, COMMANDS, type CommandHost } from './commands.js';
import type { Broken, KnownAt } from './promises-broken.js';
import {
  type Disk,
  type Json,
  type Reply,
  refusal,
  rejection,
  type ServerState,
  type SessionState,
} from './server-state.js';
import { cursorOf, INTRODUCTION, pageOf, resultOf, sessionObject } from './told.js';
import { endTurn, startTurn } from './turns.js';

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** One connection as the server sees it. */
export interface Peer {
  readonly ordinal: number;
  write(frame: Json): void;
}

export interface Incoming {
  readonly id: unknown;
  readonly method: string;
  readonly params: Json;
  /** Another equal request came in the same write. */
  readonly isPipelined: boolean;
}

/** One life of a small honest session server on a disk of its own making, with the promises it was told to break. */
export class MemoryServer implements CommandHost {
  readonly #state: ServerState;
  readonly #loaded = new Set<string>();
  readonly #peers = new Set<Peer>();
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #times = new Map<string, number>();
  readonly life: number;

  constructor(
    private readonly disk: Disk,
    private readonly broken: Broken,
    /** Ends the process. */
    private readonly die: () => void,
  ) {
    this.#state = disk.load();
    this.life = disk.lives;
    broken.loaded?.(this.#state, this.life);
  }

  get cancelsAnything(): boolean {
    return this.broken.cancelsAnything === true && this.life > 1;
  }

  join(peer: Peer): void {
    this.#peers.add(peer);
  }

  leave(peer: Peer): void {
    this.#peers.delete(peer);
  }

  /** Carries out one request. The ack follows in a later turn of the event loop, as from a disk. */
  async receive(peer: Peer, { id, method, params, isPipelined }: Incoming): Promise<void> {
    const times = (this.#times.get(method) ?? 0) + 1;
    this.#times.set(method, times);
    const fate = this.broken.fate?.({ method, life: this.life, times }) ?? 'answer';
    if (fate === 'die') return this.die();
    if (fate === 'mute') return;
    if (fate === 'fail') return void peer.write({ id, ...refusal(-32603, 'internal') });
    if (this.broken.lacks?.has(method)) return void peer.write({ id, ...refusal(-32601, 'methodNotFound') });
    if (!COMMANDS.has(method)) return void peer.write({ id, ...this.#read(method, params) });
    await this.#command(peer, { id, method, params, isPipelined });
  }

  async #command(peer: Peer, { id, method, params, isPipelined }: Incoming): Promise<void> {
    const given = params['commandId'];
    const commandId = UUID_V7.test(String(given)) ? String(given) : this.broken.badCommandId?.(given);
    if (commandId === undefined) return void peer.write({ id, ...refusal(-32602, 'invalidParams') });
    if (method === 'session/resume') this.#load(String(params['sessionId']));
    const entry = this.#state.ledger[commandId];
    const at = {
      method,
      params,
      isReloaded: entry !== undefined && entry.life < this.life,
      connection: peer.ordinal,
      isPipelined,
    };
    const known = this.broken.known === undefined ? entry : this.broken.known(entry, at);
    if (known !== undefined) return void peer.write({ id, ...this.#again(known, commandId, at) });
    await this.#first(peer, id, method, params, commandId);
  }

  async #first(peer: Peer, id: unknown, method: string, params: Json, commandId: string): Promise<void> {
    const { answer, work } = admit(this, method, params, commandId);
    const isDurable = 'result' in answer || (answer.error['data'] as Json)['kind'] === 'commandRejected';
    if (!isDurable) return void peer.write({ id, ...answer });
    const entry = {
      method,
      signature: this.#signature(params),
      answer,
      life: this.life,
      sessionId: params['sessionId'],
      isPending: true,
    };
    if (this.broken.worksFirst) work();
    else this.#state.ledger[commandId] = entry;
    this.#commit();
    await new Promise((resolve) => setImmediate(resolve));
    if (this.broken.worksFirst) this.#state.ledger[commandId] = entry;
    peer.write({ id, ...answer });
    if (!this.broken.worksFirst) work();
    entry.isPending = false;
    this.#commit();
  }

  #again(entry: ServerState['ledger'][string], commandId: string, at: KnownAt): Reply {
    const isConflict = entry.signature !== this.#signature(at.params);
    if (this.broken.runsAgain?.({ ...at, isConflict })) {
      admit(this, at.method, at.params, commandId).work();
      this.#commit();
    }
    if (!isConflict) return this.broken.replay?.(entry.answer, at) ?? entry.answer;
    const conflict = rejection('command_id_conflict', commandId);
    return this.broken.conflict?.(conflict, entry, at) ?? conflict;
  }

  #signature({ commandId: _id, ...payload }: Json): string {
    return this.broken.signature?.(payload) ?? canonicalText(payload);
  }

  #read(method: string, params: Json): Reply {
    const session = this.#state.sessions[String(params['sessionId'])];
    switch (method) {
      case 'initialize':
        return { result: { ...INTRODUCTION, sessionDurability: this.broken.sessionDurability ?? 'durable' } };
      case 'session/list':
        return { result: { sessions: this.#listed().map((one) => sessionObject(one)), nextCursor: null } };
      case 'session/read':
        return session === undefined
          ? refusal(-32020, 'sessionNotFound')
          : { result: this.describe(session) };
      case 'view/page':
        return session === undefined
          ? refusal(-32020, 'sessionNotFound')
          : { result: pageOf(session, params['cursor']) };
      default:
        return refusal(-32601, 'methodNotFound');
    }
  }

  #listed(): SessionState[] {
    const all = Object.values(this.#state.sessions);
    return all.filter((session) => this.broken.isListed?.(session, this.life) ?? true);
  }

  session(sessionId: string): SessionState | undefined {
    return this.#loaded.has(sessionId) ? this.#state.sessions[sessionId] : undefined;
  }

  found(sessionId: string): SessionState {
    const session = {
      sessionId,
      events: [],
      name: undefined,
      goal: undefined,
      active: undefined,
      queue: [],
      approval: undefined,
    };
    this.#state.sessions[sessionId] = session;
    this.#loaded.add(sessionId);
    this.#tell('session/started', { session: sessionObject(session) });
    return session;
  }

  describe(session: SessionState): Json {
    return resultOf(session);
  }

  /** A load settles what the last host left: a turn that died gets its terminal, queued turns are launched. */
  #load(sessionId: string): void {
    const session = this.#state.sessions[sessionId];
    if (session === undefined || this.#loaded.has(sessionId)) return;
    if (!(this.broken.isResumable?.(session, this.life) ?? true)) return;
    this.#loaded.add(sessionId);
    const { active } = session;
    if (this.broken.launched !== undefined) session.queue = this.broken.launched(session.queue);
    for (const [commandId, entry] of Object.entries(this.#state.ledger)) {
      if (entry.isPending && entry.sessionId === sessionId) this.#abandon(commandId, false);
    }
    if (active !== undefined) this.#settle(session, active);
    const next = session.active === undefined ? session.queue.shift() : undefined;
    if (next !== undefined) startTurn(this, session, next);
    this.#commit();
  }

  #settle(session: SessionState, turn: NonNullable<SessionState['active']>): void {
    const terminal =
      this.broken.deathTerminal === undefined ? 'cancelled' : this.broken.deathTerminal('cancelled');
    this.#abandon(turn.commandId, true);
    if (terminal === undefined) session.active = undefined;
    else endTurn(this, session, turn, terminal);
  }

  #abandon(commandId: string, wasRunning: boolean): void {
    const entry = this.#state.ledger[commandId];
    if (entry === undefined) return;
    const settled = rejection('abandoned', commandId);
    entry.answer =
      (this.broken.settlement === undefined ? settled : this.broken.settlement(settled, wasRunning)) ??
      entry.answer;
    entry.isPending = false;
  }

  emit(session: SessionState, method: string, params: Json): void {
    const { sessionId, events } = session;
    const range = { id: `rec-${events.length + 1}`, sequence: events.length + 1 };
    const sourceRange = { stream: { kind: 'session', id: sessionId }, first: range, last: range };
    const event = {
      method,
      params: { sessionId, viewCursor: cursorOf(events.length + 1), sourceRange, ...params },
    };
    events.push(event);
    this.#tell(event.method, event.params);
  }

  ask(method: string, params: Json): void {
    for (const peer of this.#peers) peer.write({ id: 1, method, params });
  }

  later(milliseconds: number, act: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      act();
      this.#commit();
    }, milliseconds);
    this.#timers.add(timer);
  }

  /** The orderly end: what runs is cancelled, and all is on disk. */
  drain(): void {
    for (const session of Object.values(this.#state.sessions)) {
      const { active, queue } = session;
      if (active === undefined) continue;
      session.queue = [];
      const terminal =
        this.broken.drainTerminal === undefined ? 'cancelled' : this.broken.drainTerminal('cancelled');
      if (terminal !== undefined) endTurn(this, session, active, terminal);
      session.queue = queue;
    }
    this.disk.commit(this.#state);
    this.end();
  }

  /** The end of the process, whatever was under way. */
  end(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
    this.#peers.clear();
  }

  #tell(method: string, params: Json): void {
    const { told = (same: Json) => same } = this.broken;
    for (const peer of this.#peers) {
      const ours = told(params, { method, connection: peer.ordinal });
      if (ours !== undefined) peer.write({ method, params: ours, emittedAtMs: 1 });
    }
  }

  #commit(): void {
    if (this.broken.syncs !== false) this.disk.commit(this.#state);
  }
}
