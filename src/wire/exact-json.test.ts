import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exactEqual } from './compare.js';
import {
  canonicalDecimal,
  type ExactJson,
  ExactNumber,
  isLosslessReading,
  JsonSyntaxError,
  parseExact,
  REPEATED_MEMBERS_LIMIT,
  stringifyExact,
} from './exact-json.js';

/** What `JSON.parse` makes of a text, with the prototype and the sign of zero put aside. */
function native(text: string): unknown {
  return JSON.parse(text, (_name, value) => {
    // A number that no double holds has no native reading to compare with.
    if (typeof value === 'number' && !Number.isFinite(value)) return null;
    return value === 0 ? 0 : value;
  });
}

describe('a number is plain exactly when the double prints its decimal value', () => {
  it.each([
    ['1', 1],
    ['1.0', 1],
    ['1e0', 1],
    ['0.1', 0.1],
    ['100E-3', 0.1],
    ['-0', 0],
    ['-0.0e5', 0],
    ['0e99999999999999999999', 0],
    ['9007199254740992', 9007199254740992],
    ['1e21', 1e21],
    ['5e-324', 5e-324],
  ])('%s is plain', (text, value) => {
    expect(parseExact(text).value).toBe(value);
  });

  it.each([
    '9007199254740993',
    '9223372036854775807',
    '0.1000000000000000055511151231257827',
    '1e400',
    '-1e400',
    '1e-400',
    `1${'0'.repeat(30)}1`,
    '1.00000000000000000000000000000001',
  ])('%s keeps its digits', (text) => {
    expect(parseExact(text).value).toEqual(new ExactNumber(text));
    expect(stringifyExact(parseExact(`[${text}]`).value)).toBe(`[${text}]`);
  });
});

describe('canonicalDecimal gives one spelling for each value', () => {
  it.each([
    ['1', '1e0'],
    ['1.0', '1e0'],
    ['10e-1', '1e0'],
    ['-1.50', '-15e-1'],
    ['0.00', '0'],
    ['-0', '0'],
    ['120e+3', '12e4'],
    ['1e1000000000000000000000', '1e1000000000000000000000'],
  ])('%s is %s', (text, canonical) => {
    expect(canonicalDecimal(text)).toBe(canonical);
  });

  it('does not change when zeros are added or the point is moved', () => {
    const zeros = fc.integer({ min: 0, max: 30 });
    fc.assert(
      fc.property(fc.bigInt(), zeros, (integer, count) => {
        const scaled = `${integer}${'0'.repeat(count)}e-${count}`;
        expect(canonicalDecimal(scaled)).toBe(canonicalDecimal(String(integer)));
        expect(canonicalDecimal(`${integer}.${'0'.repeat(count + 1)}`)).toBe(
          canonicalDecimal(String(integer)),
        );
      }),
    );
  });
});

describe('parseExact', () => {
  it('agrees with JSON.parse on every value that a double holds', () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), fc.nat(4), (value, indent) => {
        const text = JSON.stringify(value, undefined, indent);
        expect(parseExact(text)).toEqual({ value: native(text), repeatedMembers: [] });
      }),
    );
  });

  it('reads a number beyond every double as its text', () => {
    expect(outcome(() => parseExact('3e416').value)).toEqual(outcome(() => native('3e416') as ExactJson));
  });

  it('accepts and refuses exactly the texts that JSON.parse does', () => {
    const fragment = fc.constantFrom(
      ...'{}[]":,.-+0123456789eE \t\n\r\\/bfnrtu',
      'true',
      'false',
      'null',
      '"a"',
      '{"a":',
      '\\ud800',
      '\u0000',
      '\u00a0',
      '\ufeff',
      '\u2028',
    );
    const text = fc.array(fragment, { maxLength: 12 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, (candidate) => {
        expect(outcome(() => parseExact(candidate).value)).toEqual(outcome(() => native(candidate)));
      }),
      { numRuns: 5_000 },
    );
  });

  it('finds the cut of a text at its end, or at the start of the word or escape that was cut', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat(), (value, cut) => {
        const whole = JSON.stringify({ value });
        const damaged = whole.slice(0, cut % whole.length);
        const error = thrownBy(() => parseExact(damaged));
        expect(error).toBeInstanceOf(JsonSyntaxError);
        const { offset } = error as JsonSyntaxError;
        expect(offset).toBeLessThanOrEqual(damaged.length);
        expect(offset).toBeGreaterThanOrEqual(damaged.length - 'true'.length);
      }),
    );
  });

  it.each([
    ['', 0, 'expected a JSON value, found the end of the text'],
    ['{"a":1,}', 7, 'expected a member name in double quotes after ",", found "}"'],
    ['{"a" 1}', 5, 'expected ":" after a member name, found "1"'],
    ['[1 2]', 3, 'expected "," or "]" after an element, found "2"'],
    ['{"a":1', 6, 'expected "," or "}" after a member, found the end of the text'],
    ['[01]', 2, 'expected "," or "]" after an element, found "1"'],
    ['-', 1, 'expected a digit after "-", found the end of the text'],
    ['"a\tb"', 2, 'expected an escape for a control character in a string, found U+0009'],
    ['"\\x"', 2, 'expected one of "\\/bfnrtu after a backslash, found "x"'],
    ['"\\u12g4"', 3, 'expected four hexadecimal digits after "\\u", found "1"'],
    ['"abc', 4, 'expected a closing quote, found the end of the text'],
    ['1 1', 2, 'expected the end of the text, found "1"'],
    ['\ufeff{}', 0, 'expected a JSON value, found U+FEFF'],
    ['{a:1}', 1, 'expected a member name in double quotes or "}", found "a"'],
  ])('refuses %j at offset %i', (text, offset, problem) => {
    expect(thrownBy(() => parseExact(text))).toMatchObject({ offset, problem });
  });

  it('treats __proto__, constructor and toString as ordinary names', () => {
    const { value, repeatedMembers } = parseExact('{"__proto__":{"x":1},"constructor":2,"toString":3}');
    expect(Object.getPrototypeOf(value)).toBeNull();
    expect(Object.keys(value as object)).toEqual(['__proto__', 'constructor', 'toString']);
    expect(repeatedMembers).toEqual([]);
  });

  it('keeps lone surrogates', () => {
    expect(parseExact('["\\ud800", "\udc00"]').value).toEqual(['\ud800', '\udc00']);
    expect(stringifyExact(['\ud800'])).toBe('["\\ud800"]');
  });

  it.each([
    ['{"a":1,"a":2}', ['/a'], { a: 2 }],
    ['{"a":1,"\\u0061":2,"a":3}', ['/a'], { a: 3 }],
    ['[{"x":{"a/b":1,"a/b":1}}]', ['/0/x/a~1b'], [{ x: { 'a/b': 1 } }]],
    ['{"a":{"b":1,"b":2},"a":{}}', ['/a/b', '/a'], { a: {} }],
    ['[{"a":1},{"a":1}]', [], [{ a: 1 }, { a: 1 }]],
  ])('reports the repeated members of %s', (text, repeatedMembers, value) => {
    expect(parseExact(text)).toEqual({ value, repeatedMembers });
  });

  it('lists a bounded number of repeated members', () => {
    const text = `{${Array.from({ length: 1_000 }, (_, index) => `"${index % 500}":0`).join(',')}}`;
    expect(parseExact(text).repeatedMembers).toHaveLength(REPEATED_MEMBERS_LIMIT);
  });

  it('keeps ten thousand digits', () => {
    const text = '1234567890'.repeat(1_000);
    expect(parseExact(text).value).toEqual(new ExactNumber(text));
  });

  it('follows nesting that would overflow a call stack', () => {
    const text = `${'[{"a":'.repeat(50_000)}0${'}]'.repeat(50_000)}`;
    expect(stringifyExact(parseExact(text).value)).toBe(text);
  });
});

describe('stringifyExact', () => {
  it('prints what parseExact reads back', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat(3), (value, indent) => {
        const exact = parseExact(JSON.stringify(value)).value;
        expect(stringifyExact(exact, indent)).toBe(JSON.stringify(exact, undefined, indent));
        expect(parseExact(stringifyExact(exact, indent)).value).toEqual(exact);
      }),
    );
  });
});

describe('isLosslessReading', () => {
  it.each([
    ['{"a":1,"b":[true,"x\\n"]}', true],
    ['{"a": 1, "b": {"c": "at 10:00"}}', true],
    ['{"a":[1,2.5]}\r', true],
    ['{"a":":x"}', true],
    ['{"a":1,"a":1}', false],
    ['{"a":{"x":1},"a":{"y":1}}', false],
    ['{"a" :1,"a":":"}', false],
    ['{"a"\n:1,"a":1}', false],
    ['{"a":1,"a":"\\":"}', false],
    ['{"":1,"":1}', false],
    ['{"n":9007199254740993}', false],
    ['{"n":\t9007199254740993}', false],
    ['{"n":[9007199254740993]}', false],
    ['{"n":1.0000000000000000001}', false],
    ['{"n":1e400}', false],
    ['{"n":1E-400}', false],
    ['{"n":-0}', false],
    ['9007199254740993', false],
  ])('of %j is %s', (text, isLossless) => {
    expect(isLosslessReading(text, JSON.parse(text))).toBe(isLossless);
  });

  it('is never true of a text that repeats a member or has a number that no double prints', () => {
    const space = fc.constantFrom('', ' ', '\t', ' \r');
    const scalar = fc.constantFrom(
      '1',
      '"x"',
      '":"',
      '"\\":"',
      '-0',
      '1.0',
      '12345678901234567',
      '1e-400',
      '0e1',
      '{}',
    );
    const name = fc.constantFrom('"a"', '"b"', '"a:"', '"\\u0061"', '""', '"\\""');
    const { value: anyJson } = fc.letrec<{ value: string; object: string; array: string }>((tie) => ({
      value: fc.oneof({ depthSize: 'small' }, scalar, tie('object'), tie('array')),
      object: fc
        .array(fc.tuple(name, space, space, tie('value')), { maxLength: 3 })
        .map(
          (members) =>
            `{${members.map((parts) => `${parts[0]}${parts[1]}:${parts[2]}${parts[3]}`).join(',')}}`,
        ),
      array: fc.array(tie('value'), { maxLength: 3 }).map((elements) => `[${elements.join(',')}]`),
    }));
    fc.assert(
      fc.property(anyJson, (text) => {
        const parsed = JSON.parse(text);
        const exact = parseExact(text);
        fc.pre(exact.repeatedMembers.length > 0 || !exactEqual(exact.value, parsed));
        expect(isLosslessReading(text, parsed)).toBe(false);
      }),
      { numRuns: 2_000 },
    );
  });

  it('is true only where the exact reading is the native one', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.double(), (value, number) => {
        const text = JSON.stringify([value, number]);
        expect(isLosslessReading(text, JSON.parse(text))).toBe(true);
        expect(parseExact(text)).toEqual({ value: native(text), repeatedMembers: [] });
      }),
    );
  });
});

function outcome(read: () => unknown): unknown {
  try {
    return { value: withoutExactNumbers(read() as ExactJson) };
  } catch (error) {
    return { isSyntaxError: error instanceof SyntaxError || error instanceof JsonSyntaxError };
  }
}

function withoutExactNumbers(value: ExactJson): unknown {
  return native(stringifyExact(value));
}

function thrownBy(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  return undefined;
}
