export { type Delivery, type DeliveryPhase, deliveryRecord, parseDelivery } from './delivery.js';
export {
  CommandRouteMismatchError,
  CorruptJournalError,
  DeliveryTransitionError,
  IdempotencyCollisionError,
  InvalidRecordError,
  JournalUnusableError,
  LeaseUnavailableError,
  StaleWriterError,
} from './errors.js';
export type { AppendResult } from './group.js';
export { Fingerprint, IdempotencyIndex } from './idempotency.js';
export type { Journal } from './journal.js';
export { type AcquireLease, acquireFileLease, type Lease, unleased } from './lease.js';
export { MemoryDisk } from './memory-storage.js';
export { type JournalOptions, openJournal, type Recovery } from './open.js';
export { readJournal } from './read.js';
export {
  COMMAND,
  DELEGATE,
  FENCE,
  type JournalRecord,
  type RecordRoute,
  SETTLEMENT,
  type StoredRecord,
  settlementKey,
} from './record.js';
export type { ScannedLog, TornTail } from './scan.js';
export { type JournalStorage, type OpenStorage, openFileStorage } from './storage.js';
