import { type Journal, type OpenStorage, openJournal, readJournal } from './journal/index.js';
import type { JsonObject } from './json.js';

/**
 * What a session writes down. `created`, `resumed` and `ended` are its life; `command` and `settlement` are the two
 * halves of an intake; `event` is what the view shows; the rest are facts that the view only points at.
 */
export type RecordKind =
  | 'created'
  | 'resumed'
  | 'ended'
  | 'command'
  | 'settlement'
  | 'event'
  | 'queued'
  | 'roots'
  | 'output'
  | 'upload'
  | 'activation';

export interface LogRecord {
  readonly kind: RecordKind;
  /** The commandId, on the two halves of an intake. */
  readonly id?: string;
  readonly body: JsonObject;
}

/** One session's log, as the session sees it. */
export interface SessionLog {
  /** Absolute path; empty when the log is in memory. */
  readonly path: string;
  /** The sequence that the next record will have. */
  readonly nextSequence: number;
  /** Resolves once the record, and all before it, survive a crash. */
  append(record: LogRecord): Promise<void>;
  close(): Promise<void>;
}

/** Takes the session's lease and opens its log. Throws what `openJournal` throws. */
export async function openSessionLog(
  path: string,
  sessionId: string,
  openStorage: OpenStorage | undefined,
): Promise<{ readonly log: SessionLog; readonly records: readonly LogRecord[] }> {
  const { journal, recovery } = await openJournal(path, { sessionId, ...(openStorage && { openStorage }) });
  if (recovery.torn) {
    process.stderr.write(
      `${path}: the last write of the host before was unfinished; its bytes were cut off\n`,
    );
  }
  return { log: new DurableLog(journal), records: recovery.records.flatMap(parseRecord) };
}

/** The records of a log that another host may hold. Throws the file system's error where there is none. */
export async function readSessionLog(path: string): Promise<readonly LogRecord[]> {
  const { records } = await readJournal(path);
  return records.flatMap(parseRecord);
}

class DurableLog implements SessionLog {
  nextSequence: number;

  constructor(private readonly journal: Journal) {
    this.nextSequence = journal.sequence + 1;
  }

  get path(): string {
    return this.journal.path;
  }

  async append({ kind, id, body }: LogRecord): Promise<void> {
    this.nextSequence += 1;
    await this.journal.append({ kind, ...(id !== undefined && { id }), body: JSON.stringify(body) });
  }

  close(): Promise<void> {
    return this.journal.close();
  }
}

/** The log of a session that ends with its host. */
export class MemoryLog implements SessionLog {
  readonly path = '';
  nextSequence = 1;

  append(): Promise<void> {
    this.nextSequence += 1;
    return Promise.resolve();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

/** Fences, and kinds of a later version, are none of the session's business. */
function parseRecord(stored: {
  readonly kind: string;
  readonly id?: string;
  readonly body: string;
}): LogRecord[] {
  const kind = KINDS.find((known) => known === stored.kind);
  if (kind === undefined) return [];
  const { id } = stored;
  return [{ kind, ...(id !== undefined && { id }), body: JSON.parse(stored.body) as JsonObject }];
}

const KINDS: readonly RecordKind[] = [
  'created',
  'resumed',
  'ended',
  'command',
  'settlement',
  'event',
  'queued',
  'roots',
  'output',
  'upload',
  'activation',
];
