import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BoundedMap } from './bounded-map.js';

const CAPACITY = 10;

describe('BoundedMap', () => {
  it('holds the last half of its capacity that was touched, and never more than its capacity', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(30), { maxLength: 200 }), (keys) => {
        const map = new BoundedMap<number, string>(CAPACITY);
        for (const key of keys) map.getOr(key, () => `value ${key}`);
        const recent = new Set(
          [...keys]
            .reverse()
            .filter((key, at, all) => all.indexOf(key) === at)
            .slice(0, CAPACITY / 2 - 1),
        );
        expect([...map.values()].length).toBeLessThanOrEqual(CAPACITY);
        for (const key of recent) expect(map.get(key)).toBe(`value ${key}`);
      }),
    );
  });

  it('tells of each entry that it forgets, once', () => {
    const forgotten: number[] = [];
    const map = new BoundedMap<number, string>(CAPACITY, (key) => forgotten.push(key));
    for (let key = 0; key < 100; key += 1) map.set(key, '');
    const kept = [...map.values()].length;
    expect(new Set(forgotten).size).toBe(forgotten.length);
    expect(forgotten.length + kept).toBe(100);
  });
});
