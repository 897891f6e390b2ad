import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type LineEvent, LineSplitter, OVERSIZE_PREFIX_BYTES } from './line-splitter.js';

function split(chunks: readonly Uint8Array[], capBytes: number): LineEvent[] {
  const splitter = new LineSplitter({ capBytes });
  // Copied at once: an event may share memory with its chunk.
  const events = chunks.flatMap((chunk) => structuredClone(splitter.push(chunk)));
  return [...events, ...structuredClone(splitter.end())] as LineEvent[];
}

function summary(events: readonly LineEvent[]): string[] {
  return events.map((event) =>
    event.kind === 'oversize'
      ? `oversize ${Buffer.from(event.prefix)} ${event.length}`
      : `${event.kind} ${Buffer.from(event.bytes)}`,
  );
}

function cut(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const ends = [...places.map((place) => place % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
  return ends.map((end, index) => bytes.slice(index === 0 ? 0 : ends[index - 1], end));
}

describe('LineSplitter', () => {
  it.each([
    ['', []],
    ['a\nb\n', ['line a', 'line b']],
    ['a\r\n\n\nb', ['line a\r', 'line ', 'line ', 'unterminated b']],
    ['12345\n', ['line 12345']],
    ['123456\nnext\n', ['oversize 123456 6', 'line next']],
    ['12345678901234567890', ['oversize 123456 6']],
    ['1234567\n1234567\n', ['oversize 123456 6', 'oversize 123456 6']],
    ['a\u2028b\n', ['line a\u2028b']],
  ])('cuts %j at LF alone, with a cap of five bytes', (text, events) => {
    expect(summary(split([Buffer.from(text)], 5))).toEqual(events);
  });

  it('gives the same events however the bytes are chunked', () => {
    const bytes = fc.array(fc.constantFrom(0x0a, 0x0d, 0x61, 0x62), { maxLength: 60 });
    const places = fc.array(fc.nat(60), { maxLength: 20 });
    fc.assert(
      fc.property(bytes, places, fc.integer({ min: 1, max: 12 }), (content, cuts, capBytes) => {
        const whole = Uint8Array.from(content);
        const byteByByte = Array.from(whole, (byte) => Uint8Array.of(byte));
        const expected = summary(split([whole], capBytes));
        expect(summary(split(cut(whole, cuts), capBytes))).toEqual(expected);
        expect(summary(split(byteByByte, capBytes))).toEqual(expected);
      }),
    );
  });

  it('reports an oversize line before its end has come, with the beginning of it', () => {
    const splitter = new LineSplitter({ capBytes: 10_000 });
    expect(splitter.push(Buffer.alloc(10_000, 'x'))).toEqual([]);
    const [event] = splitter.push(Buffer.from('y'));
    expect(event).toEqual({
      kind: 'oversize',
      prefix: Buffer.alloc(OVERSIZE_PREFIX_BYTES, 'x'),
      length: 10_001,
    });
  });

  it('holds a bounded part of a line without an end', () => {
    const splitter = new LineSplitter({ capBytes: 1024 * 1024 });
    const chunk = Buffer.alloc(1024 * 1024, 'x');
    const before = process.memoryUsage().arrayBuffers;
    for (let pushed = 0; pushed < 1024; pushed += 1) {
      splitter.push(chunk);
    }
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(16 * 1024 * 1024);
    expect(splitter.push(Buffer.from('end\nnext\n'))).toEqual([{ kind: 'line', bytes: Buffer.from('next') }]);
  });

  it('takes a long line byte by byte', () => {
    const splitter = new LineSplitter({ capBytes: 2_000_000 });
    for (let pushed = 0; pushed < 200_000; pushed += 1) {
      splitter.push(Buffer.from('x'));
    }
    const [event] = splitter.push(Buffer.from('\n'));
    expect(event).toHaveProperty('bytes.length', 200_000);
  });
});
