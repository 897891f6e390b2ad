import type { LiveCommand } from '../replay/drive-context.js';
import { isRejection } from './compare-answers.js';
import type { Crash } from './crash.js';
import { asLive, effectCheckOf, passOf } from './crash-verdicts.js';
import { excessOf, type Happening, isEffect, namedCommand, startedTurn, turnOf } from './effects.js';
import { setsWorkGoing } from './exceptions.js';
import { called, judge, type Probe, resultOf } from './probe.js';
import { hasOpenPrompt, isTurnEnd } from './quiesce.js';
import { describeExcess } from './report-excess.js';
import type { ResumedSession } from './sessions.js';
import { type ChangeControl, changesDue, stateChangeOf, tellsAskedState } from './state-changes.js';
import { readSession, type ViewEvent, type ViewReading } from './view.js';

type Resumed = ReadonlyMap<string, ResumedSession>;

/** Holds the views against the answer: no effect twice, an accepted command's effect there, an accepted turn not stale. */
export async function judgeCrashEffects(
  probe: Probe,
  crash: Crash,
  resumed: Resumed,
  before: readonly ViewEvent[],
  control: ChangeControl,
): Promise<void> {
  const command = asLive(crash);
  const reading = await readingOf(probe, command.sessionId);
  if (reading === undefined || crash.settled === undefined) return;
  if (reading.kind === 'unreadable' && !crash.isObservable) {
    const message = 'The session held only its start and was reclaimed.';
    return judge(probe, effectCheckOf(crash), passOf(crash), command, { status: 'notApplicable', message });
  }
  if (reading.kind === 'unreadable') {
    const message = `What ${called(command)} brought about cannot be seen: ${reading.why}.`;
    return judge(probe, effectCheckOf(crash), passOf(crash), command, { status: 'untestable', message });
  }
  const turnId = startedTurn({ ...command, answer: crash.settled }) ?? (crash.ack && startedTurn(command));
  if (turnId !== undefined) await judgeTurn(probe, crash, turnId, reading, resumed);
  const after = await eventsOf(probe, command.sessionId);
  judgeSingle(probe, crash, command, before, after, control);
  if (turnId !== undefined && isQueued(command)) judgeLaunches(probe, crash, turnId, after);
  judgeStateChange(probe, crash, command, after, control);
}

async function judgeTurn(
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

/** No effect twice: neither one that names the command or its turn, nor a change that came again with the replay. */
function judgeSingle(
  probe: Probe,
  crash: Crash,
  command: LiveCommand,
  before: readonly ViewEvent[],
  after: readonly ViewEvent[],
  control: ChangeControl,
): void {
  const excess = excessOf([command], after, new Map())
    .filter((entry) => entry.command !== undefined)
    .map(describeExcess);
  const isAgain = ranAgain(
    command,
    crash.earlier,
    before,
    after.filter((event) => isOwnEffect(event, command)),
    control,
  );
  if (isAgain) excess.push(`${stateChangeOf(command.method)} came again with the replay`);
  judge(probe, effectCheckOf(crash), passOf(crash), command, {
    status: excess.length > 0 ? 'failed' : 'passed',
    message:
      excess.length > 0
        ? `After the ${endOf(crash)} ${called(command)} had more than one effect: ${excess.join('; ')}.`
        : '',
  });
}

function endOf({ point }: Crash): string {
  return point.side === 'after-stop' ? 'stop' : 'kill';
}

/** A state change that was there before the replay, and came once more with it. */
function ranAgain(
  command: LiveCommand,
  earlier: readonly LiveCommand[],
  before: readonly ViewEvent[],
  after: readonly ViewEvent[],
  { countable }: ChangeControl,
): boolean {
  const kind = stateChangeOf(command.method);
  if (kind === undefined || !countable.has(kind) || setsWorkGoing(command.method)) return false;
  return before.length >= changesDue(command, earlier) && after.length > before.length;
}

function judgeLaunches(probe: Probe, crash: Crash, turnId: string, events: readonly ViewEvent[]): void {
  const command = asLive(crash);
  const starts = events.filter(
    ({ method, params }) => method === 'turn/started' && params['turnId'] === turnId,
  ).length;
  judge(probe, 'durability/queued-turn-launched-once', passOf(crash), command, {
    status: starts > 1 ? 'failed' : 'passed',
    message: starts > 1 ? `The queued turn of ${called(command)} was started ${starts} times.` : '',
  });
}

/** The effects in the session that are the command's own; none where it cannot be read. */
export async function effectsOf(probe: Probe, command: LiveCommand): Promise<readonly ViewEvent[]> {
  const events = await eventsOf(probe, command.sessionId);
  return events.filter((event) => isOwnEffect(event, command));
}

/** An event that names the command or its turn, or is the state change that the command is known by. */
export function isOwnEffect(event: Happening, command: LiveCommand): boolean {
  if (!isEffect(event)) return false;
  const turnId = startedTurn(command);
  if (namedCommand(event) === command.commandId || (turnId !== undefined && turnOf(event) === turnId))
    return true;
  return stateChangeOf(command.method) === event.method;
}

/**
 * True when an acknowledged command's effect came only with its replay. The end of a turn that had been started, and
 * the start of one that was waiting or running, are not the replay's doing.
 */
export function wasCarriedOut(
  command: LiveCommand,
  earlier: readonly LiveCommand[],
  before: readonly ViewEvent[],
  after: readonly ViewEvent[],
  resumed: Resumed,
  control: ChangeControl,
): boolean {
  const kind = stateChangeOf(command.method);
  if (kind !== undefined) return isChangedLate(command, kind, earlier, before, after, control);
  const turnId = startedTurn(command);
  if (isQueued(command) || isAlive(turnId, command, resumed)) return false;
  return turnId === undefined
    ? isMessageLate(command, before, after)
    : before.length === 0 && after.length > 0;
}

function isChangedLate(
  command: LiveCommand,
  kind: string,
  earlier: readonly LiveCommand[],
  before: readonly ViewEvent[],
  after: readonly ViewEvent[],
  control: ChangeControl,
): boolean {
  if (control.told.has(command.step.line)) {
    const tells = (event: ViewEvent) => tellsAskedState(event, command);
    return !before.some(tells) && after.some(tells);
  }
  return (
    control.countable.has(kind) &&
    before.length < changesDue(command, earlier) &&
    after.length > before.length
  );
}

/** An input that joined another's turn is known by its message. */
function isMessageLate(
  { commandId }: LiveCommand,
  before: readonly ViewEvent[],
  after: readonly ViewEvent[],
): boolean {
  const names = (event: ViewEvent) => namedCommand(event) === commandId;
  return !before.some(names) && after.some(names);
}

function isQueued({ answer }: LiveCommand): boolean {
  return resultOf(answer)['disposition'] === 'queued';
}

function isAlive(turnId: string | undefined, { sessionId }: LiveCommand, resumed: Resumed): boolean {
  const session = sessionId === undefined ? undefined : resumed.get(sessionId);
  if (turnId === undefined || session === undefined) return false;
  return session.activeTurnId === turnId || session.queuedTurnIds.includes(turnId);
}

async function readingOf(probe: Probe, sessionId: string | undefined): Promise<ViewReading | undefined> {
  return sessionId === undefined ? undefined : readSession(probe.stage.exchange, sessionId);
}

async function eventsOf(probe: Probe, sessionId: string | undefined): Promise<readonly ViewEvent[]> {
  const reading = await readingOf(probe, sessionId);
  return reading?.kind === 'read' ? reading.events : [];
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
  judge(probe, 'idempotency/abandoned-not-stale', passOf(crash), command, {
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
  return 'value' in ended || (await eventsOf(probe, command.sessionId)).some(isEnd);
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
  judge(probe, 'idempotency/abandoned-not-stale', passOf(crash), asLive(crash), { status: 'passed' });
  const isOpen =
    own.some(({ method }) => method === 'turn/started') && !own.some((event) => isTurnEnd(event, turnId));
  judge(probe, 'durability/interrupted-turn-settled', passOf(crash), asLive(crash), {
    status: isOpen ? 'failed' : 'passed',
    message: isOpen
      ? `${called(asLive(crash))} was settled as abandoned, but its turn ${turnId} has started on the view and never ends.`
      : '',
  });
}

/** The change that an accepted command asked for is told on the view, where the undisturbed drive told it too. */
function judgeStateChange(
  probe: Probe,
  crash: Crash,
  command: LiveCommand,
  events: readonly ViewEvent[],
  control: ChangeControl,
): void {
  const kind = stateChangeOf(command.method);
  if (
    kind === undefined ||
    crash.settled?.kind !== 'result' ||
    (crash.ack ?? crash.settled).kind !== 'result'
  )
    return;
  if (resultOf(crash.settled)['applyOutcome'] === 'noop') return;
  const isTold = control.told.has(command.step.line);
  if (!isTold && !control.countable.has(kind)) return;
  const found = events.filter(({ method }) => method === kind).length;
  const isThere = isTold
    ? events.some((event) => tellsAskedState(event, command))
    : found >= changesDue(command, crash.earlier);
  judge(probe, 'durability/acknowledged-state-survives', passOf(crash), command, {
    status: isThere ? 'passed' : 'failed',
    message: isThere
      ? ''
      : `${called(command)} was acknowledged, but after the ${endOf(crash)} the view does not tell of the change it asked for.`,
  });
}
