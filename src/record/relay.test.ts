import { once } from 'node:events';
import { PassThrough, Writable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { relay } from './relay.js';

describe('a relay', () => {
  it('passes the very bytes on, and shows each line once, however they are chunked', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.uint8Array({ maxLength: 40 }).map(withLineFeeds), { maxLength: 30 }),
        async (chunks) => {
          const all = Buffer.concat(chunks);
          const { passed, shown } = await relayed(chunks);
          expect(passed.equals(all)).toBe(true);
          expect(shown.equals(all)).toBe(true);
        },
      ),
    );
  });

  it('hands a chunk over before it is looked at', async () => {
    const from = new PassThrough();
    const order: string[] = [];
    const to = new Writable({
      write(_chunk, _encoding, done) {
        order.push('written');
        done();
      },
    });
    const done = relay(from, to, () => order.push('seen'));
    from.end('a\nb\n');
    await done;
    expect(order).toEqual(['written', 'seen', 'seen']);
  });

  it('reads no more while the reader is slow', async () => {
    const from = new PassThrough({ highWaterMark: 1 });
    let release: () => void = () => {};
    const to = new Writable({
      highWaterMark: 1,
      write(_chunk, _encoding, done) {
        release = done;
      },
    });
    const done = relay(from, to, () => {});
    from.write('abc');
    if (!from.isPaused()) await once(from, 'pause');
    expect(from.isPaused()).toBe(true);
    from.end();
    release();
    await done;
    expect(to.writableFinished).toBe(true);
  });

  it('stops reading when nobody takes it any more', async () => {
    const [from, to] = [new PassThrough(), new PassThrough()];
    const done = relay(from, to, () => {});
    to.destroy(new Error('gone'));
    await done;
    if (!from.closed) await once(from, 'close');
    expect(from.destroyed).toBe(true);
  });
});

function withLineFeeds(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.map((byte) => (byte % 8 === 0 ? 0x0a : byte)));
}

async function relayed(chunks: readonly Buffer[]): Promise<{ passed: Buffer; shown: Buffer }> {
  const [from, to] = [new PassThrough(), new PassThrough()];
  const [passed, shown]: [Buffer[], Buffer[]] = [[], []];
  to.on('data', (chunk: Buffer) => passed.push(Buffer.from(chunk)));
  const done = relay(from, to, (event) => {
    if (event.kind === 'oversize') throw new Error('too long');
    shown.push(Buffer.from(event.bytes), Buffer.from(event.kind === 'line' ? '\n' : ''));
  });
  for (const chunk of chunks) from.write(chunk);
  from.end();
  await done;
  return { passed: Buffer.concat(passed), shown: Buffer.concat(shown) };
}
