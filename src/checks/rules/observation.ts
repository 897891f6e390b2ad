import type { Bundle } from '../../schema/bundle.js';
import type { Direction, Frame, Message, RequestId } from '../../wire/frame.js';
import type { PassName } from '../finding.js';
import type { ViewEvent } from './session-view.js';

/** One frame of a connection, in the order in which the client's side wrote and read. */
export interface ObservedFrame {
  readonly dir: Direction;
  readonly frame: Frame;
  /** 1-based line of the transcript that the frame stands on or belongs to. */
  readonly step?: number;
  /** Milliseconds since the scenario began. */
  readonly atMs: number;
}

export interface RuleContext {
  readonly bundle: Bundle;
  /** The client's frames are the harness's own, so only the server is judged. */
  readonly live: boolean;
  /** Of one frame without its line end. */
  readonly frameLimitBytes: number;
  /** The transcript shows shapes that no real server emits: violations become notes. */
  readonly tolerant: boolean;
  /** What the findings are attributed to until another pass is entered; `replay` when absent. */
  readonly pass?: PassName;
}

/**
 * How a connection ended, which decides what may be said about what is missing.
 * - `drained`: the client closed its side and the server ended by itself; all it wrote was read.
 * - `settled`: as `drained`, and the caller knows that no turn was running.
 * - `end-of-transcript`: nothing more was recorded.
 * - `server-closed`: the server ended it unasked.
 * - `restart`, `crash`: the host was stopped or killed, and another follows on its state.
 * - `reconnect`: another connection to the same host follows.
 * - `abandoned`: the client went away without waiting.
 */
export type ConnectionEnd =
  | 'drained'
  | 'settled'
  | 'end-of-transcript'
  | 'server-closed'
  | 'restart'
  | 'crash'
  | 'reconnect'
  | 'abandoned';

/** A request of either side that waits for its answer. */
export interface OpenRequest {
  readonly id: RequestId;
  readonly method: string;
  /** An object, or undefined when absent or no object. */
  readonly params: JsonMembers | undefined;
  readonly at: ObservedFrame;
  /** Another request with the same id was in flight, so an answer may belong to either. */
  ambiguous: boolean;
}

/** One frame with what the connection so far tells about it. All have the same members: every rule reads every one. */
export interface Observation {
  readonly at: ObservedFrame;
  readonly message: Message;
  /** On a response: the request that it answers, when that is certain. */
  readonly request: OpenRequest | undefined;
  /** On a server notification: the view event that it is. */
  readonly view: ViewEvent | undefined;
}

/** One rule over the frames of a stream. Rules keep bounded state and report to the verdicts they were given. */
export interface Rule {
  observe(observation: Observation): void;
  /** The connection ended; a further `observe` begins the next one. */
  connectionClosed?(how: ConnectionEnd): void;
}

export type JsonMembers = Readonly<Record<string, unknown>>;

/** The value as an object's members; undefined when it is null, an array or a scalar. */
export function membersOf(value: unknown): JsonMembers | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as JsonMembers)
    : undefined;
}

/** A member that is a string; undefined otherwise. Nothing that values inherit is a string. */
export function textMember(members: JsonMembers | undefined, name: string): string | undefined {
  const value = members?.[name];
  return typeof value === 'string' ? value : undefined;
}

/** `data.kind` of an error member; undefined when there is none. */
export function kindOfError(error: unknown): string | undefined {
  return textMember(membersOf(membersOf(error)?.['data']), 'kind');
}
