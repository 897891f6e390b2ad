import { describe, expect, it } from 'vitest';
import { idKey, PendingRequests } from './ids.js';

describe('request ids', () => {
  it.each([
    [1, '1', false],
    [1, 1.0, true],
    [0, -0, true],
    ['', 'n:', false],
    ['a', 'a', true],
    ['constructor', '__proto__', false],
  ])('%j and %j are the same: %s', (left, right, isSame) => {
    expect(idKey(left) === idKey(right)).toBe(isSame);
  });
});

describe('PendingRequests', () => {
  it('settles each request once, oldest first, and tells 1 from "1"', () => {
    const pending = new PendingRequests<string>();
    expect(pending.add(1, 'number')).toBe(true);
    expect(pending.add('1', 'string')).toBe(true);
    expect(pending.add(1, 'again')).toBe(false);
    expect(pending.get('1')).toBe('string');
    expect(pending.entries().map(({ id }) => id)).toEqual([1, '1']);
    expect(pending.settle(1)).toBe('number');
    expect(pending.settle(1)).toBeUndefined();
    expect(pending.size).toBe(1);
    expect(pending.add(1, 'reused after its answer')).toBe(true);
  });
});
