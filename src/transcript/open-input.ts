import { type FileHandle, open, stat } from 'node:fs/promises';
import { InputError, unreadable } from './errors.js';

/**
 * Opens a regular file for reading. Throws `InputError` for anything else: to open a FIFO would wait for ever for
 * a writer, and a device never ends.
 */
export async function openInput(file: string): Promise<FileHandle> {
  try {
    const found = await stat(file);
    if (!found.isFile()) {
      throw new InputError(
        { file },
        `is ${found.isDirectory() ? 'a folder' : 'no regular file'}; expected a file`,
      );
    }
    return await open(file, 'r');
  } catch (error) {
    throw error instanceof InputError ? error : unreadable(file, error);
  }
}
