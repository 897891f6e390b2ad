import { randomUUID } from 'node:crypto';
import { type Json, type Reply, refusal, rejection, type SessionState } from './server-state.js';
import { endTurn, message, resolveApproval, startTurn, type TurnHost } from './turns.js';

/** An admitted command: its answer, and the work that it asks for. */
export interface Admission {
  readonly answer: Reply;
  work(): void;
}

export interface CommandHost extends TurnHost {
  session(sessionId: string): SessionState | undefined;
  found(sessionId: string): SessionState;
  /** Result of a lifecycle command. */
  describe(session: SessionState): Json;
  readonly cancelsAnything: boolean;
}

type Handler = (host: CommandHost, session: SessionState, params: Json, commandId: string) => Admission;

/** Admits a command, or rejects it. Nothing is done before `work` is called. */
export function admit(host: CommandHost, method: string, params: Json, commandId: string): Admission {
  if (method === 'session/start') return startSession(host, params, commandId);
  const session = host.session(String(params['sessionId']));
  const handler = HANDLERS.get(method);
  if (handler === undefined) return answered(refusal(-32601, 'methodNotFound'));
  if (session === undefined) return answered(refusal(-32024, 'sessionNotLoaded'));
  return handler(host, session, params, commandId);
}

export const COMMANDS: ReadonlySet<string> = new Set([
  'session/start',
  'session/resume',
  'session/fork',
  'session/rename',
  'turn/start',
  'turn/steer',
  'turn/unqueue',
  'turn/cancel',
  'goal/set',
  'goal/edit',
  'goal/pause',
  'goal/resume',
  'goal/clear',
  'approval/decide',
]);

const nothing = () => {};

function answered(answer: Reply): Admission {
  return { answer, work: nothing };
}

function accepted(commandId: string, work: () => void, more: Json = {}): Admission {
  return { answer: { result: { commandId, status: 'accepted', ...more } }, work };
}

function startSession(host: CommandHost, params: Json, commandId: string): Admission {
  const wanted = params['sessionId'];
  if (typeof wanted === 'string' && host.session(wanted) !== undefined)
    return answered(rejection('session_id_conflict', commandId));
  const session = host.found(typeof wanted === 'string' ? wanted : randomUUID());
  return answered({ result: host.describe(session) });
}

const HANDLERS: ReadonlyMap<string, Handler> = new Map<string, Handler>([
  ['session/resume', (host, session) => answered({ result: host.describe(session) })],
  ['session/fork', (host) => answered({ result: host.describe(host.found(randomUUID())) })],
  [
    'session/rename',
    (host, session, { name }, commandId) =>
      accepted(commandId, () => {
        session.name = String(name);
        host.emit(session, 'session/nameChanged', { name });
      }),
  ],
  [
    'turn/start',
    (host, session, params, commandId) => {
      const turn = { turnId: commandId, commandId, text: textOf(params) };
      const disposition = session.active === undefined ? 'started' : 'queued';
      const work = () =>
        session.active === undefined ? startTurn(host, session, turn) : void session.queue.push(turn);
      return accepted(commandId, work, {
        turnId: commandId,
        disposition,
        startedNewTurn: disposition === 'started',
      });
    },
  ],
  [
    'turn/steer',
    (host, session, params, commandId) => {
      const { active } = session;
      if (active === undefined || active.turnId !== params['expectedTurnId'])
        return answered(rejection('stale_attempt', commandId));
      const steered = { turnId: active.turnId, commandId, text: textOf(params) };
      return accepted(
        commandId,
        () => host.emit(session, 'item/completed', { item: message(steered, true) }),
        { turnId: active.turnId },
      );
    },
  ],
  [
    'turn/unqueue',
    (host, session, { turnId }, commandId) => {
      const turn = session.queue.find((queued) => queued.turnId === turnId);
      if (turn === undefined) return answered(rejection('missing_run', commandId));
      return accepted(commandId, () => {
        session.queue = session.queue.filter((queued) => queued !== turn);
        host.emit(session, 'turn/unqueued', { turnId, commandId: turn.commandId });
      });
    },
  ],
  [
    'turn/cancel',
    (host, session, { turnId }, commandId) =>
      accepted(
        commandId,
        () => {
          const { active } = session;
          const isMeant = host.cancelsAnything || active?.turnId === turnId;
          if (active !== undefined && isMeant) endTurn(host, session, active, 'cancelled');
        },
        { turnId },
      ),
  ],
  [
    'goal/set',
    (host, session, { objective }, commandId) =>
      accepted(commandId, () => setGoal(host, session, { objective, status: 'active', percentComplete: 0 })),
  ],
  ['goal/edit', goalVerb((goal, { objective }) => ({ ...goal, objective }))],
  ['goal/pause', goalVerb((goal) => ({ ...goal, status: 'paused' }))],
  ['goal/resume', goalVerb((goal) => ({ ...goal, status: 'active' }))],
  ['goal/clear', goalVerb(() => undefined)],
  [
    'approval/decide',
    (host, session, { approvalId }, commandId) => {
      if (session.approval !== approvalId) return answered(refusal(-32051, 'approvalAlreadyResolved'));
      return accepted(
        commandId,
        () => {
          const { active } = session;
          resolveApproval(host, session, commandId);
          if (active !== undefined) endTurn(host, session, active, 'completed');
        },
        { approvalId, terminal: true },
      );
    },
  ],
]);

function goalVerb(change: (goal: Json, params: Json) => Json | undefined): Handler {
  return (host, session, params, commandId) => {
    const { goal } = session;
    if (goal === undefined) return answered(rejection('missing_goal', commandId));
    return accepted(commandId, () => setGoal(host, session, change(goal, params)));
  };
}

function setGoal(host: CommandHost, session: SessionState, goal: Json | undefined): void {
  session.goal = goal;
  host.emit(session, 'session/goalChanged', { goal: goal ?? null });
}

function textOf({ input }: Json): string {
  const [part] = Array.isArray(input) ? (input as Json[]) : [];
  return String(part?.['text'] ?? '');
}
