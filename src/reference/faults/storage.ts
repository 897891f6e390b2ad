import { existsSync } from 'node:fs';
import { type JournalStorage, type OpenStorage, openFileStorage } from '../journal/index.js';
import type { SessionLog } from '../session-log.js';

/** Says that everything is synced, and writes it at an orderly end alone: a kill takes it all. */
export const openUnsynced: OpenStorage = async (path) => {
  const file = await openFileStorage(path);
  let unsynced = Buffer.alloc(0);
  const storage: JournalStorage = {
    size: async () => (await file.size()) + unsynced.length,
    read: async () => Buffer.concat([await file.read(), unsynced]),
    append: async (bytes) => {
      unsynced = Buffer.concat([unsynced, bytes]);
    },
    sync: async () => undefined,
    truncate: async (length) => {
      const written = await file.size();
      unsynced = unsynced.subarray(0, Math.max(0, length - written));
      if (length < written) await file.truncate(length);
    },
    close: async () => {
      await file.append(unsynced);
      await file.sync();
      await file.close();
    },
  };
  return storage;
};

/** Opens a new log, and never one that is there already: a lock that outlives its owner. */
export const openOnce: OpenStorage = async (path) => {
  if (existsSync(path)) throw new Error(`${path} is locked`);
  return openFileStorage(path);
};

/** How long a record waits that should have been written first. Milliseconds. */
const WAIT_MS = 60;

/**
 * Tells at once that a record is durable, and writes it later. A session's birth and the first command after it are
 * spared, so that there is a session to come back to.
 */
export function tellingAtOnce(log: SessionLog): SessionLog {
  let written: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  let settled = 0;
  return {
    get path() {
      return log.path;
    },
    get nextSequence() {
      return log.nextSequence + waiting;
    },
    append: (record) => {
      const isSpared = settled < SPARED_COMMANDS;
      if (record.kind === 'settlement') settled += 1;
      if (isSpared) return log.append(record);
      waiting += 1;
      written = Promise.all([written, later()]).then(() => {
        waiting -= 1;
        return log.append(record);
      });
      return Promise.resolve();
    },
    close: () => written.then(() => log.close()),
  };
}

const SPARED_COMMANDS = 2;

/** Writes the intake of a command, and what settles it, after everything that the command did; nobody is told before. */
export function intakeLast(log: SessionLog): SessionLog {
  let written: Promise<unknown> = Promise.resolve();
  return {
    get path() {
      return log.path;
    },
    get nextSequence() {
      return log.nextSequence;
    },
    append: (record) => {
      const isIntake = record.kind === 'command' || record.kind === 'settlement';
      if (!isIntake || log.nextSequence <= BIRTH_RECORDS) return log.append(record);
      const append = Promise.all([written, later()]).then(() => log.append(record));
      written = append;
      return append;
    },
    close: () => written.then(() => log.close()),
  };
}

/** The fence, the session's start, and the two halves of its intake. */
const BIRTH_RECORDS = 4;

function later(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, WAIT_MS));
}
