import type { LiveCommand } from '../replay/drive-context.js';
import { identityOf, namedCommand, startedTurn, turnOf } from './effects.js';
import { setsWorkGoing } from './exceptions.js';
import type { Probe } from './probe.js';
import type { OpenTurns } from './quiesce.js';
import { STATE_EVENTS, stateChangeOf, tellsAskedState } from './state-changes.js';
import type { ViewEvent } from './view.js';
import type { ViewWatch } from './view-watch.js';

/**
 * The effects since the last look that stem from replaying this command. An event that names the command, or its
 * turn, is its own; so is another state change of its kind, and any other effect that no known command accounts for.
 * A change of state may show long after its ack: unless it was told more often than it was asked for, the replay is
 * repeated, and only the change that comes again is blamed on it. So it is with everything that names no command
 * where work goes on by itself (goals, subagents, workflows).
 */
export async function blamedOn(
  probe: Probe,
  command: LiveCommand,
  watch: ViewWatch,
  open: OpenTurns,
  repeat: () => Promise<unknown>,
): Promise<ViewEvent[]> {
  const effects = (await watch.effects()).filter(
    (event) => !isOfOpenTurn(event, open) || watch.timesSeen(event) > 1,
  );
  const own = effects.filter((event) => isOwn(event, command));
  const suspects = own.length > 0 ? own : effects.filter((event) => isSuspect(event, command, probe));
  if (suspects.length === 0) return [];
  const isProof = own.length > 0 || !worksByItself(probe);
  const certain = suspects.filter((event) => isProof && !mayBeLate(event, probe, watch));
  if (certain.length > 0) return certain;
  await repeat();
  const again = new Set((await watch.effects()).map(identityOf));
  return suspects.filter((event) => STATE_EVENTS.has(event.method) && again.has(identityOf(event)));
}

/** A change of state that has been told no more often than the recording asks for it may be the first telling. */
function mayBeLate(event: ViewEvent, { script }: Probe, watch: ViewWatch): boolean {
  if (!STATE_EVENTS.has(event.method)) return false;
  const changes = script.commands
    .map(({ method = '', raw }) => ({ method, line: raw }))
    .filter(({ method }) => stateChangeOf(method) === event.method);
  const asked = changes.filter((change) => tellsAskedState(event, change));
  return watch.timesSeen(event) <= Math.max(1, asked.length === 0 ? changes.length : asked.length);
}

/** What a turn does that is still going on is its own affair, unless it is told twice. */
function isOfOpenTurn(event: ViewEvent, open: OpenTurns): boolean {
  const turn = turnOf(event);
  return turn !== undefined && open.has(turn);
}

function isOwn(event: ViewEvent, command: LiveCommand): boolean {
  if (setsWorkGoing(command.method)) return false;
  const turn = startedTurn(command);
  return namedCommand(event) === command.commandId || (turn !== undefined && turnOf(event) === turn);
}

function isSuspect(event: ViewEvent, command: LiveCommand, probe: Probe): boolean {
  const named = namedCommand(event);
  if (named !== undefined && probe.stage.knownCommands.has(named)) return false;
  // Names, models and modes also change without a command: only the kind that the command is about is held against it.
  return !STATE_EVENTS.has(event.method) || event.method === stateChangeOf(command.method);
}

/** True when the recording sets work going that starts turns and reports progress without being asked again. */
export function worksByItself({ script }: Probe): boolean {
  return script.commands.some(({ method }) => setsWorkGoing(method ?? ''));
}
