import { paramsOfLine } from '../replay/commands.js';
import type { LiveCommand } from '../replay/drive-context.js';
import { isRecord } from '../replay/exchange.js';
import type { Happening } from './effects.js';

interface StateChange {
  /** The event by which the change shows on the view; most of these do not name their command. */
  readonly event: string;
  /** The member of the command's payload that the event repeats; undefined where nothing is repeated. */
  readonly member?: string;
}

const STATE_CHANGES: ReadonlyMap<string, StateChange> = new Map([
  ['goal/set', { event: 'session/goalChanged', member: 'objective' }],
  ['goal/edit', { event: 'session/goalChanged', member: 'objective' }],
  ['goal/pause', { event: 'session/goalChanged' }],
  ['goal/resume', { event: 'session/goalChanged' }],
  ['goal/clear', { event: 'session/goalChanged' }],
  ['session/rename', { event: 'session/nameChanged', member: 'name' }],
  ['session/setModel', { event: 'session/modelChanged', member: 'modelId' }],
  ['session/setApprovalMode', { event: 'session/approvalModeChanged', member: 'mode' }],
  ['session/setReasoningEffort', { event: 'session/reasoningEffortChanged', member: 'reasoningEffort' }],
]);

export const STATE_EVENTS: ReadonlySet<string> = new Set(
  [...STATE_CHANGES.values()].map(({ event }) => event),
);

/** The event that a command of this method is known by when it does not name the command; undefined for other methods. */
export function stateChangeOf(method: string): string | undefined {
  return STATE_CHANGES.get(method)?.event;
}

/** True when the event tells the very state that the command asked for. */
export function tellsAskedState(
  event: Happening,
  { method, line }: Pick<LiveCommand, 'method' | 'line'>,
): boolean {
  const change = STATE_CHANGES.get(method);
  if (change?.member === undefined || event.method !== change.event) return false;
  const told = isRecord(event.params['goal']) ? event.params['goal'] : event.params;
  const params = paramsOfLine(line);
  const asked = (isRecord(params['model']) ? params['model'] : params)[change.member];
  return asked !== undefined && told[change.member] === asked;
}

/** What an undisturbed drive showed of its state changes: a server need not report one that changes nothing. */
export interface ChangeControl {
  /** Transcript lines of commands whose change was told on the view. */
  readonly told: ReadonlySet<number>;
  /** Kinds of event that came exactly once for each acknowledged command: these can be counted. */
  readonly countable: ReadonlySet<string>;
}

export function changeControl(commands: readonly LiveCommand[], events: readonly Happening[]): ChangeControl {
  const told = commands.filter((command) => events.some((event) => tellsAskedState(event, command)));
  const countable = [...STATE_EVENTS].filter((kind) => {
    const acked = commands.filter(
      ({ method, answer }) => stateChangeOf(method) === kind && answer.kind === 'result',
    );
    return acked.length > 0 && events.filter(({ method }) => method === kind).length === acked.length;
  });
  return { told: new Set(told.map(({ step }) => step.line)), countable: new Set(countable) };
}

/** How many state changes of the command's kind are due once it is carried out: its own and those acknowledged before it. */
export function changesDue({ method, sessionId }: LiveCommand, earlier: readonly LiveCommand[]): number {
  const kind = stateChangeOf(method);
  return (
    1 +
    earlier.filter(
      (other) =>
        stateChangeOf(other.method) === kind &&
        other.sessionId === sessionId &&
        other.answer.kind === 'result',
    ).length
  );
}
