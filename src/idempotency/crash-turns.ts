import type { LiveCommand } from '../replay/drive-context.js';
import { isRejection } from './compare-answers.js';
import { asLive, type Crash, passOf } from './crash-record.js';
import { type Happening, turnOf } from './effects.js';
import { called, judge, type Probe, resultOf } from './probe.js';
import { hasOpenPrompt, isTurnEnd } from './quiesce.js';
import { shownOn } from './session-reading.js';
import { type ResumedSession, resumeSession } from './sessions.js';
import type { ViewEvent, ViewReading } from './view.js';

type Resumed = ReadonlyMap<string, ResumedSession>;

/** Holds a crashed command's turn against its answer: settled where it is acknowledged, not open where it is abandoned. */
export async function judgeTurn(
  probe: Probe,
  crash: Crash,
  turnId: string,
  reading: ViewReading & { readonly kind: 'read' },
  resumed: Resumed,
): Promise<void> {
  if (crash.settled?.kind === 'result') await judgeNotStale(probe, crash, turnId, reading, resumed);
  else if (crash.settled !== undefined && isRejection(crash.settled))
    judgeAbandoned(probe, crash, turnId, reading.events);
  if (crash.point.side === 'after-stop') judgeDrain(probe, crash, turnId, reading.events);
}

export function judgeLaunches(
  probe: Probe,
  crash: Crash,
  turnId: string,
  events: readonly ViewEvent[],
): void {
  const command = asLive(crash);
  const starts = events.filter(
    ({ method, params }) => method === 'turn/started' && params['turnId'] === turnId,
  ).length;
  judge(probe, 'durability/queued-turn-launched-once', passOf(crash), command, {
    status: starts > 1 ? 'failed' : 'passed',
    message: starts > 1 ? `The queued turn of ${called(command)} was started ${starts} times.` : '',
  });
}

export function isQueued({ answer }: LiveCommand): boolean {
  return resultOf(answer)['disposition'] === 'queued';
}

/** The server says that the turn runs or waits. */
export function isAlive(turnId: string | undefined, { sessionId }: LiveCommand, resumed: Resumed): boolean {
  const session = sessionId === undefined ? undefined : resumed.get(sessionId);
  if (turnId === undefined || session === undefined) return false;
  return session.activeTurnId === turnId || session.queuedTurnIds?.includes(turnId) === true;
}

/** An ack for a turn that neither ended nor is queued nor runs is a stale pending ack. */
async function judgeNotStale(
  probe: Probe,
  crash: Crash,
  turnId: string,
  { events, from }: ViewReading & { readonly kind: 'read' },
  resumed: Resumed,
): Promise<void> {
  const command = asLive(crash);
  const isEnd = (event: Happening) => isTurnEnd(event, turnId);
  const mayEnd = from === 'view' || isAlive(turnId, command, resumed);
  const isSettled = events.some(isEnd) || (mayEnd && (await comesToAnEnd(probe, command, turnId, resumed)));
  // A history names the last turn only: that another one ended may be told in its count alone.
  const failure = from === 'view' ? 'failed' : 'untestable';
  const pending = isSettled ? undefined : await whyPending(probe, command, turnId, resumed);
  // Time had a say in this: it is tried again with more patience before it counts.
  if (!isSettled) crash.isLate = mayEnd;
  if (pending !== undefined) {
    const ids = isQueued(command) ? [NOT_STALE, 'durability/queued-turn-survives' as const] : [NOT_STALE];
    for (const id of ids)
      judge(probe, id, passOf(crash), command, { status: 'untestable', message: pending });
    return;
  }
  judge(probe, NOT_STALE, passOf(crash), command, {
    status: isSettled ? 'passed' : failure,
    message: isSettled
      ? ''
      : `${called(command)} is still answered with an ack after the restart, but its turn ${turnId} has no terminal, is not queued and does not run.`,
  });
  if (!isQueued(command)) return;
  judge(probe, 'durability/queued-turn-survives', passOf(crash), command, {
    status: isSettled ? 'passed' : failure,
    message: isSettled
      ? ''
      : `The queued turn ${turnId} of ${called(command)} was lost: it neither ran nor was settled after the restart.`,
  });
}

const NOT_STALE = 'idempotency/abandoned-not-stale' as const;

/**
 * Why a turn without an end may still be on its way to one; undefined when the server shows that it is not: nothing
 * of a turn that it calls running has happened since the restart, or the session is idle while a turn is queued.
 */
async function whyPending(
  probe: Probe,
  command: LiveCommand,
  turnId: string,
  resumed: Resumed,
): Promise<string | undefined> {
  const { events } = probe.stage.exchange;
  const hasMoved = events.some((event) => turnOf(event) === turnId);
  if (isAlive(turnId, command, resumed))
    return hasMoved
      ? `The server says that the turn ${turnId} of ${called(command)} is still going; its end was not waited for any longer.`
      : undefined;
  const { sessionId } = command;
  if (!isQueued(command) || sessionId === undefined) return undefined;
  if (resumed.get(sessionId)?.queuedTurnIds !== undefined) return undefined;
  const now = await resumeSession(probe, sessionId);
  return now.isLoaded && now.activeTurnId === undefined
    ? undefined
    : `The turn ${turnId} of ${called(command)} was queued and has not ended in time; another turn is still in its way.`;
}

/** Waits for the turn's end, longer where the server says that it runs or waits; a turn that waits for a person may go on doing so. */
async function comesToAnEnd(
  probe: Probe,
  command: LiveCommand,
  turnId: string,
  resumed: Resumed,
): Promise<boolean> {
  const { exchange } = probe.stage;
  const isParked = command.sessionId !== undefined && resumed.get(command.sessionId)?.isParked === true;
  if (isParked && isAlive(turnId, command, resumed)) return true;
  const isEnd = (event: Happening) => isTurnEnd(event, turnId);
  const limit = isAlive(turnId, command, resumed) ? 3 * exchange.timeoutMs : exchange.timeoutMs;
  const ended = await exchange.until(
    () => (exchange.events.some(isEnd) || hasOpenPrompt(exchange.events) ? true : undefined),
    limit,
  );
  return 'value' in ended || (await shownOn(probe, command.sessionId)).some(isEnd);
}

/** An orderly stop cancels the running turn, durably. */
function judgeDrain(probe: Probe, crash: Crash, turnId: string, events: readonly ViewEvent[]): void {
  const command = asLive(crash);
  // A queued turn may be launched and end while the server drains, and any other turn may end by itself.
  const isRunning =
    command.step.behaviour === 'slow' && resultOf(command.answer)['disposition'] === 'started';
  const own = events.filter(({ params }) => params['turnId'] === turnId);
  if (!isRunning || !own.some(({ method }) => method === 'turn/started')) return;
  const terminal = own.find(({ method }) => method === 'turn/completed')?.params['terminal'];
  const isCancelled = terminal === 'cancelled';
  judge(probe, 'durability/drain-cancels-turn', 'restart', command, {
    status: isCancelled ? 'passed' : 'failed',
    message: isCancelled
      ? ''
      : `The turn ${turnId} was running when the input was closed; its terminal on the view is ${terminal ?? 'missing'}, not cancelled.`,
  });
}

/** A turn whose command was rejected as abandoned must not be left open on the view. */
function judgeAbandoned(probe: Probe, crash: Crash, turnId: string, events: readonly ViewEvent[]): void {
  const own = events.filter((event) => turnOf(event) === turnId);
  judge(probe, NOT_STALE, passOf(crash), asLive(crash), { status: 'passed' });
  const isOpen =
    own.some(({ method }) => method === 'turn/started') && !own.some((event) => isTurnEnd(event, turnId));
  judge(probe, 'durability/interrupted-turn-settled', passOf(crash), asLive(crash), {
    status: isOpen ? 'failed' : 'passed',
    message: isOpen
      ? `${called(asLive(crash))} was settled as abandoned, but its turn ${turnId} has started on the view and never ends.`
      : '',
  });
}
