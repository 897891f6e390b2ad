import { closeSync, fsyncSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/** @typedef {Record<string, any> & { t: string }} Entry */

/**
 * The log of one session: each line is one transaction, an array of entries that are on disk together or not at all.
 */
export class Journal {
  /** @param {number | undefined} handle undefined keeps nothing (the ephemeral profile) */
  constructor(handle) {
    this.handle = handle;
  }

  /** @param {string} path must not exist yet @returns {Journal} */
  static create(path) {
    const handle = openSync(path, 'wx');
    syncFolder(dirname(path));
    return new Journal(handle);
  }

  /** @param {string} path @returns {{ journal: Journal, entries: Entry[] }} */
  static open(path) {
    const { entries, intactBytes } = readLog(path);
    const handle = openSync(path, 'r+');
    // A torn last line was never acknowledged.
    ftruncateSync(handle, intactBytes);
    closeSync(handle);
    return { journal: new Journal(openSync(path, 'a')), entries };
  }

  /** On disk when it returns. @param {Entry[]} entries */
  append(entries) {
    if (this.handle === undefined) return;
    writeSync(this.handle, `${JSON.stringify(entries)}\n`);
    fsyncSync(this.handle);
  }

  close() {
    if (this.handle !== undefined) closeSync(this.handle);
    this.handle = undefined;
  }
}

/** @param {string} path @returns {{ entries: Entry[], intactBytes: number }} */
export function readLog(path) {
  const bytes = readFileSync(path);
  const intactBytes = bytes.lastIndexOf(0x0a) + 1;
  const lines = bytes.subarray(0, intactBytes).toString('utf8').split('\n').slice(0, -1);
  return { entries: lines.flatMap((line) => JSON.parse(line)), intactBytes };
}

/** @param {string} folder */
function syncFolder(folder) {
  const handle = openSync(folder, 'r');
  fsyncSync(handle);
  closeSync(handle);
}
