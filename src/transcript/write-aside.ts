import { randomUUID } from 'node:crypto';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';

/**
 * Writes a file whole or not at all: `write` fills a file beside it, which then takes its name. On any error the
 * file beside is removed, what was there before stays, and the error is thrown on.
 */
export async function writeAside(path: string, write: (handle: FileHandle) => Promise<void>): Promise<void> {
  const aside = `${path}.${randomUUID()}.partial`;
  const handle = await open(aside, 'wx');
  try {
    try {
      await write(handle);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(aside, path);
  } catch (error) {
    await rm(aside, { force: true });
    throw error;
  }
}
