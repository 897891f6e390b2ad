import { PassThrough } from 'node:stream';
import { finished } from 'node:stream/promises';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { StderrTail, TAIL_BYTES } from './stderr-tail.js';

async function tailOf(chunks: readonly Buffer[]): Promise<string> {
  const tail = new StderrTail();
  const stream = new PassThrough();
  tail.drain(stream);
  for (const chunk of chunks) stream.write(chunk);
  stream.end();
  await finished(stream);
  return tail.text();
}

it('keeps the end of the text, however it was cut into chunks', async () => {
  const chunk = fc.integer({ min: 1, max: 40_000 }).map((length) => Buffer.alloc(length, `${length} `));
  await fc.assert(
    fc.asyncProperty(fc.array(chunk, { maxLength: 12 }), async (chunks) => {
      expect(await tailOf(chunks)).toBe(Buffer.concat(chunks).subarray(-TAIL_BYTES).toString());
    }),
    { numRuns: 30 },
  );
});

it('does not begin within a character', async () => {
  const text = await tailOf([Buffer.from(`x${'é'.repeat(TAIL_BYTES)}`), Buffer.from('x')]);
  expect(text).toBe(`${'é'.repeat(TAIL_BYTES / 2 - 1)}x`);
});
