import type { CheckId } from '../checks/catalogue.js';
import type { PassName } from '../checks/finding.js';
import type { LiveCommand } from '../replay/drive-context.js';
import { makesSession } from './exceptions.js';
import { called, judge, type Probe } from './probe.js';
import { listedSessions, sessionIn } from './sessions.js';

/**
 * Carries out replays of a command that makes a session, and judges by `session/list` before and after that they made
 * none. Servers that do not list, or that list no session yet, show a second one by `session/started` at most.
 */
export async function judgeNoNewSession(
  probe: Probe,
  id: CheckId,
  pass: PassName,
  command: LiveCommand,
  replays: () => Promise<void>,
): Promise<void> {
  const before = makesSession(command.method) ? await listedSessions(probe) : undefined;
  await replays();
  if (before === undefined) return;
  // A server may list a session only once something has come of it.
  const own = sessionIn(command.answer);
  const fresh = newSessions(before, await listedSessions(probe)).filter((session) => session !== own);
  if (fresh.length === 0) return;
  const message = `A replay of ${called(command)} made a session of its own: session/list now names ${fresh.join(', ')} besides.`;
  judge(probe, id, pass, command, { status: 'failed', message });
}

/** Sessions that a later list names and an earlier one does not. */
export function newSessions(
  before: ReadonlySet<string> | undefined,
  after: ReadonlySet<string> | undefined,
): string[] {
  if (before === undefined || after === undefined) return [];
  return [...after].filter((session) => !before.has(session));
}
