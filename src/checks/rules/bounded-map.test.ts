import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BoundedMap } from './bounded-map.js';

const KEPT = 10;

describe('BoundedMap', () => {
  it.each([30, 12, 300])('holds the last entries that were touched, of %i keys', (keyCount) => {
    fc.assert(
      fc.property(fc.array(fc.nat(keyCount), { maxLength: 400 }), (keys) => {
        const map = new BoundedMap<number, string>(KEPT);
        for (const key of keys) expect(map.getOr(key, () => `value ${key}`)).toBe(`value ${key}`);
        expect([...map.values()].length).toBeLessThan(3 * KEPT);
        const recent = [...new Set(keys.toReversed())].slice(0, KEPT);
        for (const key of recent) expect(map.get(key)).toBe(`value ${key}`);
      }),
    );
  });

  it('holds little more than that while keys are new', () => {
    const map = new BoundedMap<number, string>(1000);
    for (let key = 0; key < 10_000; key += 1) {
      map.set(key, '');
      expect([...map.values()].length).toBeLessThanOrEqual(1250);
    }
  });

  it('tells of each entry that it forgets, once', () => {
    const forgotten: number[] = [];
    const map = new BoundedMap<number, string>(KEPT, (key) => forgotten.push(key));
    for (let key = 0; key < 100; key += 1) map.set(key, '');
    const kept = [...map.values()].length;
    expect(new Set(forgotten).size).toBe(forgotten.length);
    expect(forgotten.length + kept).toBe(100);
  });

  it('gives the value that was set last', () => {
    const map = new BoundedMap<number, number>(KEPT);
    for (let round = 0; round < 5; round += 1) {
      for (let key = 0; key < KEPT; key += 1) map.set(key, round);
      for (let key = 0; key < KEPT; key += 1) expect(map.get(key)).toBe(round);
    }
    expect([...map.values()].every((value) => value === 4)).toBe(true);
  });
});
