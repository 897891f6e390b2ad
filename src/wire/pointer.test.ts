import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromPointer, toPointer, valueAt } from './pointer.js';

describe('JSON Pointers', () => {
  it.each([
    [[], ''],
    [['a', 0, 'b'], '/a/0/b'],
    [[''], '/'],
    [['a/b', '~1', '~'], '/a~1b/~01/~0'],
  ])('of %j is %j', (segments, pointer) => {
    expect(toPointer(segments)).toBe(pointer);
    expect(fromPointer(pointer)).toEqual(segments.map(String));
  });

  it('survive the round trip', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), (segments) => {
        expect(fromPointer(toPointer(segments))).toEqual(segments);
      }),
    );
  });

  it.each(['a', '/~', '/~2'])('refuses %j', (text) => {
    expect(() => fromPointer(text)).toThrow(SyntaxError);
  });
});

describe('valueAt', () => {
  const value = JSON.parse('{"a":[{"b":1}],"__proto__":{"c":2},"n":null,"s":"text"}');

  it.each([
    [[], value],
    [['a', 0, 'b'], 1],
    [['a', '0', 'b'], 1],
    [['__proto__', 'c'], 2],
    [['a', 'length'], undefined],
    [['a', '00'], undefined],
    [['a', 1], undefined],
    [['toString'], undefined],
    [['n', 'x'], undefined],
    [['s', 0], undefined],
  ])('%j reads own members only', (segments, expected) => {
    expect(valueAt(value, segments)).toEqual(expected);
  });
});
