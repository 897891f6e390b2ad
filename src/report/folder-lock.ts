import { open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ReportWriteError } from './errors.js';

/**
 * Runs `action` while no other process does so for the same folder. A lock whose owner has died is taken over.
 * Throws `ReportWriteError` when a living owner holds it for ten seconds: the section it guards takes milliseconds.
 */
export async function withFolderLock<T>(folder: string, action: () => Promise<T>): Promise<T> {
  const file = join(folder, '.msp-conformance.lock');
  for (let attempt = 0; !(await acquire(file)); attempt += 1) {
    if (attempt === ATTEMPTS) {
      throw new ReportWriteError(
        `${folder} is locked by another run (${file}); remove the file if no run is writing there.`,
      );
    }
    await delay(RETRY_MS);
  }
  try {
    return await action();
  } finally {
    await rm(file, { force: true });
  }
}

const ATTEMPTS = 500;
const RETRY_MS = 20;

async function acquire(file: string): Promise<boolean> {
  try {
    const handle = await open(file, 'wx');
    await handle.writeFile(String(process.pid)).finally(() => handle.close());
    return true;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== 'EEXIST')
      throw new ReportWriteError(`${file} could not be written: ${message}`, { cause: error });
  }
  const owner = Number(await readFile(file, 'utf8').catch(() => ''));
  if (Number.isInteger(owner) && owner > 0 && !isAlive(owner)) await rm(file, { force: true });
  return false;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
