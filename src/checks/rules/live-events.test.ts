import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LiveEvents, type ViewEntry } from './live-events.js';

describe('LiveEvents', () => {
  const cursor = fc.oneof(
    fc.tuple(fc.constantFrom('v:s:', 'v:t:', ''), fc.nat(40)).map(([prefix, number]) => `${prefix}${number}`),
    fc.constantFrom('v:s:', 'v:s:007', 'v:s:7', 'v:s:99999999999999999998', 'v:s:99999999999999999999', 'x'),
  );

  it('finds what was added and nothing else, whatever cursors look like', () => {
    const rising = fc.nat(3).map((first) => Array.from({ length: 20 }, (_, index) => `v:s:${first + index}`));
    fc.assert(
      fc.property(rising, fc.array(cursor), (start, then) => {
        const events = new LiveEvents();
        const added = new Map<string, ViewEntry>();
        for (const each of [...start, ...then]) {
          expect(events.at(each)).toBe(added.get(each));
          if (added.has(each)) continue;
          const entry = entryAt(each, events.nextIndex);
          events.add(entry);
          added.set(each, entry);
        }
        for (const [each, entry] of added) expect(events.at(each)).toBe(entry);
      }),
    );
  });

  it.each([
    ['rising numbers', (index: number) => `v:s:${index}`],
    ['other names', (index: number) => `${index}-a`],
  ])('forgets old events and keeps at least the last 1024 of those with %s', (_, name) => {
    const events = new LiveEvents();
    for (let index = 0; index < 5000; index += 1) {
      if (index % 1500 === 0) events.at(name(index - 1));
      events.add(entryAt(name(index), index));
    }
    expect(events.entries.length).toBeLessThan(2048);
    expect(events.at(name(0))).toBeUndefined();
    for (let index = 5000 - 1024; index < 5000; index += 1) expect(events.at(name(index))?.index).toBe(index);
  });
});

function entryAt(cursor: string, index: number): ViewEntry {
  return {
    ...{ cursor, index, method: 'item/delta', identity: 'item/delta', durable: false, holeBefore: false },
    ...{ stretch: 1, params: {}, deliveries: 1, subscriptionsBefore: 0 },
  };
}
