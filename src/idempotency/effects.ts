import type { LiveCommand } from '../replay/drive-context.js';
import { isRecord, type LiveEvent } from '../replay/exchange.js';
import { PROMISED_EVENTS } from '../replay/promises.js';
import { settingOf } from '../replay/settings.js';
import { setsWorkGoing } from './exceptions.js';
import { STATE_EVENTS } from './state-changes.js';
import type { ViewEvent } from './view.js';

/** An event of a durable view or of the live stream. */
export type Happening = Pick<ViewEvent, 'method' | 'params'> | Pick<LiveEvent, 'method' | 'params'>;

/**
 * Events that are the effect of some command. Everything else on a view (usage, branch, health, status, hook runs,
 * deltas, reasoning) is weather: a server may report it at any time.
 */
const EFFECTS: ReadonlySet<string> = new Set([...PROMISED_EVENTS, 'session/started', 'session/closed']);

/** Items that stand for a command of the client's; a compaction may also come about by itself. */
const COMMANDED_ITEMS: ReadonlySet<unknown> = new Set(['userMessage', 'userShell', 'compaction']);

export function isEffect(event: Happening): boolean {
  if (EFFECTS.has(event.method)) return true;
  const { kind, trigger } = itemOf(event);
  return event.method === 'item/completed' && COMMANDED_ITEMS.has(kind) && trigger !== 'auto';
}

/** The command that an event says it stems from, wherever the event says so. */
export function namedCommand(event: Happening): string | undefined {
  const named = event.params['commandId'] ?? event.params['decidedByCommandId'] ?? itemOf(event)['commandId'];
  return typeof named === 'string' ? named : undefined;
}

export function turnOf(event: Happening): string | undefined {
  const turnId = event.params['turnId'] ?? itemOf(event)['turnId'];
  return typeof turnId === 'string' ? turnId : undefined;
}

/**
 * What an event speaks of, in one line: two events of one identity tell of the same thing twice. Cursors, provenance
 * and times are left out, for they differ from one telling to the next.
 */
export function identityOf(event: Happening): string {
  const prompt = event.params['approvalId'] ?? event.params['userInputId'] ?? '';
  const setting = settingOf(event.method)?.read(event.params) ?? '';
  return [describeEvent(event), namedCommand(event) ?? '', prompt, setting, goalStatus(event)]
    .join(' ')
    .trim();
}

/** A short name of an event for messages: `turn/started of turn 0198…`. */
export function describeEvent(event: Happening): string {
  const kind = itemOf(event)['kind'];
  const what = typeof kind === 'string' ? `${event.method} (${kind})` : event.method;
  const turn = turnOf(event);
  return turn === undefined ? what : `${what} of turn ${turn}`;
}

/** Something that happened more often than once, and the command that it belongs to. */
export interface Excess {
  readonly command: LiveCommand | undefined;
  readonly what: string;
  readonly count: number;
  readonly allowed: number;
}

/**
 * What a drive's commands did more than once: a turn started or ended twice, a second user message, a state change
 * reported twice running. `control` is the same script driven without replays: what repeats there too is no excess.
 */
export function excessOf(
  commands: readonly LiveCommand[],
  events: readonly Happening[],
  control: ReadonlyMap<string, number>,
): Excess[] {
  return [...perCommand(commands, events), ...perKind(events, control)];
}

function* perCommand(commands: readonly LiveCommand[], events: readonly Happening[]): Generator<Excess> {
  for (const command of commands) {
    const own = events.filter((event) => isEffect(event) && belongsTo(event, command));
    // A fork copies the events of its source: each session tells of an effect once.
    for (const events of bySession(own)) {
      for (const [what, count] of counted(events, setsWorkGoing(command.method))) {
        if (count > 1) yield { command, what, count, allowed: 1 };
      }
    }
  }
}

/** An event belongs to the command that it names, or to the one that its turn was started by. */
function belongsTo(event: Happening, command: LiveCommand): boolean {
  if (namedCommand(event) === command.commandId) return true;
  return (
    command.method === 'turn/start' &&
    startedTurn(command) === turnOf(event) &&
    event.method.startsWith('turn/')
  );
}

/** The turn that a turn/start's ack names as its own; undefined when the input was steered into another. */
export function startedTurn(command: LiveCommand): string | undefined {
  const { answer } = command;
  if (command.method !== 'turn/start' || answer.kind !== 'result' || !isRecord(answer.value))
    return undefined;
  const { turnId, disposition } = answer.value;
  return typeof turnId === 'string' && disposition !== 'steered' ? turnId : undefined;
}

function bySession(events: readonly Happening[]): Iterable<readonly Happening[]> {
  const sessions = new Map<string, Happening[]>();
  for (const event of events) {
    const session = String(event.params['sessionId']);
    sessions.set(session, [...(sessions.get(session) ?? []), event]);
  }
  return sessions.values();
}

/** Counts events of a kind; where one command may have several turns, each turn's by themselves. */
function counted(events: readonly Happening[], perTurn: boolean): Map<string, number> {
  const counts = new Map<string, number>();
  for (const event of events) {
    const what = perTurn ? describeEvent(event) : `${event.method} ${itemOf(event)['kind'] ?? ''}`.trim();
    counts.set(what, (counts.get(what) ?? 0) + 1);
  }
  return counts;
}

function* perKind(events: readonly Happening[], control: ReadonlyMap<string, number>): Generator<Excess> {
  for (const [what, count] of kindCounts(events)) {
    const allowed = control.get(what) ?? 0;
    if (count > allowed) yield { command: undefined, what, count, allowed };
  }
}

/**
 * Counts by which two drives of one script can be compared: turns that nobody but a client starts, user messages,
 * and state changes that repeat the one before them word for word. A goal at work may start turns by itself, so
 * turns are not counted where a goal has been set.
 */
export function kindCounts(events: readonly Happening[]): Map<string, number> {
  const counts = new Map<string, number>();
  const add = (what: string) => counts.set(what, (counts.get(what) ?? 0) + 1);
  const hasGoal = events.some((event) => event.method === 'session/goalChanged');
  const previous = new Map<string, string>();
  for (const event of events) {
    if (event.method === 'item/completed' && itemOf(event)['kind'] === 'userMessage' && !hasGoal)
      add('user messages');
    if (event.method === 'turn/started' && !hasGoal) add('turns');
    if (!STATE_EVENTS.has(event.method)) continue;
    const said = stateOf(event);
    const key = `${event.method} ${String(event.params['sessionId'])}`;
    if (previous.get(key) === said) add(`${event.method} twice with the same state`);
    previous.set(key, said);
  }
  return counts;
}

function stateOf(event: Happening): string {
  const { viewCursor: _cursor, sourceRange: _range, ...state } = event.params;
  return JSON.stringify(Object.entries(state).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function goalStatus({ params }: Happening): unknown {
  return isRecord(params['goal']) ? params['goal']['status'] : '';
}

function itemOf(event: Happening): Readonly<Record<string, unknown>> {
  return isRecord(event.params['item']) ? event.params['item'] : {};
}
