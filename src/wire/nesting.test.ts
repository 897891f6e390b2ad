import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeFrame } from './decode.js';
import { isNestedBeyond, NESTING_LIMIT } from './nesting.js';

describe('isNestedBeyond', () => {
  it.each([
    ['[[]]', 2, false],
    ['[[[]]]', 2, true],
    ['[[],[],[]]', 2, false],
    ['{"a":{"b":[]}}', 2, true],
    ['"[[[["', 2, false],
    ['["\\"[[[["]', 2, false],
    ['["\\\\",[[]]]', 2, true],
    ['[[[', 2, true],
    [']]][[[', 2, false],
    ['"[[[', 2, false],
  ])('%s beyond %i: %s', (text, limit, expected) => {
    expect(isNestedBeyond(text, limit)).toBe(expected);
  });

  it('agrees with the depth of what the text says', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), fc.integer({ min: 0, max: 8 }), (text, limit) => {
        expect(isNestedBeyond(text, limit)).toBe(depthOf(JSON.parse(text)) > limit);
      }),
    );
  });
});

describe('decodeFrame', () => {
  it('does not read what is nested beyond the limit, closed or not', () => {
    const open = '['.repeat(NESTING_LIMIT + 1);
    for (const text of [open, open + ']'.repeat(NESTING_LIMIT + 1)]) {
      expect(decodeFrame(text).message).toEqual({
        kind: 'invalid',
        problem: `not JSON that can be read: it is nested more than ${NESTING_LIMIT} deep`,
      });
    }
  });
});

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}
