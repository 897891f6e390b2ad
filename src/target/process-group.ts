import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/** Signals every process of the group. False when there is none. */
export function signalGroup(pgid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-pgid, signal);
    return true;
  } catch (error) {
    // EPERM: the group is there, and holds a process that is not ours to signal.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** True while a process of the group can still run. The dead that nobody has waited for do not count. */
export function groupLives(pgid: number): boolean {
  return signalGroup(pgid, 0) && (process.platform !== 'linux' || hasLivingMember(pgid));
}

/** Members are seldom our own children, so nothing announces their end: it has to be looked for. */
export async function groupEnds(pgid: number, limitMs: number): Promise<boolean> {
  const deadline = performance.now() + limitMs;
  for (let pauseMs = 1; groupLives(pgid); pauseMs = Math.min(2 * pauseMs, 50)) {
    if (performance.now() >= deadline) return false;
    await delay(pauseMs);
  }
  return true;
}

function hasLivingMember(pgid: number): boolean {
  return readdirSync('/proc').some((name) => /^\d+$/.test(name) && isLivingMember(name, pgid));
}

function isLivingMember(pid: string, pgid: number): boolean {
  const [state, , group] = statusFields(pid);
  return group === String(pgid) && state !== 'Z' && state !== 'X';
}

/** State, parent, group, ...: what follows the program's name, which may hold spaces and parentheses itself. */
function statusFields(pid: string): string[] {
  try {
    const status = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return status.slice(status.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
}
