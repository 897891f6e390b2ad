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

/**
 * Decides a group of appends in order, each against what is durable and what the group holds before it.
 * Nothing is changed until the caller has written the group.
 */
export function stageGroup(
  group: readonly JournalRecord[],
  durable: IdempotencyIndex,
  lastSequence: number,
  epoch: number,
): StagedGroup {
  const added = new IdempotencyIndex(durable);
  let text = '';
  let last = lastSequence;
  const outcomes = group.map((record): Outcome => {
    try {
      const duplicate = findDuplicate(record, added);
      if (duplicate !== undefined) return { sequence: duplicate, appended: false };
    } catch (error) {
      return { refusal: error as Error };
    }
    last += 1;
    text += encodeFrame({ ...record, sequence: last, epoch });
    observeRecord({ ...record, sequence: last, epoch }, added);
    return { sequence: last, appended: true };
  });
  return { text, lastSequence: last, added, outcomes };
}

function findDuplicate(record: JournalRecord, index: IdempotencyIndex): number | undefined {
  if (record.kind === DELEGATE) return checkDelivery(record, index);
  const key = physicalId(record);
  return key === undefined ? undefined : index.check(key, new Fingerprint(record.kind, record.body));
}

/** Enters a record that is, or is about to be, on disk. */
export function observeRecord(record: StoredRecord, index: IdempotencyIndex): void {
  const key = physicalId(record);
  if (key !== undefined) index.observe(key, record.sequence, new Fingerprint(record.kind, record.body));
}

/** The key a record is known by: its id, with a typed suffix where one logical id has several records. */
export function physicalId(record: Pick<JournalRecord, 'kind' | 'id' | 'body'>): string | undefined {
  if (record.id === undefined) return undefined;
  if (record.kind === SETTLEMENT) return settlementKey(record.id);
  return record.kind === DELEGATE ? deliveryKey(parseDelivery(record)) : record.id;
}
