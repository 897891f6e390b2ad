import { checkDelivery, deliveryKey, parseDelivery } from './delivery.js';
import { encodeFrame } from './frame.js';
import { Fingerprint, IdempotencyIndex } from './idempotency.js';
import { DELEGATE, type JournalRecord, SETTLEMENT, type StoredRecord, settlementKey } from './record.js';

export interface AppendResult {
  readonly sequence: number;
  /** True only if this call wrote the record. */
  readonly appended: boolean;
}

/** What becomes of one append once its group is durable. */
export type Outcome = AppendResult | { readonly refusal: Error };

export interface StagedGroup {
  /** The frames to write, in order; empty if the group adds nothing. */
  readonly text: string;
  readonly lastSequence: number;
  /** The ids the group adds, to be absorbed once it is durable. */
  readonly added: IdempotencyIndex;
  /** One for each record, in order. */
  readonly outcomes: readonly Outcome[];
}

/** A record with what identifies it, worked out once. */
export interface Candidate {
  readonly record: JournalRecord;
  /** Absent for a record that is never taken for a duplicate. */
  readonly identity: Identity | undefined;
}

interface Identity {
  /** The physical id: the record's, with a typed suffix where one logical id has several records. */
  readonly key: string;
  readonly fingerprint: Fingerprint;
}

/** Throws `InvalidRecordError` for a delegate body that is none. */
export function identify(record: JournalRecord): Candidate {
  if (record.id === undefined) return { record, identity: undefined };
  const fingerprint = new Fingerprint(record.kind, record.body);
  return { record, identity: { key: physicalId(record, record.id), fingerprint } };
}

function physicalId(record: JournalRecord, id: string): string {
  if (record.kind === SETTLEMENT) return settlementKey(id);
  return record.kind === DELEGATE ? deliveryKey(parseDelivery(record)) : id;
}

/** Enters a record that is on disk. */
export function observeRecord(record: StoredRecord, index: IdempotencyIndex): void {
  const { identity } = identify(record);
  if (identity) index.observe(identity.key, record.sequence, identity.fingerprint);
}

/**
 * Decides a group of appends in order, each against what is durable and what the group holds before it.
 * Nothing is changed until the caller has written the group.
 */
export function stageGroup(
  group: readonly Candidate[],
  durable: IdempotencyIndex,
  lastSequence: number,
  epoch: number,
): StagedGroup {
  const added = new IdempotencyIndex(durable);
  const frames: string[] = [];
  let last = lastSequence;
  const outcomes = group.map(({ record, identity }): Outcome => {
    try {
      const duplicate = identity && findDuplicate(record, identity, added);
      if (duplicate !== undefined) return { sequence: duplicate, appended: false };
    } catch (error) {
      return { refusal: error as Error };
    }
    last += 1;
    frames.push(encodeFrame(record, last, epoch));
    if (identity) added.observe(identity.key, last, identity.fingerprint);
    return { sequence: last, appended: true };
  });
  return { text: frames.join(''), lastSequence: last, added, outcomes };
}

function findDuplicate(record: JournalRecord, { key, fingerprint }: Identity, index: IdempotencyIndex) {
  return record.kind === DELEGATE ? checkDelivery(record, index) : index.check(key, fingerprint);
}
