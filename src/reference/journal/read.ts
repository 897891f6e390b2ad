import { readFile } from 'node:fs/promises';
import { type ScannedLog, scanLog } from './scan.js';

/**
 * The records of a log that another host may hold: takes no lease and changes nothing. A torn tail, which may be a
 * write under way, is left out. Throws `CorruptJournalError`, and the file system's error where there is no log.
 */
export async function readJournal(path: string): Promise<ScannedLog> {
  return scanLog(path, await readFile(path));
}
