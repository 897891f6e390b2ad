import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { locateValue } from './locate.js';
import { valueAt } from './pointer.js';
import { addMember, removeMember, replaceValue, rewriteStrings } from './rewrite.js';

const raw = ' {"a" : "x", "n":1.0e0, "a":["x",{"x":"\\u0078"}]}\r';

describe('rewriteStrings', () => {
  it('leaves a text as it is when nothing is replaced, JSON or not', () => {
    const text = fc.oneof(
      fc.jsonValue().map((value) => JSON.stringify(value, undefined, 1)),
      fc.string(),
    );
    fc.assert(
      fc.property(text, (candidate) => {
        expect(rewriteStrings(candidate, () => undefined)).toBe(candidate);
      }),
    );
  });

  it('replaces values, not names, and no other byte', () => {
    const rewritten = rewriteStrings(raw, (path, value) => (value === 'x' ? path.join('.') : undefined));
    expect(rewritten).toBe(' {"a" : "a", "n":1.0e0, "a":["a.0",{"x":"a.1.x"}]}\r');
  });

  it('replaces as a rewriting of the parsed value would', () => {
    const swap = (value: string): string => `<${value}"\ud800>`;
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const expected = JSON.parse(JSON.stringify(value), (_name, item) =>
          typeof item === 'string' ? swap(item) : item,
        );
        expect(JSON.parse(rewriteStrings(JSON.stringify(value), (_path, item) => swap(item)))).toEqual(
          expected,
        );
      }),
    );
  });

  it('returns malformed JSON unchanged', () => {
    expect(rewriteStrings('{"a":"x"', () => 'y')).toBe('{"a":"x"');
  });
});

describe('replaceValue', () => {
  it.each([
    [[], '7', ' 7\r'],
    [['n'], '7', ' {"a" : "x", "n":7, "a":["x",{"x":"\\u0078"}]}\r'],
    [['a', 1, 'x'], '7', ' {"a" : "x", "n":1.0e0, "a":["x",{"x":7}]}\r'],
    [['a'], '7', ' {"a" : "x", "n":1.0e0, "a":7}\r'],
    [['b'], '7', raw],
    [['a', 2], '7', raw],
  ])('at %j puts %s', (path, text, expected) => {
    expect(replaceValue(raw, path, text)).toBe(expected);
  });

  it('does not reach into an earlier member of a repeated name', () => {
    expect(replaceValue('{"a":{"b":1},"a":{}}', ['a', 'b'], '2')).toBe('{"a":{"b":1},"a":{}}');
  });

  it('puts a value where a parser then finds it', () => {
    const shape = fc.record({ params: fc.record({ id: fc.jsonValue() }), other: fc.jsonValue() });
    fc.assert(
      fc.property(shape, fc.nat(2), (value, indent) => {
        const replaced = replaceValue(JSON.stringify(value, undefined, indent), ['params', 'id'], '"live"');
        expect(JSON.parse(replaced)).toEqual({
          ...JSON.parse(JSON.stringify(value)),
          params: { id: 'live' },
        });
      }),
    );
  });
});

describe('removeMember', () => {
  it.each([
    ['{"a":1,"b":2}', ['a'], '{"b":2}'],
    ['{"a":1,"b":2}', ['b'], '{"a":1}'],
    ['{ "a" : 1 }\r', ['a'], '{  }\r'],
    ['{ "a":1 , "b":2 , "a":3 }', ['a'], '{ "b":2  }'],
    ['{"p":{"a":{"x":[1]},"b":2}}', ['p', 'a'], '{"p":{"b":2}}'],
    ['[1,2,3]', [1], '[1,3]'],
    ['[1,2,3]', ['0'], '[2,3]'],
    ['{"a":1}', ['x'], '{"a":1}'],
    ['{"a":1}', [], '{"a":1}'],
    ['{"a":1', ['a'], '{"a":1'],
  ])('from %s at %j leaves %s', (text, path, expected) => {
    expect(removeMember(text, path)).toBe(expected);
  });
});

describe('addMember', () => {
  it.each([
    ['{"a":1}', [], '{"a":1,"new":true}'],
    ['{ }', [], '{ "new":true}'],
    ['{"p":{"a":[]}}\r', ['p'], '{"p":{"a":[],"new":true}}\r'],
    ['[{}]', [0], '[{"new":true}]'],
    ['{"a":1}', ['a'], '{"a":1}'],
    ['{"a":', [], '{"a":'],
  ])('to %s at %j gives %s', (text, path, expected) => {
    expect(addMember(text, path, 'new', 'true')).toBe(expected);
  });

  it('is undone by removeMember', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.string(), (object, name) => {
        fc.pre(!Object.hasOwn(object, name));
        const text = JSON.stringify(object);
        expect(removeMember(addMember(text, [], name, '[1]'), [name])).toBe(text);
      }),
    );
  });
});

describe('locateValue', () => {
  it('finds the text of every value', () => {
    fc.assert(
      fc.property(fc.array(fc.dictionary(fc.string(), fc.jsonValue())), (value) => {
        const text = JSON.stringify(value, undefined, 1);
        for (const [index, object] of value.entries()) {
          for (const name of Object.keys(object)) {
            const range = locateValue(text, [index, name]);
            const found = JSON.parse(text.slice(range?.start, range?.end));
            expect(found).toEqual(valueAt(JSON.parse(text), [index, name]));
          }
        }
      }),
      { numRuns: 30 },
    );
  });
});
