import { BoundedMap } from './bounded-map.js';
import {
  type ConnectionEnd,
  type JsonMembers,
  membersOf,
  type Observation,
  type ObservedFrame,
  type OpenRequest,
  type Rule,
  textMember,
} from './observation.js';
import { pageEvents } from './pages.js';
import { newTurn, TurnEnds, type TurnState } from './turn-ends.js';
import type { Verdicts } from './verdicts.js';

const TURNS_REMEMBERED = 8192;

/** An event of a turn's life, live or from a page. */
interface TurnEvent {
  readonly params: JsonMembers;
  readonly cursor: string;
  readonly at: ObservedFrame;
  /** The stretch of the live stream that it came in; undefined where order says nothing. */
  readonly stretch: number | undefined;
}

/**
 * A turn starts at most once, ends at most once, and a reclaimed one does neither. Told apart by cursor, so that an
 * event that is read again from a page or a replayed suffix is not a second one.
 */
export class Turns implements Rule {
  private readonly turns = new BoundedMap<string, TurnState>(TURNS_REMEMBERED);
  private readonly ends: TurnEnds;

  constructor(private readonly verdicts: Verdicts) {
    this.ends = new TurnEnds(verdicts);
  }

  observe({ at, message, view, request }: Observation): void {
    if (at.dir === 'client') return;
    if (view !== undefined && TURN_EVENTS.has(view.method)) {
      const { params, cursor } = view;
      const stretch = view.ordered && view.arrival === 'fresh' ? view.entry.stretch : undefined;
      this.observeEvent(view.method, { params, cursor, at, stretch });
    }
    if (message.kind === 'notification' && message.method === 'view/gap')
      this.ends.noteGap(textMember(membersOf(message.params), 'sessionId'));
    if (message.kind === 'notification' && message.method === 'session/statusChanged')
      this.ends.noteStatus(membersOf(message.params));
    if (message.kind !== 'success' || request === undefined || request.ambiguous) return;
    if (request.method === 'turn/start') this.noteSubmission(request, membersOf(message.result));
    if (request.method === 'view/page') this.observePage(membersOf(message.result)?.['events'], at);
    // The results of commands may be replayed ones; a read tells the present.
    if (request.method === 'session/read')
      this.ends.noteStatus(membersOf(membersOf(message.result)?.['session']));
  }

  connectionClosed(how: ConnectionEnd): void {
    this.ends.conclude(how, this.turns.values());
    this.turns.clear();
  }

  private observePage(events: unknown, at: ObservedFrame): void {
    if (!Array.isArray(events)) return;
    for (const { method, params, cursor } of pageEvents(events))
      if (TURN_EVENTS.has(method)) this.observeEvent(method, { params, cursor, at, stretch: undefined });
  }

  private observeEvent(method: string, event: TurnEvent): void {
    const turnId = textMember(event.params, 'turnId');
    const sessionId = textMember(event.params, 'sessionId') ?? '';
    if (turnId === undefined) return;
    const turn = this.turns.getOr(`${sessionId} ${turnId}`, () => newTurn(turnId, sessionId));
    if (method === 'turn/started') this.observeStarted(turn, event);
    if (method === 'turn/completed') this.observeCompleted(turn, event);
    if (method === 'turn/unqueued') this.observeUnqueued(turn, event);
  }

  private observeStarted(turn: TurnState, { params, cursor, at, stretch }: TurnEvent): void {
    this.verdicts.exercise('turn/started-once');
    if (turn.startedCursor !== undefined && turn.startedCursor !== cursor)
      this.tell(
        'turn/started-once',
        `Turn ${turn.turnId} started at ${turn.startedCursor} and at ${cursor}.`,
        at,
      );
    else if (turn.terminalStretch !== undefined && turn.terminalStretch === stretch)
      this.tell('turn/started-once', `Turn ${turn.turnId} started after its end.`, at);
    if (turn.startedCursor === undefined) {
      turn.startedLive = stretch === undefined ? undefined : at;
      this.ends.noteStart(turn);
    }
    turn.startedCursor ??= cursor;
    this.observeNeverRuns(turn, at);
    this.observeCommand('turn/started-names-command', turn, params, at);
  }

  private observeCompleted(turn: TurnState, { params, cursor, at, stretch }: TurnEvent): void {
    this.verdicts.exercise('turn/terminal-once');
    if (turn.terminalCursor !== undefined && turn.terminalCursor !== cursor)
      this.tell(
        'turn/terminal-once',
        `Turn ${turn.turnId} ended at ${turn.terminalCursor} and at ${cursor}.`,
        at,
      );
    turn.terminalCursor ??= cursor;
    turn.terminalStretch ??= stretch;
    this.observeNeverRuns(turn, at);
    this.ends.observeOutcome(params, at);
    this.ends.noteEnd(turn);
  }

  private observeUnqueued(turn: TurnState, { params, cursor, at }: TurnEvent): void {
    turn.unqueuedCursor ??= cursor;
    this.observeNeverRuns(turn, at);
    this.observeCommand('turn/unqueued-names-command', turn, params, at);
  }

  private observeNeverRuns(turn: TurnState, at: ObservedFrame): void {
    if (turn.unqueuedCursor === undefined) return;
    this.verdicts.exercise('turn/unqueued-never-runs');
    const ran = turn.startedCursor ?? turn.terminalCursor;
    if (ran !== undefined)
      this.tell(
        'turn/unqueued-never-runs',
        `Turn ${turn.turnId} was reclaimed at ${turn.unqueuedCursor} and ran at ${ran}.`,
        at,
      );
  }

  private observeCommand(
    id: 'turn/started-names-command' | 'turn/unqueued-names-command',
    turn: TurnState,
    params: JsonMembers,
    at: ObservedFrame,
  ): void {
    if (turn.submittedBy === undefined) return;
    this.verdicts.exercise(id);
    if (params['commandId'] !== turn.submittedBy)
      this.tell(
        id,
        `Turn ${turn.turnId} was submitted by command ${turn.submittedBy}; the event names ${JSON.stringify(params['commandId'])}.`,
        at,
      );
  }

  /** The ack of a submit that will run as a turn of its own. */
  private noteSubmission(request: OpenRequest, ack: JsonMembers | undefined): void {
    const turnId = textMember(ack, 'turnId');
    const sessionId = textMember(request.params, 'sessionId');
    const isOwnTurn = ack?.['disposition'] === 'started' || ack?.['disposition'] === 'queued';
    if (turnId === undefined || sessionId === undefined || !isOwnTurn) return;
    const turn = this.turns.getOr(`${sessionId} ${turnId}`, () => newTurn(turnId, sessionId));
    turn.submittedBy ??= textMember(request.params, 'commandId');
  }

  private tell(id: Parameters<Verdicts['report']>[0], message: string, at: ObservedFrame): void {
    this.verdicts.report(id, { message, at });
  }
}

const TURN_EVENTS: ReadonlySet<string> = new Set(['turn/started', 'turn/completed', 'turn/unqueued']);
