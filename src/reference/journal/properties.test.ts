import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { journalProperties, livesLikeTheModel } from '../../../bench/journal-properties.js';
import type { JournalStorage } from './index.js';

describe('the journal', () => {
  it.each(journalProperties)('$name', async ({ cases, check }) => {
    await check({ numRuns: cases });
  });
});

describe('the model', () => {
  it.each<[string, (storage: JournalStorage) => JournalStorage]>([
    ['a sync that does nothing', (storage) => ({ ...storage, sync: async () => undefined })],
    [
      'a failed sync that is hidden',
      (storage) => ({ ...storage, sync: () => storage.sync().catch(() => undefined) }),
    ],
    ['a write that comes after the ack', writeBehind],
    ['a failed write that is not taken back', (storage) => ({ ...storage, truncate: async () => undefined })],
  ])('notices %s', async (_, wrap) => {
    expect(await fc.check(livesLikeTheModel(wrap), { numRuns: 1000, endOnFailure: true })).toMatchObject({
      failed: true,
    });
  });
});

/** Keeps each append in memory until the next one. */
function writeBehind(storage: JournalStorage): JournalStorage {
  let held: Buffer = Buffer.alloc(0);
  return {
    ...storage,
    size: async () => (await storage.size()) + held.length,
    append: async (bytes) => {
      await storage.append(held);
      held = bytes;
    },
  };
}
