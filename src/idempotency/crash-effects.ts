import type { LiveCommand } from '../replay/drive-context.js';
import { asLive, type Crash, effectCheckOf, passOf } from './crash-record.js';
import { isAlive, isQueued, judgeLaunches, judgeTurn } from './crash-turns.js';
import { excessOf, type Happening, isEffect, namedCommand, startedTurn, turnOf } from './effects.js';
import { setsWorkGoing } from './exceptions.js';
import { called, judge, type Probe, resultOf } from './probe.js';
import { describeExcess } from './report-excess.js';
import { readingOf, shownOn } from './session-reading.js';
import type { ResumedSession } from './sessions.js';
import { type ChangeControl, changesDue, stateChangeOf, tellsAskedState } from './state-changes.js';
import type { ViewEvent } from './view.js';

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
  const after = await shownOn(probe, command.sessionId);
  judgeSingle(probe, crash, command, before, after, control);
  if (turnId !== undefined && isQueued(command)) judgeLaunches(probe, crash, turnId, after);
  judgeStateChange(probe, crash, command, after, control);
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

/** The effects in the session that are the command's own; none where it cannot be read. */
export async function effectsOf(probe: Probe, command: LiveCommand): Promise<readonly ViewEvent[]> {
  const events = await shownOn(probe, command.sessionId);
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
