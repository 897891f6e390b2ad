import { randomUUID } from 'node:crypto';
import { appendFile, mkdir, open, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { ReportWriteError } from './errors.js';
import { withFolderLock } from './folder-lock.js';

/**
 * Writes all files, or none: each is written and flushed aside, and only when all are there are they renamed.
 * With `lockedDir`, no other run renames into that folder at the same time. Missing parent folders are made.
 * What is no regular file (a pipe, `/dev/stdout`) is written into, not replaced.
 */
export async function writeFiles(files: ReadonlyMap<string, string>, lockedDir?: string): Promise<void> {
  const aside: { readonly temporary: string; readonly file: string }[] = [];
  const special: { readonly file: string; readonly text: string }[] = [];
  try {
    if (lockedDir !== undefined) await makeFolder(lockedDir);
    for (const [file, text] of files) {
      const replaceable = await replaceablePath(file);
      if (replaceable === undefined) {
        special.push({ file, text });
        continue;
      }
      const temporary = join(dirname(replaceable), `.${basename(replaceable)}.${randomUUID()}.tmp`);
      aside.push({ temporary, file: replaceable });
      await makeFolder(dirname(replaceable));
      await writeFlushed(temporary, text, file);
    }
    for (const { file, text } of special) await namingFile(file, () => writeFile(file, text));
    const renameAll = async () => {
      for (const { temporary, file } of aside) await namingFile(file, () => rename(temporary, file));
    };
    await (lockedDir === undefined ? renameAll() : withFolderLock(lockedDir, renameAll));
  } finally {
    await Promise.all(aside.map(({ temporary }) => rm(temporary, { force: true }).catch(() => {})));
  }
}

/** Appends a GitHub job summary, which is shared with the job's other steps. */
export async function appendSummary(file: string, text: string): Promise<void> {
  await namingFile(file, () => appendFile(file, `${text}\n`));
}

/** Where a file may be renamed to: links are followed, so that they stay. Undefined for what must not be replaced. */
async function replaceablePath(file: string): Promise<string | undefined> {
  // `/dev/stdout` may be a regular file, but the one that our caller's shell has open.
  if (/^\/(?:dev|proc)\//.test(resolve(file))) return undefined;
  const found = await stat(file).catch(() => undefined);
  if (found === undefined || found.isDirectory()) return file;
  return found.isFile() ? realpath(file) : undefined;
}

async function makeFolder(folder: string): Promise<void> {
  await namingFile(folder, () => mkdir(folder, { recursive: true }));
}

async function writeFlushed(temporary: string, text: string, file: string): Promise<void> {
  await namingFile(file, async () => {
    const handle = await open(temporary, 'wx');
    try {
      await handle.writeFile(text);
      // A full disk may show only when the data is flushed.
      await handle.sync();
    } finally {
      await handle.close();
    }
  });
}

async function namingFile<T>(file: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new ReportWriteError(`${file} could not be written: ${REASONS[code ?? ''] ?? message}`, {
      cause: error,
    });
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full (ENOSPC)',
  EDQUOT: 'the disk quota is used up (EDQUOT)',
  EACCES: 'no permission (EACCES)',
  EPERM: 'no permission (EPERM)',
  EROFS: 'the file system is read-only (EROFS)',
  EISDIR: 'it is a folder (EISDIR)',
  ENOTDIR: 'a part of its path is a file, not a folder (ENOTDIR)',
  EEXIST: 'a part of its path is a file, not a folder (EEXIST)',
};
