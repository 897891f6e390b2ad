import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareExact, DIFFERENCES_LIMIT, exactEqual } from './compare.js';
import { type ExactJson, parseExact } from './exact-json.js';
import { fromPointer, valueAt } from './pointer.js';

function compareTexts(expected: string, actual: string): ReturnType<typeof compareExact> {
  return compareExact(parseExact(expected).value, parseExact(actual).value);
}

const json = fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<ExactJson>;

describe('compareExact', () => {
  it.each([
    ['{"a":1,"b":2}', '{ "b": 2.0, "a": 1e0 }'],
    ['9007199254740993', '9007199254740993.0'],
    ['1e400', '10e399'],
    ['0', '-0'],
    ['{"__proto__":1}', '{"__proto__":1}'],
  ])('finds %s and %s equal', (expected, actual) => {
    expect(compareTexts(expected, actual)).toEqual([]);
  });

  it.each([
    ['1', '2', [{ path: '', kind: 'changed', expected: 1, actual: 2 }]],
    ['1', '"1"', [{ path: '', kind: 'type', expected: 1, actual: '1' }]],
    ['null', '{}', [{ path: '', kind: 'type', expected: null, actual: {} }]],
    ['[]', '{}', [{ path: '', kind: 'type', expected: [], actual: {} }]],
    [
      '9007199254740993',
      '9007199254740992',
      [{ path: '', kind: 'changed', expected: '9007199254740993', actual: 9007199254740992 }],
    ],
    [
      '{"a":1}',
      '{"b":1}',
      [
        { path: '/a', kind: 'missing', expected: 1 },
        { path: '/b', kind: 'extra', actual: 1 },
      ],
    ],
    ['{"a":null}', '{}', [{ path: '/a', kind: 'missing', expected: null }]],
    [
      '[1,2,3]',
      '[1,4]',
      [
        { path: '/1', kind: 'changed', expected: 2, actual: 4 },
        { path: '/2', kind: 'missing', expected: 3 },
      ],
    ],
    ['[]', '[[1]]', [{ path: '/0', kind: 'extra', actual: [1] }]],
    [
      '{"a/b":{"~":[0]}}',
      '{"a/b":{"~":[1]}}',
      [{ path: '/a~1b/~0/0', kind: 'changed', expected: 0, actual: 1 }],
    ],
    ['{}', '{"__proto__":1}', [{ path: '/__proto__', kind: 'extra', actual: 1 }]],
    ['{"toString":1}', '{}', [{ path: '/toString', kind: 'missing', expected: 1 }]],
  ])('of %s and %s lists every difference', (expected, actual, differences) => {
    expect(compareTexts(expected, actual)).toEqual(differences);
  });

  it('finds nothing exactly when exactEqual holds, in either direction', () => {
    fc.assert(
      fc.property(json, json, fc.boolean(), (left, other, isSame) => {
        const right = isSame ? (structuredClone(left) as ExactJson) : other;
        const isEqual = exactEqual(left, right);
        expect(compareExact(left, right).length === 0).toBe(isEqual);
        expect(compareExact(right, left).length === 0).toBe(isEqual);
        expect(exactEqual(right, left)).toBe(isEqual);
      }),
    );
  });

  it('points to values that are there, with what is there', () => {
    fc.assert(
      fc.property(json, json, (expected, actual) => {
        for (const difference of compareExact(expected, actual)) {
          const path = fromPointer(difference.path);
          expect(valueAt(expected, path)).toEqual(difference.expected);
          expect(valueAt(actual, path)).toEqual(difference.actual);
        }
      }),
    );
  });

  it('follows nesting that would overflow a call stack, and what it reports can be printed', () => {
    const nested = (leaf: string): string => `${'{"a":['.repeat(50_000)}${leaf}${']}'.repeat(50_000)}`;
    expect(compareTexts(nested('1'), nested('1'))).toEqual([]);
    const differences = compareTexts(nested('1'), nested('2'));
    expect(differences).toMatchObject([{ kind: 'changed' }]);
    expect(JSON.stringify(differences).length).toBeLessThan(10_000);
  });

  it('lists a bounded number of differences', () => {
    const zeros = Array.from({ length: 5_000 }, () => 0);
    expect(
      compareExact(
        zeros,
        zeros.map(() => 1),
      ),
    ).toHaveLength(DIFFERENCES_LIMIT);
    expect(compareExact(zeros, [], 3)).toHaveLength(3);
  });
});
