import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareExact } from '../wire/compare.js';
import { parseExact } from '../wire/exact-json.js';
import { reordered, underId } from './lines.js';

const LINE =
  '{"jsonrpc":"2.0","id":7,"method":"turn/start","params":{"n":12345678901234567,"input":[{"type":"text","text":"a \\u00e9"},{}],"empty":[]}}';

describe('a line with its members in another order', () => {
  it('says the same in another text', () => {
    expect(reordered(LINE)).not.toBe(LINE);
    expect(compareExact(parseExact(LINE).value, parseExact(reordered(LINE)).value)).toEqual([]);
    expect(reordered(LINE)).toContain('12345678901234567');
  });

  it('stays one line, and has the params before the method', () => {
    expect(reordered(LINE)).not.toMatch(/[\r\n]/);
    expect(reordered(LINE).indexOf('"params"')).toBeLessThan(reordered(LINE).indexOf('"method"'));
  });

  it('says the same of any value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const line = JSON.stringify(value);
        expect(compareExact(parseExact(line).value, parseExact(reordered(line)).value)).toEqual([]);
      }),
    );
  });
});

describe('a line under another request id', () => {
  it.each([
    ['harness-1', '"id":"harness-1"'],
    [12, '"id":12'],
  ] as const)('%s keeps every other byte', (id, text) => {
    expect(underId(LINE, id)).toBe(LINE.replace('"id":7', text));
  });
});
