/** Another live process (or another journal of this process) holds the session's lease: answer `sessionInUse`. */
export class LeaseUnavailableError extends Error {
  override readonly name = 'LeaseUnavailableError';
  constructor(
    readonly path: string,
    /** The process that holds the lease. */
    readonly holderPid: number,
  ) {
    super(`${path}: the session is in use by process ${holderPid}; stop that host or wait until it lets go`);
  }
}

/** The log is not where this writer left it: someone else wrote or cut it. The writer is refused for good. */
export class StaleWriterError extends Error {
  override readonly name = 'StaleWriterError';
  constructor(
    readonly path: string,
    /** The length this writer last made durable, in bytes. */
    readonly expectedTip: number,
    /** The length found, in bytes. */
    readonly actualTip: number,
  ) {
    super(
      `${path}: stale writer: expected the log to end at byte ${expectedTip}, found ${actualTip}; open the journal anew`,
    );
  }
}

/** A byte of a complete record changed, or the records do not follow each other. Nothing is skipped. */
export class CorruptJournalError extends Error {
  override readonly name = 'CorruptJournalError';
  constructor(
    readonly path: string,
    /** The sequence of the damaged record. */
    readonly sequence: number,
    /** Where its frame starts, in bytes. */
    readonly offset: number,
    readonly reason: string,
  ) {
    super(
      `${path}: record ${sequence} at byte ${offset} is corrupt: ${reason}; restore the file or remove the session`,
    );
  }
}

/** The same id was used with another kind or another body. Retrying cannot help. */
export class IdempotencyCollisionError extends Error {
  override readonly name = 'IdempotencyCollisionError';
  constructor(
    readonly id: string,
    /** The sequence of the record that used the id first. */
    readonly seq: number,
  ) {
    super(`id ${JSON.stringify(id)} was first used by record ${seq} with another kind or body`);
  }
}

export type DeliveryFault = 'fallback_before_intent' | 'changed_payload' | 'duplicate_phase';

/** A delegate delivery left its order: intent, then at most one fallback with the same payload. */
export class DeliveryTransitionError extends Error {
  override readonly name = 'DeliveryTransitionError';
  constructor(
    readonly id: string,
    readonly reason: DeliveryFault,
    /** The sequence of the record it clashes with; absent for a fallback before any intent. */
    readonly seq?: number,
    options?: ErrorOptions,
  ) {
    const clash = seq === undefined ? '' : ` (record ${seq})`;
    super(`delivery ${JSON.stringify(id)}: ${reason.replaceAll('_', ' ')}${clash}`, options);
  }
}

/** The transient route of a record points elsewhere than the journal's session or the payload's target. */
export class CommandRouteMismatchError extends Error {
  override readonly name = 'CommandRouteMismatchError';
  constructor(
    readonly part: 'sessionId' | 'loopId',
    readonly expected: string,
    readonly actual: string,
  ) {
    super(`route mismatch: expected ${part} ${JSON.stringify(expected)}, found ${JSON.stringify(actual)}`);
  }
}

/** The record cannot be framed (a body that is not one line of JSON, a reserved kind or id). Nothing was written. */
export class InvalidRecordError extends Error {
  override readonly name = 'InvalidRecordError';
}

/** The journal was closed, or a failed write could not be taken back, so its tip is unknown. */
export class JournalUnusableError extends Error {
  override readonly name = 'JournalUnusableError';
}
