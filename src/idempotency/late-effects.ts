import { worksByItself } from './blame.js';
import { type Excess, excessOf } from './effects.js';
import type { Ground } from './ground.js';
import { eventsOf } from './inline-drive.js';
import { reportExcess } from './report-excess.js';

/**
 * A last look at a host before it is stopped: what the replays brought about only by and by, as a duplicate that was
 * queued and ran when its turn came. Returns what no command can be named for.
 */
export async function judgeLateEffects({ probe, drives, control }: Ground): Promise<Excess[]> {
  for (const { commands, sessions } of drives) {
    const { events } = await eventsOf(probe, sessions, probe.stage.exchange.events);
    const excess = excessOf(commands, events, control);
    for (const command of commands) {
      const own = excess.filter((entry) => entry.command?.commandId === command.commandId);
      if (own.length > 0)
        reportExcess(probe, CHECK, 'duplicate', command, own, 'replayed, and looked at again later');
    }
    const isClear = excess.length === 0 || excess.some(({ command }) => command !== undefined);
    if (!isClear && !worksByItself(probe)) return excess;
  }
  return [];
}

const CHECK = 'idempotency/duplicate-single-effect';
