import type { ErrorObject } from './errors.js';
import type { OpenStorage } from './journal/index.js';
import type { JsonObject } from './json.js';
import type { Intake } from './ledger.js';
import type { SessionLog } from './session-log.js';
import type { QueuedTurn, SessionState } from './state.js';
import type { ViewEvent } from './view.js';

/**
 * The places where a fault can be put in. Each is handed what the honest server is about to do and answers what is done
 * instead. The honest server answers what it was handed.
 */
export interface Seams {
  /** The frames that go out for one frame: none, another one, several. */
  frames(frames: readonly JsonObject[], at: FrameContext): readonly JsonObject[];
  /** The text of a frame with its line end. */
  text(text: string, at: FrameContext & { readonly frame: JsonObject }): string;
  /** Whether a gate of the connection lets a request through. */
  gate(isOpen: boolean, at: GateContext): boolean;
  /** Whether the params of a request are acceptable; undefined when they are, else what is wrong with them. */
  objection(
    problem: string | undefined,
    at: { readonly method: string; readonly params: JsonObject; readonly unknownMembers: readonly string[] },
  ): string | undefined;
  /** Whether the connection goes on after a frame that is over the limit or no JSON. */
  survives(survives: boolean, at: { readonly problem: 'oversize' | 'syntax' }): boolean;
  /** The payload's identity. */
  signature(signature: string, at: { readonly method: string; readonly params: JsonObject }): string;
  /** What the ledger knows of a command that comes in. */
  known(intake: Intake | undefined, at: KnownContext): Intake | undefined;
  /** Whether a command's intake is on record, or in memory alone. */
  hasCarrier(hasCarrier: boolean, at: { readonly method: string }): boolean;
  /** What an intake is settled with whose command was not settled when its host died. Undefined: its ack. */
  abandonment(error: ErrorObject | undefined, at: { readonly commandId: string }): ErrorObject | undefined;
  /** A session's log, as the session sees it. */
  log(log: SessionLog): SessionLog;
  /** The bytes under a session's log. Undefined: a file. */
  storage(open: OpenStorage | undefined): OpenStorage | undefined;
  /** The id of the turn that a submit asks for. */
  turnId(turnId: string): string;
  /** The turn that a stop is about. */
  stopTarget(turnId: string | undefined, at: { readonly running: string | undefined }): string | undefined;
  /** The position of the next event. */
  position(next: number, at: { readonly isDurable: boolean }): number;
  /** The events that a page or a replay serves. */
  events(
    events: readonly ViewEvent[],
    at: { readonly sessionId: string; readonly for: 'page' | 'replay' },
  ): readonly ViewEvent[];
  /** The queued turn that is launched next. */
  nextTurn(
    turn: QueuedTurn | undefined,
    at: { readonly state: SessionState; readonly isReloaded: boolean },
  ): QueuedTurn | undefined;
  /** How the turn ends of which the process died. Undefined: it does not. */
  diedTurn(terminal: string | undefined, at: { readonly state: SessionState }): string | undefined;
  /** Whether a session is found again, and listed. */
  isListed(isListed: boolean, at: { readonly state: SessionState }): boolean;
  /** Whether an orderly end is waited for and recorded. */
  drains(drains: boolean): boolean;
  exitCode(code: number): number;
}

export interface FrameContext {
  /** The method of a notification or request, or of the request that a response answers. */
  readonly method: string;
  readonly phase: 'new' | 'answered' | 'ready';
  readonly params?: JsonObject;
  /** Stands for the connection that the frame goes to, and says nothing else. */
  readonly connection: object;
}

export interface GateContext {
  readonly gate: 'notInitialized' | 'alreadyInitialized' | 'capability' | 'experimental' | 'optOut';
  readonly method: string;
}

export interface KnownContext {
  readonly commandId: string;
  readonly method: string;
  readonly signature: string;
  readonly params: JsonObject;
  /** The session was loaded from a log that an earlier host wrote. */
  readonly isReloaded: boolean;
  /** Stands for the connection that the command came over, and says nothing else. */
  readonly connection: object;
}

/** Scenarios and derived passes in which a fault comes to light. */
export interface Showing {
  /** Ids of bundled scenarios. */
  readonly scenarios: readonly string[];
  /** Names of derived passes; the recorded exchange itself is always replayed. */
  readonly passes: readonly string[];
  /** It takes more than one connection. */
  readonly needsSocket?: true;
}

/** One deliberate violation. It exists to prove that the harness sees it. */
export interface Fault {
  readonly name: string;
  /** The promise that it breaks, in one sentence. */
  readonly breaks: string;
  /** Ids of the checks that must catch it. */
  readonly caughtBy: readonly string[];
  /** Set where the documents are silent, so that a warning of these checks is all that can be asked. */
  readonly warnsOnly?: true;
  /** What is enough to show it. */
  readonly shownBy: Showing;
  /** Made anew for each host, so that a fault may remember what it has done. */
  readonly seams: () => Partial<Seams>;
}

export const HONEST: Seams = {
  frames: (frames) => frames,
  text: (text) => text,
  gate: (isOpen) => isOpen,
  objection: (problem) => problem,
  survives: (survives) => survives,
  signature: (signature) => signature,
  known: (intake) => intake,
  hasCarrier: (hasCarrier) => hasCarrier,
  abandonment: (error) => error,
  log: (log) => log,
  storage: (open) => open,
  turnId: (turnId) => turnId,
  stopTarget: (turnId) => turnId,
  position: (next) => next,
  events: (events) => events,
  nextTurn: (turn) => turn,
  diedTurn: (terminal) => terminal,
  isListed: (isListed) => isListed,
  drains: (drains) => drains,
  exitCode: (code) => code,
};

/** A fault was asked for that is not in the table. */
export class UnknownFaultError extends Error {
  override readonly name = 'UnknownFaultError';
  constructor(readonly fault: string) {
    super(`there is no fault ${JSON.stringify(fault)}`);
  }
}

/**
 * The seams with the named faults in them, a later one laid over an earlier one.
 * Throws `UnknownFaultError` for a name that is not in the table.
 */
export function seamsWith(names: readonly string[], table: readonly Fault[]): Seams {
  const seams = { ...HONEST };
  for (const name of names) Object.assign(seams, faultNamed(name, table).seams());
  return seams;
}

function faultNamed(name: string, table: readonly Fault[]): Fault {
  const fault = table.find((known) => known.name === name);
  if (fault) return fault;
  throw new UnknownFaultError(name);
}
