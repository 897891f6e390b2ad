import { rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dismissGuard, guardEntry } from './guard.js';
import { groupEnds, signalGroup } from './process-group.js';

/*
 * Three nets, one below the other: whoever starts a server or makes a folder ends it; `cleanUpAll` and the exit hook
 * end what is left when the harness leaves early; the guard ends what is left when the harness is killed.
 * A process that moved to another session (a daemon's double fork and setsid) is beyond all three.
 */
const groups = new Set<number>();
const folders = new Set<string>();

export function registerGroup(pgid: number): void {
  hookExit();
  groups.add(pgid);
  guardEntry('+', 'group', pgid);
  if (isEnding) signalGroup(pgid, 'SIGKILL');
}

export function forgetGroup(pgid: number): void {
  if (groups.delete(pgid)) guardEntry('-', 'group', pgid);
}

export function registerFolder(path: string): void {
  hookExit();
  folders.add(path);
  guardEntry('+', 'folder', path);
}

/** Removes a registered folder and all below it. */
export async function removeFolder(path: string): Promise<void> {
  await rm(path, REMOVAL);
  if (folders.delete(path)) guardEntry('-', 'folder', path);
}

/** Kills every server that still runs and removes every folder that still is. Resolves when they are gone. */
export async function cleanUpAll(): Promise<void> {
  for (const pgid of groups) signalGroup(pgid, 'SIGKILL');
  await Promise.all(
    [...groups].map(async (pgid) => {
      await groupEnds(pgid, DEATH_LIMIT_MS);
      forgetGroup(pgid);
    }),
  );
  await Promise.all([...folders].map(removeFolder));
  await dismissGuard();
}

/** `cleanUpAll` for good: work that is still under way may start a server after this, and it is killed as it starts. */
export async function endAll(): Promise<void> {
  isEnding = true;
  await cleanUpAll();
}

let isEnding = false;

const DEATH_LIMIT_MS = 5000;

// A process that is just dying may still put a file into the folder that is being removed.
const REMOVAL = { recursive: true, force: true, maxRetries: 5, retryDelay: 20 } as const;

let isHooked = false;

function hookExit(): void {
  if (isHooked) return;
  isHooked = true;
  process.on('exit', () => {
    for (const pgid of groups) signalGroup(pgid, 'SIGKILL');
    for (const path of folders) removeAtExit(path);
  });
}

function removeAtExit(path: string): void {
  try {
    rmSync(path, REMOVAL);
  } catch {
    // Nobody is left to be told; the guard tries once more.
  }
}
