import type { LiveCommand } from '../replay/drive-context.js';
import { namedCommand, startedTurn, turnOf } from './effects.js';
import type { Probe } from './probe.js';
import type { ViewEvent } from './view.js';
import type { ViewWatch } from './view-watch.js';

/**
 * The effects since the last look that stem from replaying this command. An event that names the command, or its
 * turn, is its own. While all is quiet any other effect is suspect too, unless a goal is at work, which may start
 * turns and report progress by itself: then the replay is repeated, and only what happens again is blamed on it.
 */
export async function blamedOn(
  probe: Probe,
  command: LiveCommand,
  watch: ViewWatch,
  isQuiet: boolean,
  repeat: () => Promise<unknown>,
): Promise<ViewEvent[]> {
  const effects = await watch.effects();
  const own = effects.filter((event) => isNamed(event, command, isQuiet));
  if (own.length > 0 || effects.length === 0) return own;
  const suspects = isQuiet ? effects.filter((event) => namedCommand(event) === undefined || !isKnown(event, probe)) : [];
  if (suspects.length === 0 || !hasGoal(probe)) return suspects;
  await repeat();
  const again = await watch.effects();
  const methods = new Set(again.map((event) => event.method));
  return suspects.filter((event) => methods.has(event.method) && event.method === 'session/goalChanged');
}

/** While a turn may still be running, its own start and end are no effect of the replay. */
function isNamed(event: ViewEvent, command: LiveCommand, isQuiet: boolean): boolean {
  const isOfItsTurn = startedTurn(command) !== undefined && turnOf(event) === startedTurn(command);
  if (isOfItsTurn) return isQuiet;
  return namedCommand(event) === command.commandId;
}

/** Commands of the recording that are not the one replayed now: a late effect of theirs is theirs. */
function isKnown(event: ViewEvent, probe: Probe): boolean {
  return probe.stage.knownCommands.has(namedCommand(event) ?? '');
}

function hasGoal(probe: Probe): boolean {
  return probe.script.commands.some((step) => step.method?.startsWith('goal/'));
}
