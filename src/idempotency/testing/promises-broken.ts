import type { Json, LedgerEntry, Reply, ServerState, SessionState, Turn } from './server-state.js';

/** Where the in-memory server can be made to break a promise. The honest server breaks none. */
export interface Broken {
  /** What the ledger is asked for and says. */
  known?(entry: LedgerEntry | undefined, at: KnownAt): LedgerEntry | undefined;
  signature?(params: Json): string;
  /** The answer to a duplicate. */
  replay?(answer: Reply, at: KnownAt): Reply;
  /** True: the command is carried out although it is a duplicate or a conflict; its answer stays. */
  runsAgain?(at: KnownAt & { readonly isConflict: boolean }): boolean;
  conflict?(answer: Reply, entry: LedgerEntry, at: KnownAt): Reply;
  /** What a command answers whose host died before its work was over; undefined keeps its ack. */
  settlement?(abandoned: Reply, wasRunning: boolean): Reply | undefined;
  /** Turns that are launched at a load. */
  launched?(turns: Turn[]): Turn[];
  /** Called with what a load has read. */
  loaded?(state: ServerState, life: number): void;
  /** The terminal of a turn of which the host died; undefined leaves it open. */
  deathTerminal?(terminal: string): string | undefined;
  drainTerminal?(terminal: string): string | undefined;
  /** False: nothing reaches the disk before an orderly stop. */
  syncs?: boolean;
  /** True: the work is done before its intake is written. */
  worksFirst?: boolean;
  /** Answers a request with a bad commandId; undefined refuses it. */
  badCommandId?(commandId: unknown): string | undefined;
  isResumable?(session: SessionState, life: number): boolean;
  isListed?(session: SessionState, life: number): boolean;
  /** Cancels whatever runs instead of the named turn. */
  cancelsAnything?: boolean;
  /** Called with each request; `mute` leaves it unanswered, `fail` answers `internal`, `die` ends the server. */
  fate?(at: {
    readonly method: string;
    readonly life: number;
    readonly times: number;
  }): 'answer' | 'mute' | 'fail' | 'die';
  /** False: the server does not start. */
  starts?(life: number): boolean;
  /** What a connection is told of an event; undefined tells it nothing. */
  told?(params: Json, at: { readonly method: string; readonly connection: number }): Json | undefined;
  /** Methods that are not found; no broken promise in itself. */
  readonly lacks?: ReadonlySet<string>;
  /** Nor is this. */
  readonly sessionDurability?: 'durable' | 'ephemeral';
  /** How many clients are served at once. */
  readonly connections?: number;
}

export interface KnownAt {
  readonly method: string;
  readonly params: Json;
  /** The entry was written by an earlier host. */
  readonly isReloaded: boolean;
  /** Ordinal of the connection, from 1. */
  readonly connection: number;
  /** Another equal line came in the same write. */
  readonly isPipelined: boolean;
}
