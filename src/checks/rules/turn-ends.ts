import { BoundedMap } from './bounded-map.js';
import { type ConnectionEnd, type JsonMembers, type ObservedFrame, textMember } from './observation.js';
import type { Verdicts } from './verdicts.js';

/** What is known of one turn; members are set as its events come. Very many are held, so all have one shape. */
export interface TurnState {
  readonly turnId: string;
  readonly sessionId: string;
  submittedBy: string | undefined;
  startedCursor: string | undefined;
  /** The start as it arrived live, while nothing after it can have been missed. */
  startedLive: ObservedFrame | undefined;
  terminalCursor: string | undefined;
  terminalStretch: number | undefined;
  unqueuedCursor: string | undefined;
  /** Turns that had started and not ended when this one started. */
  startedDuring: readonly TurnState[];
  /** The server itself has said that the turn cannot be running any more. */
  isOverdue: boolean;
}

/** A turn of which nothing has been seen yet. */
export function newTurn(turnId: string, sessionId: string): TurnState {
  return {
    turnId,
    sessionId,
    submittedBy: undefined,
    startedCursor: undefined,
    startedLive: undefined,
    terminalCursor: undefined,
    terminalStretch: undefined,
    unqueuedCursor: undefined,
    startedDuring: NO_TURNS,
    isOverdue: false,
  };
}

const NO_TURNS: readonly TurnState[] = [];

const SESSIONS_REMEMBERED = 128;
/** Turns of one session that are followed while they have no end; an honest session has one. */
const OPEN_TURNS_REMEMBERED = 64;

/** What a terminal says, and terminals that never came. */
export class TurnEnds {
  private readonly openTurns = new BoundedMap<string, Set<TurnState>>(SESSIONS_REMEMBERED);

  constructor(private readonly verdicts: Verdicts) {}

  observeOutcome(params: JsonMembers, at: ObservedFrame): void {
    const { terminal } = params;
    this.verdicts.exercise('turn/terminal-error');
    const hasError = params['error'] !== undefined && params['error'] !== null;
    if (hasError && (terminal === 'completed' || terminal === 'cancelled'))
      this.verdicts.report(
        'turn/terminal-error',
        { message: `The terminal is ${terminal} and carries an error.`, at },
        // A turn that died with its host may be told so either way.
        terminal === 'cancelled' ? 'warning' : 'violation',
      );
    if (terminal !== 'failed') return;
    this.verdicts.exercise('turn/failure-explained');
    if (!hasError && textMember(params, 'reason') === undefined)
      this.verdicts.report('turn/failure-explained', {
        message: 'The turn failed and carries neither error nor reason.',
        at,
      });
  }

  /** A session that is idle runs nothing. */
  noteStatus(session: JsonMembers | undefined): void {
    if (session?.['status'] !== 'idle') return;
    for (const turn of this.openIn(textMember(session, 'sessionId'))) turn.isOverdue = true;
  }

  noteStart(turn: TurnState): void {
    const open = this.openTurns.getOr(turn.sessionId, () => new Set());
    turn.startedDuring = open.size === 0 ? NO_TURNS : [...open];
    open.add(turn);
    const [oldest] = open;
    if (open.size > OPEN_TURNS_REMEMBERED && oldest !== undefined) open.delete(oldest);
  }

  /** Turns of a session run one after the other: when a later one has ended, the earlier ones have. */
  noteEnd(turn: TurnState): void {
    this.openIn(turn.sessionId).delete(turn);
    for (const earlier of turn.startedDuring) earlier.isOverdue = true;
    turn.startedDuring = NO_TURNS;
    if (turn.startedLive !== undefined) this.verdicts.exercise('turn/has-terminal');
    turn.startedLive = undefined;
  }

  /** Events of the session are missing from the stream; a terminal may be among them. */
  noteGap(sessionId: string | undefined): void {
    for (const turn of this.openIn(sessionId)) turn.startedLive = undefined;
  }

  conclude(how: ConnectionEnd, turns: Iterable<TurnState>): void {
    const mayJudge = how === 'drained' || how === 'settled' || how === 'end-of-transcript';
    for (const turn of turns) {
      if (!mayJudge || turn.startedLive === undefined) continue;
      if (!turn.isOverdue && how !== 'settled') continue;
      this.verdicts.report('turn/has-terminal', {
        message: `Turn ${turn.turnId} started, is over, and has no turn/completed.`,
        at: turn.startedLive,
      });
    }
    this.openTurns.clear();
  }

  private openIn(sessionId: string | undefined): Set<TurnState> {
    return this.openTurns.get(sessionId ?? '') ?? new Set();
  }
}
