import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseExact } from '../wire/exact-json.js';
import { payloadSignature } from './signature.js';

const signatureOf = (text: string, unknown: readonly string[] = []) =>
  payloadSignature('m', parseExact(text).value, unknown);

describe('a payload signature', () => {
  it.each([
    ['the order of members', '{"a":{"x":1,"y":2},"b":3}', '{"b":3,"a":{"y":2,"x":1}}'],
    ['white space', '{"a":[1,2]}', '{ "a" : [ 1 , 2 ] }'],
    ['the spelling of a number', '{"a":100}', '{"a":1e2}'],
    ['the spelling of a text', '{"a":"é"}', '{"a":"\\u00e9"}'],
  ])('does not see %s', (_, one, other) => {
    expect(signatureOf(other)).toBe(signatureOf(one));
  });

  it.each([
    ['digits that a double loses', '{"a":9007199254740993}', '{"a":9007199254740992}'],
    ['null and absence', '{"a":null}', '{}'],
    ['a number and its text', '{"a":1}', '{"a":"1"}'],
    ['the order of a list', '{"a":[1,2]}', '{"a":[2,1]}'],
    ['lone surrogates', '{"a":"\\ud800"}', '{"a":"\\ud801"}'],
    ['where lists end', '{"a":[["x"],"y"]}', '{"a":[["x","y"]]}'],
  ])('sees %s', (_, one, other) => {
    expect(signatureOf(other)).not.toBe(signatureOf(one));
  });

  it('leaves out unknown members, wherever they are', () => {
    expect(signatureOf('{"a":[{"b":1,"x/y":2}],"z":3}', ['/z', '/a/0/x~1y'])).toBe(
      signatureOf('{"a":[{"b":1}]}'),
    );
  });

  it('tells values apart exactly where their JSON differs', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3 }), fc.jsonValue({ maxDepth: 3 }), (one, other) => {
        const isSame = JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
        expect(signatureOf(JSON.stringify(one)) === signatureOf(JSON.stringify(other))).toBe(isSame);
      }),
    );
  });
});

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [name, sorted(member)] as const);
  return { members: members.sort(([one], [other]) => (one < other ? -1 : 1)) };
}
