import { describe, expect, it } from 'vitest';
import {
  CommandRouteMismatchError,
  type Delivery,
  DeliveryTransitionError,
  deliveryRecord,
  IdempotencyCollisionError,
  MemoryDisk,
  openJournal,
  parseDelivery,
  unleased,
} from './index.js';

const intent: Delivery = {
  id: 'd',
  phase: 'intent',
  targetLoopId: 'loop',
  payload: '{"blocks":["hi"],"at":1.0}',
};
const fallback: Delivery = { ...intent, phase: 'fallback_queued' };

/** Appends deliveries one after the other; the last answer. */
async function deliver(...deliveries: readonly Delivery[]) {
  const { journal } = await openJournal('session.jsonl', {
    openStorage: new MemoryDisk().open,
    acquireLease: unleased,
  });
  let last: unknown;
  for (const delivery of deliveries) {
    last = await journal.appendIdempotent(deliveryRecord(delivery)).catch((error: unknown) => error);
  }
  return last;
}

describe('a delegate delivery', () => {
  it('goes from intent to fallback under an id of its own', async () => {
    expect(await deliver(intent, fallback)).toEqual({ sequence: 3, appended: true });
  });

  it.each([
    ['intent', [intent, intent], 2],
    ['intent after its fallback', [intent, fallback, intent], 2],
    ['fallback', [intent, fallback, fallback], 3],
  ])('takes an identical %s for a retry', async (_, deliveries, sequence) => {
    expect(await deliver(...deliveries)).toEqual({ sequence, appended: false });
  });

  it.each<[string, readonly Delivery[], string, number | undefined]>([
    ['a fallback before any intent', [fallback], 'fallback_before_intent', undefined],
    ['a fallback with another payload', [intent, { ...fallback, payload: '{}' }], 'changed_payload', 2],
    [
      'a fallback whose number is written otherwise',
      [intent, { ...fallback, payload: '{"blocks":["hi"],"at":1}' }],
      'changed_payload',
      2,
    ],
    ['a fallback for another loop', [intent, { ...fallback, targetLoopId: 'other' }], 'changed_payload', 2],
    [
      'a second fallback with another payload',
      [intent, fallback, { ...fallback, payload: '{}' }],
      'changed_payload',
      2,
    ],
    ['a second intent with another payload', [intent, { ...intent, payload: '{}' }], 'duplicate_phase', 2],
  ])('refuses %s', async (_, deliveries, reason, seq) => {
    const refusal = await deliver(...deliveries);
    expect(refusal).toBeInstanceOf(DeliveryTransitionError);
    expect(refusal).toMatchObject({ reason, seq, id: 'd' });
  });

  it('names the collision behind a repeated phase', async () => {
    const refusal = (await deliver(intent, { ...intent, payload: '{}' })) as Error;
    expect(refusal.cause).toBeInstanceOf(IdempotencyCollisionError);
  });

  it('refuses a route to another loop and accepts its own', async () => {
    expect(await deliver({ ...intent, route: { loopId: 'other' } })).toBeInstanceOf(
      CommandRouteMismatchError,
    );
    expect(await deliver({ ...intent, route: { loopId: 'loop' } })).toMatchObject({ appended: true });
  });

  it('is read back as it was given', () => {
    expect(parseDelivery(deliveryRecord({ ...intent, targetLoopId: '"\\' }))).toEqual({
      ...intent,
      targetLoopId: '"\\',
    });
  });
});
