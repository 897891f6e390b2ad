import { encodeFrame } from './frame.js';
import { observeRecord } from './group.js';
import { IdempotencyIndex } from './idempotency.js';
import { Journal } from './journal.js';
import { type AcquireLease, acquireFileLease, type Lease } from './lease.js';
import { LogWriter } from './log-writer.js';
import { COMMAND, FENCE, SETTLEMENT, type StoredRecord } from './record.js';
import { scanLog, type TornTail } from './scan.js';
import { type JournalStorage, type OpenStorage, openFileStorage } from './storage.js';

export interface JournalOptions {
  /** Refuses records routed to another session. */
  readonly sessionId?: string;
  /** Where the bytes live; a file by default. */
  readonly openStorage?: OpenStorage;
  /** How the session is kept from a second host; a lease file beside the log by default. */
  readonly acquireLease?: AcquireLease;
}

/** What the opening found. */
export interface Recovery {
  /** The complete log in order, the new fence last. */
  readonly records: readonly StoredRecord[];
  /** The unfinished write that was cut off, if there was one. */
  readonly torn?: TornTail;
  /** Ids of commands without a settlement, in log order, for the host to settle. */
  readonly unsettled: readonly string[];
}

/**
 * Opens a session's log for writing: lease, fence under a higher epoch, index from the complete log, in that order.
 * Creates the file and its folders. Throws `LeaseUnavailableError` while another host holds the session,
 * `CorruptJournalError` for a damaged log (which stays as it is), `StaleWriterError` if the log moves meanwhile.
 */
export async function openJournal(
  path: string,
  options: JournalOptions = {},
): Promise<{ journal: Journal; recovery: Recovery }> {
  const lease = await (options.acquireLease ?? acquireFileLease)(path);
  try {
    const storage = await (options.openStorage ?? openFileStorage)(path);
    try {
      return await takeOver(path, storage, lease, options.sessionId);
    } catch (error) {
      await storage.close();
      throw error;
    }
  } catch (error) {
    await lease.release();
    throw error;
  }
}

async function takeOver(path: string, storage: JournalStorage, lease: Lease, sessionId: string | undefined) {
  const found = scanLog(path, await storage.read());
  if (found.torn) {
    await storage.truncate(found.end);
    await storage.sync();
  }
  const fence = nextFence(found.records.at(-1));
  const writer = new LogWriter(path, storage, found.end);
  await writer.write(Buffer.from(encodeFrame(fence, fence.sequence, fence.epoch)));
  // Nobody wrote between the scan and the fence, or after it: what was scanned is the complete log.
  await writer.assertTip();
  const records = [...found.records, fence];
  const index = new IdempotencyIndex();
  for (const record of records) observeRecord(record, index);
  const { epoch, sequence } = fence;
  const journal = new Journal({ path, storage, writer, lease, epoch, sessionId, index, sequence });
  return {
    journal,
    recovery: { records, ...(found.torn && { torn: found.torn }), unsettled: unsettled(records) },
  };
}

function nextFence(last: StoredRecord | undefined): StoredRecord {
  const epoch = (last?.epoch ?? 0) + 1;
  return { sequence: (last?.sequence ?? 0) + 1, epoch, kind: FENCE, body: `{"epoch":${epoch}}` };
}

function unsettled(records: readonly StoredRecord[]): string[] {
  const pending = new Set<string>();
  for (const { kind, id } of records) {
    if (id === undefined) continue;
    if (kind === COMMAND) pending.add(id);
    if (kind === SETTLEMENT) pending.delete(id);
  }
  return [...pending];
}
