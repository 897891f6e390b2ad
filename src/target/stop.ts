import type { StopOutcome } from './host.js';
import type { ServerProcess } from './server-process.js';
import { within } from './within.js';

/**
 * Ends a launched server in order: its input is closed, then SIGTERM, then SIGKILL, each after a grace. Resolves when
 * no process of its group is left. The promise of `closeInput` may end its grace early: nothing more comes of waiting.
 */
export async function stopProcess(
  server: ServerProcess,
  options: { readonly graceMs: number; closeInput(): Promise<unknown> },
): Promise<StopOutcome> {
  const endedBy = await endLeader(server, options);
  const exit = await server.exited;
  const leftProcesses = !(await server.groupEnded(options.graceMs));
  if (leftProcesses) await killGroup(server);
  return { endedBy, exit, leftProcesses };
}

/** Resolves when the group is dead, or cannot be killed. */
export async function killGroup(server: ServerProcess): Promise<void> {
  server.signal('SIGKILL');
  await server.groupEnded(DEATH_LIMIT_MS);
}

// A process within a system call that does not end (a dead network disk) survives even SIGKILL for a while.
const DEATH_LIMIT_MS = 5000;

const NEWS_OF_EXIT_MS = 100;

async function endLeader(
  server: ServerProcess,
  options: { readonly graceMs: number; closeInput(): Promise<unknown> },
): Promise<StopOutcome['endedBy']> {
  if (server.exitStatus() !== undefined) return 'before';
  await within(Promise.race([server.exited, options.closeInput()]), options.graceMs);
  // A connection may have ended because its server did, of which the system tells a moment later.
  await within(server.exited, Math.min(options.graceMs, NEWS_OF_EXIT_MS));
  if (server.exitStatus() !== undefined) return 'inputClosed';
  server.signal('SIGTERM');
  if ((await within(server.exited, options.graceMs)) !== 'late') return 'SIGTERM';
  server.signal('SIGKILL');
  return 'SIGKILL';
}
