import {
  CommandRouteMismatchError,
  DeliveryTransitionError,
  IdempotencyCollisionError,
  InvalidRecordError,
} from './errors.js';
import { Fingerprint, type IdempotencyIndex } from './idempotency.js';
import { DELEGATE, FALLBACK_SUFFIX, type JournalRecord, type RecordRoute } from './record.js';

export type DeliveryPhase = 'intent' | 'fallback_queued';

export interface Delivery {
  /** The logical id, the same for both phases. */
  readonly id: string;
  readonly phase: DeliveryPhase;
  /** The loop the delivery is for; durable, and compared with a transient route. */
  readonly targetLoopId: string;
  /** One line of JSON text: every other durable field. */
  readonly payload: string;
  readonly route?: RecordRoute;
}

/** The record of one phase of a delegate delivery. */
export function deliveryRecord({ id, phase, targetLoopId, payload, route }: Delivery): JournalRecord {
  const body = `{"phase":"${phase}","targetLoopId":${JSON.stringify(targetLoopId)},"payload":${payload}}`;
  return { kind: DELEGATE, id, body, ...(route && { route }) };
}

/** The delivery in a delegate record's body. Throws `InvalidRecordError` for one `deliveryRecord` did not write. */
export function parseDelivery({ id = '', body }: Pick<JournalRecord, 'id' | 'body'>): Delivery {
  const match = DELIVERY.exec(body);
  const [, phase, target, payload] = match ?? [];
  if ((phase !== 'intent' && phase !== 'fallback_queued') || target === undefined || payload === undefined) {
    throw new InvalidRecordError('expected a delegate body made by deliveryRecord');
  }
  return { id, phase, targetLoopId: JSON.parse(target) as string, payload };
}

const DELIVERY = /^\{"phase":"(intent|fallback_queued)","targetLoopId":("(?:[^"\\]|\\.)*"),"payload":(.*)\}$/;

/** A phase's own physical id: the fallback's carries a typed suffix. */
export function deliveryKey({ id, phase }: Delivery): string {
  return phase === 'intent' ? id : id + FALLBACK_SUFFIX;
}

/**
 * The sequence of the identical record if this phase is already there, undefined if it may be appended.
 * Throws `DeliveryTransitionError` or `CommandRouteMismatchError`.
 */
export function checkDelivery(record: JournalRecord, index: IdempotencyIndex): number | undefined {
  const delivery = parseDelivery(record);
  const routed = record.route?.loopId;
  if (routed !== undefined && routed !== delivery.targetLoopId) {
    throw new CommandRouteMismatchError('loopId', delivery.targetLoopId, routed);
  }
  if (delivery.phase === 'fallback_queued') assertFollowsIntent(delivery, index);
  try {
    return index.check(deliveryKey(delivery), new Fingerprint(record.kind, record.body));
  } catch (cause) {
    if (!(cause instanceof IdempotencyCollisionError)) throw cause;
    throw new DeliveryTransitionError(delivery.id, 'duplicate_phase', cause.seq, { cause });
  }
}

function assertFollowsIntent(fallback: Delivery, index: IdempotencyIndex): void {
  const intent = index.lookup(fallback.id);
  if (intent === undefined) throw new DeliveryTransitionError(fallback.id, 'fallback_before_intent');
  // The phase is the only member set alike on both sides, so every other byte stays in the comparison.
  const asIntent = deliveryRecord({ ...fallback, phase: 'intent' });
  if (!intent.fingerprint.equals(new Fingerprint(DELEGATE, asIntent.body))) {
    throw new DeliveryTransitionError(fallback.id, 'changed_payload', intent.sequence);
  }
}
