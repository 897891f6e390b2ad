import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeFrame, decodeServerFrame } from './decode.js';
import { firstInvalidUtf8 } from './utf8.js';

describe('decodeFrame recognises the four shapes', () => {
  it.each([
    [
      '{"jsonrpc":"2.0","id":1,"method":"m","params":{"a":1}}',
      { kind: 'request', id: 1, method: 'm', params: { a: 1 } },
    ],
    ['{"jsonrpc":"2.0","id":"1","method":"m"}', { kind: 'request', id: '1', method: 'm' }],
    ['{"jsonrpc":"2.0","id":"","method":""}', { kind: 'request', id: '', method: '' }],
    [
      '{"jsonrpc":"2.0","method":"m","params":{},"emittedAtMs":5}',
      { kind: 'notification', method: 'm', params: {} },
    ],
    ['{"jsonrpc":"2.0","id":-7,"result":{}}', { kind: 'success', id: -7, result: {} }],
    ['{"jsonrpc":"2.0","id":1.0,"result":{}}', { kind: 'success', id: 1, result: {} }],
    ['{"jsonrpc":"2.0","id":1e21,"result":{}}', { kind: 'success', id: 1e21, result: {} }],
    ['{"jsonrpc":"2.0","id":1,"result":null}', { kind: 'success', id: 1, result: null }],
    ['{"jsonrpc":"2.0","id":1,"error":{"code":1}}', { kind: 'error', id: 1, error: { code: 1 } }],
    ['{"jsonrpc":"2.0","id":null,"error":{}}', { kind: 'error', id: null, error: {} }],
    ['{"jsonrpc":"2.0","method":"m"}\r', { kind: 'notification', method: 'm' }],
    ['{"jsonrpc":"2.0","method":"m","future":[]}', { kind: 'notification', method: 'm' }],
  ])('%j', (raw, message) => {
    expect(decodeFrame(raw).message).toEqual(message);
    expect(decodeFrame(Buffer.from(raw)).message).toEqual(message);
  });
});

describe('decodeFrame says what is wrong with any other line', () => {
  it.each([
    ['', 'not JSON: the line is empty'],
    ['\r', 'not JSON: the line is empty'],
    ['Usage: server [options]', 'not JSON: expected a JSON value, found "U" at offset 0'],
    ['\ufeff{}', 'not JSON: the line begins with a byte-order mark'],
    ['{"a":1}{"b":2}', 'not JSON: expected the end of the text, found "{" at offset 7'],
    ['\u0000', 'not JSON: expected a JSON value, found U+0000 at offset 0'],
    ['[]', 'expected a JSON object, found an array'],
    ['null', 'expected a JSON object, found null'],
    ['7', 'expected a JSON object, found a number'],
    ['{}', '"jsonrpc": "2.0" is missing'],
    ['{"jsonrpc":2.0,"method":"m"}', '"jsonrpc" must be the string "2.0", found 2'],
    ['{"jsonrpc":"2.0"}', 'a frame must have "method", "result" or "error", found none of them'],
    ['{"jsonrpc":"2.0","id":1}', 'a frame must have "method", "result" or "error", found none of them'],
    ['{"jsonrpc":"2.0","id":1,"method":5}', '"method" must be a string, found 5'],
    ['{"jsonrpc":"2.0","id":1,"method":"m","result":{}}', 'a frame with "method" must not have "result"'],
    ['{"jsonrpc":"2.0","method":"m","params":null}', '"params" must be an object, found null'],
    ['{"jsonrpc":"2.0","method":"m","params":[1]}', '"params" must be an object, found an array'],
    ['{"jsonrpc":"2.0","id":null,"method":"m"}', 'the id of a request must not be null'],
    ['{"jsonrpc":"2.0","id":1.5,"method":"m"}', '"id" must be a string or an integer, found 1.5'],
    ['{"jsonrpc":"2.0","id":true,"method":"m"}', '"id" must be a string or an integer, found true'],
    ['{"jsonrpc":"2.0","id":[1],"result":{}}', '"id" must be a string or an integer, found an array'],
    [
      '{"jsonrpc":"2.0","id":9007199254740993,"result":{}}',
      '"id" 9007199254740993 is not an integer that a double holds exactly, so no answer can be matched to it',
    ],
    [
      '{"jsonrpc":"2.0","id":1e400,"result":{}}',
      '"id" 1e400 is not an integer that a double holds exactly, so no answer can be matched to it',
    ],
    [
      '{"jsonrpc":"2.0","id":1,"result":{},"error":{}}',
      'a response must have either "result" or "error", found both',
    ],
    ['{"jsonrpc":"2.0","result":{}}', 'a frame with "result" must have an "id"'],
    ['{"jsonrpc":"2.0","error":{}}', 'a frame with "error" must have an "id"'],
    ['{"jsonrpc":"2.0","id":null,"result":{}}', 'the id of a success response must not be null'],
    ['{"__proto__":{"jsonrpc":"2.0","method":"m"}}', '"jsonrpc": "2.0" is missing'],
  ])('%j: %s', (raw, problem) => {
    expect(decodeFrame(raw).message).toMatchObject({ kind: 'invalid', problem });
  });

  it('keeps the id where one could be read', () => {
    expect(decodeFrame('{"id":4}').message).toHaveProperty('id', 4);
    expect(decodeFrame('{"a":4}').message).not.toHaveProperty('id');
  });

  it('whatever the bytes, without throwing', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        const frame = decodeFrame(bytes);
        expect(frame.exact === undefined).toBe(frame.value === undefined);
      }),
    );
  });

  it('nested too deeply for a call stack', () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const frame = decodeFrame(`{"jsonrpc":"2.0","id":1,"result":{"deep":${deep},"deep":0}}`);
    expect(frame.message.kind).toBe('success');
    expect(frame.exact?.repeatedMembers).toEqual(['/result/deep']);
  });
});

describe('the exact reading of a frame', () => {
  it('is the native one when nothing was lost, and is made once', () => {
    const frame = decodeFrame('{"a":[1,"x"]}');
    expect(frame.exact?.value).toBe(frame.value);
    expect(decodeFrame('{"a": 1}').exact).toEqual({ value: { a: 1 }, repeatedMembers: [] });
    const lossy = decodeFrame('{"a":9007199254740993,"a":1}');
    expect(lossy.exact).toBe(lossy.exact);
    expect(lossy.exact?.repeatedMembers).toEqual(['/a']);
  });
});

describe('invalid UTF-8 is found at its first bad byte', () => {
  it.each([
    ['overlong solidus', [0x22, 0xc0, 0xaf, 0x22], 1],
    ['overlong three bytes', [0xe0, 0x80, 0xaf], 0],
    ['surrogate', [0x61, 0xed, 0xa0, 0x80], 1],
    ['beyond U+10FFFF', [0xf4, 0x90, 0x80, 0x80], 0],
    ['lone continuation byte', [0x61, 0x62, 0x80], 2],
    ['cut short', [0x61, 0xe2, 0x82], 1],
    ['five-byte lead', [0xf8, 0x88, 0x80, 0x80, 0x80], 0],
    ['after valid text', [...Buffer.from('aé€😀'), 0xff], 10],
  ])('%s', (_name, bytes, offset) => {
    expect(decodeFrame(Buffer.from(bytes)).invalidUtf8At).toBe(offset);
  });

  it('and never in valid text, which is kept as it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const frame = decodeFrame(Buffer.from(text));
        expect(frame.raw).toBe(text);
        expect(frame).not.toHaveProperty('invalidUtf8At');
      }),
    );
  });

  it('by the same judgement as the platform', () => {
    const strict = new TextDecoder('utf-8', { fatal: true });
    const byte = fc.oneof(fc.nat(255), fc.constantFrom(0x80, 0xbf, 0xc2, 0xe0, 0xed, 0xf0, 0xf4));
    fc.assert(
      fc.property(fc.array(byte, { maxLength: 8 }), (bytes) => {
        const offset = firstInvalidUtf8(Uint8Array.from(bytes));
        const valid = offset === -1 ? bytes : bytes.slice(0, offset);
        expect(() => strict.decode(Uint8Array.from(valid))).not.toThrow();
        if (offset !== -1) {
          expect(() => strict.decode(Uint8Array.from(bytes))).toThrow();
        }
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('decodeServerFrame', () => {
  const answer = '{"jsonrpc":"2.0","id":1,"result":{"n":9007199254740993}}';

  it('reads past a byte-order mark, and keeps it in raw', () => {
    const frame = decodeServerFrame(Buffer.from(`\ufeff${answer}`));
    expect(frame.raw).toBe(`\ufeff${answer}`);
    expect(frame.message).toMatchObject({ kind: 'success', id: 1 });
    expect(frame.exact).toEqual(decodeFrame(answer).exact);
  });

  it.each(['{}', answer, 'x', '\ufeffx', '\ufeff', ''])('reads %j as decodeFrame does', (raw) => {
    expect(decodeServerFrame(raw).message.kind).toBe(decodeFrame(raw).message.kind);
  });
});
