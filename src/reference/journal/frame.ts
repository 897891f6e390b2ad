import { crc32 } from 'node:zlib';
import type { JournalRecord, StoredRecord } from './record.js';

/** The format of a frame; a reader refuses any other. */
const VERSION = 1;

/** One record as one line, its line feed included: the members in a fixed order, the checksum over all before it. */
export function encodeFrame({ kind, id, body }: JournalRecord, sequence: number, epoch: number): string {
  const identity = id === undefined ? '' : `,"id":${JSON.stringify(id)}`;
  const covered = `{"v":${VERSION},"seq":${sequence},"epoch":${epoch},"kind":${JSON.stringify(kind)}${identity},"body":${body}`;
  return `${covered}${CHECKSUM_START}${checksum(covered)}"}\n`;
}

/** Opens the checksum at the end of a frame. */
export const CHECKSUM_START = ',"crc":"';
/** The bytes from there to the end of the frame, without its line feed. */
export const CHECKSUM_LENGTH = CHECKSUM_START.length + 8 + 2;

function checksum(covered: string | Uint8Array): string {
  return crc32(covered).toString(16).padStart(8, '0');
}

/** The record in a line (without its line feed), or the reason why it is none. */
export function decodeFrame(line: Buffer): StoredRecord | string {
  const end = Math.max(0, line.length - CHECKSUM_LENGTH);
  const covered = line.subarray(0, end);
  if (line.toString('latin1', end) !== `${CHECKSUM_START}${checksum(covered)}"}`)
    return 'the checksum does not match';
  const match = FRAME.exec(covered.toString('utf8'));
  const [, version, sequence, epoch, kind, id, body] = match ?? [];
  if (kind === undefined || body === undefined) return 'the line is not a frame';
  if (version !== String(VERSION)) return `expected version ${VERSION}, found ${version}`;
  return {
    sequence: Number(sequence),
    epoch: Number(epoch),
    kind: JSON.parse(kind) as string,
    ...(id !== undefined && { id: JSON.parse(id) as string }),
    body,
  };
}

const FRAME =
  /^\{"v":(\d+),"seq":(\d+),"epoch":(\d+),"kind":("(?:[^"\\]|\\.)*")(?:,"id":("(?:[^"\\]|\\.)*"))?,"body":(.*)$/su;
