/** What the in-memory server keeps; plain JSON, so that a copy of it is what a disk would hold. */
export interface ServerState {
  readonly sessions: Record<string, SessionState>;
  readonly ledger: Record<string, LedgerEntry>;
}

export interface SessionState {
  readonly sessionId: string;
  readonly events: StoredEvent[];
  name: string | undefined;
  goal: Json | undefined;
  active: Turn | undefined;
  queue: Turn[];
  /** The approval that the active turn waits for. */
  approval: string | undefined;
}

export interface Turn {
  readonly turnId: string;
  readonly commandId: string;
  readonly text: string;
}

export interface StoredEvent {
  readonly method: string;
  readonly params: Json;
}

export interface LedgerEntry {
  readonly method: string;
  signature: string;
  answer: Reply;
  /** The host's life in which it was written. */
  readonly life: number;
  readonly sessionId: unknown;
  /** The work has not been done yet. */
  isPending: boolean;
}

export type Json = Record<string, unknown>;

/** The `result` or the `error` of a response. */
export type Reply = { readonly result: Json } | { readonly error: Json };

/** The disk under several lives of a server: what was not committed is gone after a kill. */
export class Disk {
  #committed: ServerState = { sessions: {}, ledger: {} };
  lives = 0;

  load(): ServerState {
    this.lives += 1;
    return structuredClone(this.#committed);
  }

  commit(state: ServerState): void {
    this.#committed = structuredClone(state);
  }
}

export function rejection(reason: string, commandId: unknown): Reply {
  return {
    error: {
      code: -32030,
      message: `rejected: ${reason}`,
      data: { kind: 'commandRejected', commandId, reason },
    },
  };
}

export function refusal(code: number, kind: string): Reply {
  return { error: { code, message: kind, data: { kind } } };
}
