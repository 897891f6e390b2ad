import type { LiveCommand } from '../replay/drive-context.js';
import { isRejection } from './compare-answers.js';
import type { Crash } from './crash.js';
import { asLive, effectCheckOf, passOf } from './crash-verdicts.js';
import { excessOf, type Happening, isEffect, namedCommand, startedTurn, turnOf } from './effects.js';
import { hasOpenPrompt } from './quiesce.js';
import { describeExcess } from './report-excess.js';
import { called, judge, type Probe, resultOf } from './probe.js';
import type { ResumedSession } from './sessions.js';
import { readView, type ViewEvent } from './view.js';

/** The state change that each command is known by on the view. */
const STATE_CHANGE: ReadonlyMap<string, string> = new Map([
  ['goal/set', 'session/goalChanged'],
  ['goal/edit', 'session/goalChanged'],
  ['goal/pause', 'session/goalChanged'],
  ['goal/resume', 'session/goalChanged'],
  ['goal/clear', 'session/goalChanged'],
  ['session/rename', 'session/nameChanged'],
  ['session/setModel', 'session/modelChanged'],
  ['session/setApprovalMode', 'session/approvalModeChanged'],
  ['session/setReasoningEffort', 'session/reasoningEffortChanged'],
]);

/** Holds the views against the answer: no effect twice, an accepted command's effect there, an accepted turn not stale. */
export async function judgeCrashEffects(
  probe: Probe,
  crash: Crash,
  resumed: ReadonlyMap<string, ResumedSession>,
  control: ReadonlyMap<string, number>,
): Promise<void> {
  const command = asLive(crash);
  const events = await viewOf(probe, command.sessionId);
  if (events === undefined || crash.settled === undefined) return;
  const turnId = startedTurn({ ...command, answer: crash.settled }) ?? (crash.ack && startedTurn(command));
  if (turnId !== undefined && crash.settled.kind === 'result') await judgeNotStale(probe, crash, turnId, events, resumed);
  if (turnId !== undefined && isRejection(crash.settled)) judgeAbandoned(probe, crash, turnId, events);
  if (turnId !== undefined && crash.point.side === 'after-stop') judgeDrain(probe, crash, turnId, events);
  const after = (await viewOf(probe, command.sessionId)) ?? events;
  const excess = excessOf([command], after, new Map()).filter((entry) => entry.command !== undefined);
  judge(probe, effectCheckOf(crash), passOf(crash), command, {
    status: excess.length > 0 ? 'failed' : 'passed',
    message: excess.length > 0 ? `After the kill ${called(command)} had more than one effect: ${excess.map(describeExcess).join('; ')}.` : '',
  });
  if (resultOf(command.answer)['disposition'] === 'queued') {
    const starts = after.filter(({ method, params }) => method === 'turn/started' && params['turnId'] === turnId).length;
    judge(probe, 'durability/queued-turn-launched-once', passOf(crash), command, {
      status: starts > 1 ? 'failed' : 'passed',
      message: starts > 1 ? `The queued turn of ${called(command)} was started ${starts} times.` : '',
    });
  }
  judgeStateChange(probe, crash, command, after, control);
}

/** The effects on the view that are the command's own. */
export async function effectsOf(probe: Probe, command: LiveCommand): Promise<readonly ViewEvent[]> {
  const events = await viewOf(probe, command.sessionId);
  return (events ?? []).filter((event) => isOwnEffect(event, command));
}

/** An event that names the command or its turn, or is the state change that the command is known by. */
export function isOwnEffect(event: Happening, command: LiveCommand): boolean {
  if (!isEffect(event)) return false;
  const turnId = startedTurn(command);
  if (namedCommand(event) === command.commandId || (turnId !== undefined && turnOf(event) === turnId)) return true;
  return STATE_CHANGE.get(command.method) === event.method;
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
  resumed: ReadonlyMap<string, ResumedSession>,
): boolean {
  const turnId = startedTurn(command);
  const session = command.sessionId === undefined ? undefined : resumed.get(command.sessionId);
  const isAlive = turnId !== undefined && (session?.activeTurnId === turnId || session?.queuedTurnIds.includes(turnId) === true);
  const isQueued = resultOf(command.answer)['disposition'] === 'queued';
  if (isAlive || isQueued || (turnId !== undefined && before.length > 0)) return false;
  const change = STATE_CHANGE.get(command.method);
  const due = change === undefined ? Number.POSITIVE_INFINITY : acknowledged(change, command, earlier) + 1;
  return before.length < due && after.length > before.length;
}

/** How many acknowledged commands before this one made the same kind of state change to its session. */
function acknowledged(change: string, { sessionId }: LiveCommand, earlier: readonly LiveCommand[]): number {
  return earlier.filter((other) => STATE_CHANGE.get(other.method) === change && other.sessionId === sessionId && other.answer.kind === 'result').length;
}

async function viewOf(probe: Probe, sessionId: string | undefined): Promise<readonly ViewEvent[] | undefined> {
  if (sessionId === undefined) return undefined;
  const reading = await readView(probe.stage.exchange, sessionId);
  return reading.kind === 'read' ? reading.events : undefined;
}

/** An ack for a turn that neither ended nor is queued nor runs is a stale pending ack. */
async function judgeNotStale(
  probe: Probe,
  crash: Crash,
  turnId: string,
  events: readonly ViewEvent[],
  resumed: ReadonlyMap<string, ResumedSession>,
): Promise<void> {
  const command = asLive(crash);
  const { exchange } = probe.stage;
  const isEnd = (event: { readonly method: string; readonly params: Readonly<Record<string, unknown>> }) =>
    ENDS.has(event.method) && event.params['turnId'] === turnId;
  let isSettled = events.some(isEnd);
  if (!isSettled) {
    const session = command.sessionId === undefined ? undefined : resumed.get(command.sessionId);
    const isAlive = session?.activeTurnId === turnId || session?.queuedTurnIds.includes(turnId) === true;
    const limit = isAlive ? 3 * exchange.timeoutMs : exchange.timeoutMs;
    const ended = await exchange.until(() => (exchange.events.some(isEnd) || hasOpenPrompt(exchange.events) ? true : undefined), limit);
    isSettled = 'value' in ended || ((await viewOf(probe, command.sessionId)) ?? []).some(isEnd);
  }
  judge(probe, 'idempotency/abandoned-not-stale', passOf(crash), command, {
    status: isSettled ? 'passed' : 'failed',
    message: isSettled
      ? ''
      : `${called(command)} is still answered with an ack after the restart, but its turn ${turnId} has no terminal, is not queued and does not run.`,
  });
  if (resultOf(command.answer)['disposition'] !== 'queued') return;
  judge(probe, 'durability/queued-turn-survives', passOf(crash), command, {
    status: isSettled ? 'passed' : 'failed',
    message: isSettled ? '' : `The queued turn ${turnId} of ${called(command)} was lost: it neither ran nor was settled after the restart.`,
  });
}

/** An orderly stop cancels the running turn, durably. */
function judgeDrain(probe: Probe, crash: Crash, turnId: string, events: readonly ViewEvent[]): void {
  const command = asLive(crash);
  // A queued turn may be launched and end while the server drains, and any other turn may end by itself.
  const isRunning = command.step.behaviour === 'slow' && resultOf(command.answer)['disposition'] === 'started';
  const own = events.filter(({ params }) => params['turnId'] === turnId);
  if (!isRunning || !own.some(({ method }) => method === 'turn/started')) return;
  const terminal = own.find(({ method }) => method === 'turn/completed')?.params['terminal'];
  judge(probe, 'durability/drain-cancels-turn', 'restart', command, {
    status: terminal === 'cancelled' ? 'passed' : 'failed',
    message:
      terminal === 'cancelled'
        ? ''
        : `The turn ${turnId} was running when the input was closed; its terminal on the view is ${terminal ?? 'missing'}, not cancelled.`,
  });
}

const ENDS: ReadonlySet<string> = new Set(['turn/completed', 'turn/unqueued']);

/** A turn whose command was rejected as abandoned must not be left open on the view. */
function judgeAbandoned(probe: Probe, crash: Crash, turnId: string, events: readonly ViewEvent[]): void {
  const own = events.filter((event) => turnOf(event) === turnId);
  const isOpen = own.some(({ method }) => method === 'turn/started') && !own.some(({ method }) => ENDS.has(method));
  judge(probe, 'durability/interrupted-turn-settled', passOf(crash), asLive(crash), {
    status: isOpen ? 'failed' : 'passed',
    message: isOpen ? `${called(asLive(crash))} was settled as abandoned, but its turn ${turnId} has started on the view and never ends.` : '',
  });
}

/** An acknowledged state change is on the view: counted against the acknowledged commands of its kind. */
function judgeStateChange(
  probe: Probe,
  crash: Crash,
  command: LiveCommand,
  events: readonly ViewEvent[],
  control: ReadonlyMap<string, number>,
): void {
  const change = STATE_CHANGE.get(command.method);
  if (change === undefined || crash.ack?.kind !== 'result' || crash.settled?.kind !== 'result') return;
  if (resultOf(crash.ack)['applyOutcome'] === 'noop') return;
  // Servers may report a change that changes nothing, or not: only count where each acked command had its event.
  if ((control.get(`each ${change}`) ?? 0) !== 1) return;
  const due = acknowledged(change, command, crash.earlier) + 1;
  const found = events.filter(({ method }) => method === change).length;
  judge(probe, 'durability/acknowledged-state-survives', 'crash-after-ack', command, {
    status: found < due ? 'failed' : 'passed',
    message: found < due ? `${called(command)} was acknowledged, but after the crash the view has ${found} ${change} where ${due} are due.` : '',
  });
}

/** For each kind of state change: 1 when the control drive showed at least one event per acknowledged command. */
export function stateChangeControl(commands: readonly LiveCommand[], events: readonly ViewEvent[]): Map<string, number> {
  const control = new Map<string, number>();
  for (const change of new Set(STATE_CHANGE.values())) {
    const acked = commands.filter(({ method, answer }) => STATE_CHANGE.get(method) === change && answer.kind === 'result').length;
    const shown = events.filter(({ method }) => method === change).length;
    control.set(`each ${change}`, shown >= acked ? 1 : 0);
  }
  return control;
}
