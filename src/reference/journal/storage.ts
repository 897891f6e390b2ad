import { fstatSync, writeSync } from 'node:fs';
import { mkdir, open, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** The bytes under a journal, and the seam where a fault is put in. One writer at a time. */
export interface JournalStorage {
  /** The length now, in bytes, unsynced bytes included. */
  size(): Promise<number>;
  /** Every byte, unsynced ones included. */
  read(): Promise<Buffer>;
  /** Puts bytes behind the last one. A failed append may leave a part of them. */
  append(bytes: Buffer): Promise<void>;
  /** Resolves once everything appended survives a crash. */
  sync(): Promise<void>;
  /** Cuts to `length` bytes. */
  truncate(length: number): Promise<void>;
  close(): Promise<void>;
}

export type OpenStorage = (path: string) => Promise<JournalStorage>;

/** A file, created with its folders if need be. */
export async function openFileStorage(path: string): Promise<JournalStorage> {
  await makeDirectory(dirname(path));
  const file = await open(path, 'a+');
  try {
    await syncDirectory(dirname(path));
  } catch (error) {
    await file.close();
    throw error;
  }
  return {
    size: async () => fstatSync(file.fd).size,
    read: () => readFile(path),
    // A copy into the page cache takes less than the way to a thread and back; the sync is what takes long.
    append: async (bytes) => {
      for (let done = 0; done < bytes.length; ) done += writeSync(file.fd, bytes, done);
    },
    // fdatasync makes the data and the length durable; the times that fsync adds are nobody's promise.
    sync: () => file.datasync(),
    truncate: (length) => file.truncate(length),
    close: () => file.close(),
  };
}

/** Makes a folder and its parents durable before anything in them is acknowledged. */
export async function makeDirectory(path: string): Promise<void> {
  const topmost = await mkdir(path, { recursive: true });
  if (topmost === undefined) return;
  for (let made = path; ; made = dirname(made)) {
    await syncDirectory(dirname(made));
    if (made.length <= topmost.length) return;
  }
}

async function syncDirectory(path: string): Promise<void> {
  // Windows neither opens nor syncs a folder.
  if (process.platform === 'win32') return;
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
