import { CommandRouteMismatchError, InvalidRecordError } from './errors.js';

/** The kinds the journal itself gives a meaning to; any other non-empty string is a kind too. */
export const FENCE = 'fence';
export const COMMAND = 'command';
export const SETTLEMENT = 'settlement';
export const DELEGATE = 'delegate';

/** Where a record is dispatched. Checked at the append, never persisted, never part of the fingerprint. */
export interface RecordRoute {
  readonly sessionId?: string;
  readonly loopId?: string;
}

export interface JournalRecord {
  readonly kind: string;
  /**
   * The idempotency id. A settlement carries the id of its command. A record without an id is never
   * taken for a duplicate.
   */
  readonly id?: string;
  /** One line of JSON text, persisted byte for byte. */
  readonly body: string;
  readonly route?: RecordRoute;
}

/** A record as it is on disk. */
export interface StoredRecord {
  /** 1 for the first record of the log, then without gaps. */
  readonly sequence: number;
  /** The epoch of the fence that the record was written under. */
  readonly epoch: number;
  readonly kind: string;
  readonly id?: string;
  readonly body: string;
}

const SETTLEMENT_SUFFIX = '#settlement';
export const FALLBACK_SUFFIX = '#fallback_queued';

/** The key of a settlement beside its command's: one command, one settlement. */
export function settlementKey(id: string): string {
  return id + SETTLEMENT_SUFFIX;
}

/** Throws `InvalidRecordError` or `CommandRouteMismatchError` for a record this journal must not persist. */
export function assertAppendable(record: JournalRecord, sessionId: string | undefined): void {
  if (record.kind === '' || record.kind === FENCE) {
    throw new InvalidRecordError(
      `expected a kind, found ${JSON.stringify(record.kind)}; fences are the journal's own`,
    );
  }
  assertId(record);
  assertOneLineOfJson(record.body);
  const routed = record.route?.sessionId;
  if (sessionId !== undefined && routed !== undefined && routed !== sessionId) {
    throw new CommandRouteMismatchError('sessionId', sessionId, routed);
  }
}

function assertId({ kind, id }: JournalRecord): void {
  if (id === undefined) {
    if (kind !== SETTLEMENT && kind !== DELEGATE) return;
    throw new InvalidRecordError(`expected an id on a ${kind} record, found none`);
  }
  // Typed suffixes keep the keys of one logical id apart, so no id may carry one by itself.
  if (id === '' || id.endsWith(SETTLEMENT_SUFFIX) || id.endsWith(FALLBACK_SUFFIX)) {
    throw new InvalidRecordError(`expected an id without a reserved suffix, found ${JSON.stringify(id)}`);
  }
}

function assertOneLineOfJson(body: string): void {
  // A lone surrogate has no UTF-8 form: the bytes on disk would not be the text that was given.
  if (body.includes('\n') || body.includes('\r') || !body.isWellFormed()) {
    throw new InvalidRecordError('expected a body on one line without lone surrogates');
  }
  try {
    JSON.parse(body);
  } catch (cause) {
    throw new InvalidRecordError(`expected JSON text as the body: ${(cause as Error).message}`, { cause });
  }
}
