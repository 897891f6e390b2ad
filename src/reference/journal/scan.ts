import { CorruptJournalError } from './errors.js';
import { CHECKSUM_LENGTH, CHECKSUM_START, decodeFrame } from './frame.js';
import { FENCE, type StoredRecord } from './record.js';

/** The bytes of a write that a crash cut short; never acknowledged. */
export interface TornTail {
  /** Where the last complete record ends. */
  readonly offset: number;
  readonly bytes: number;
}

export interface ScannedLog {
  readonly records: readonly StoredRecord[];
  /** The length of the complete records, in bytes. */
  readonly end: number;
  readonly torn?: TornTail;
}

const LINE_FEED = 0x0a;

/**
 * Every record of a log in order. A torn last line is reported and left out; anything else that is not as it
 * was written throws `CorruptJournalError` with the sequence and offset of the damaged record.
 */
export function scanLog(path: string, bytes: Buffer): ScannedLog {
  const records: StoredRecord[] = [];
  let offset = 0;
  for (let end = bytes.indexOf(LINE_FEED); end !== -1; end = bytes.indexOf(LINE_FEED, offset)) {
    const record = decodeFrame(bytes.subarray(offset, end));
    const fault = typeof record === 'string' ? record : outOfOrder(record, records.at(-1));
    if (typeof record === 'string' || fault !== undefined) {
      throw new CorruptJournalError(path, records.length + 1, offset, fault ?? '');
    }
    records.push(record);
    offset = end + 1;
  }
  if (offset === bytes.length) return { records, end: offset };
  if (startsWithFrame(bytes.subarray(offset))) {
    throw new CorruptJournalError(path, records.length + 1, offset, 'its line feed is damaged');
  }
  return { records, end: offset, torn: { offset, bytes: bytes.length - offset } };
}

function outOfOrder(record: StoredRecord, previous: StoredRecord | undefined): string | undefined {
  const expected = (previous?.sequence ?? 0) + 1;
  if (record.sequence !== expected) return `expected sequence ${expected}, found ${record.sequence}`;
  const epoch = previous?.epoch ?? 0;
  if (record.kind === FENCE) return record.epoch > epoch ? undefined : `a fence must raise epoch ${epoch}`;
  return record.epoch === epoch ? undefined : `expected epoch ${epoch}, found ${record.epoch}`;
}

/** A torn write is a proper prefix of frames, so it never holds a whole frame followed by anything but a line feed. */
function startsWithFrame(tail: Buffer): boolean {
  for (let at = tail.indexOf(CHECKSUM_START); at !== -1; at = tail.indexOf(CHECKSUM_START, at + 1)) {
    const end = at + CHECKSUM_LENGTH;
    if (end < tail.length && typeof decodeFrame(tail.subarray(0, end)) !== 'string') return true;
  }
  return false;
}
