import type { LiveCommand } from '../replay/drive-context.js';
import { namedCommand, startedTurn, turnOf } from './effects.js';
import { setsWorkGoing } from './exceptions.js';
import type { Probe } from './probe.js';
import type { OpenTurns } from './quiesce.js';
import { STATE_EVENTS, stateChangeOf } from './state-changes.js';
import type { ViewEvent } from './view.js';
import type { ViewWatch } from './view-watch.js';

/**
 * The effects since the last look that stem from replaying this command. An event that names the command, or its
 * turn, is its own; so is another state change of its kind, and any other effect that no known command accounts for.
 * Where work goes on by itself (goals, subagents, workflows) such an effect proves nothing: then the replay is
 * repeated, and only the change of state that comes again is blamed on it.
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
  const suspects = effects.filter((event) => isSuspect(event, command, probe));
  if (own.length > 0 || suspects.length === 0) return own;
  if (!worksByItself(probe)) return suspects;
  await repeat();
  const again = new Set((await watch.effects()).map((event) => event.method));
  return suspects.filter(({ method }) => again.has(method) && method === stateChangeOf(command.method));
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
