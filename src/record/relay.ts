import type { Readable, Writable } from 'node:stream';
import { type LineEvent, LineSplitter } from '../wire/line-splitter.js';

/** Longest line that is recorded, in bytes: with every character escaped it is still a transcript line that can be read. */
export const RECORDED_LINE_LIMIT_BYTES = 32 * 1024 * 1024;

/**
 * Passes a stream on, chunk by chunk as it comes, and shows its lines to `tap` after they have been handed over. A slow
 * reader holds the writer up as if nothing stood between them; the end of either side is passed on to the other.
 * Resolves when all has been handed to the operating system and no more will come.
 */
export function relay(from: Readable, to: Writable, tap: (event: LineEvent) => void): Promise<void> {
  const splitter = new LineSplitter({ capBytes: RECORDED_LINE_LIMIT_BYTES });
  from.on('data', (chunk: Buffer) => {
    if (!to.write(chunk)) from.pause();
    for (const event of splitter.push(chunk)) tap(event);
  });
  to.on('drain', () => from.resume());
  to.on('error', () => from.destroy());
  return new Promise((resolve) => {
    const finish = () => to.end(resolve);
    from.once('end', () => {
      finish();
      for (const event of splitter.end()) tap(event);
    });
    from.once('error', finish);
    from.once('close', () => (to.destroyed ? resolve() : undefined));
    to.once('close', resolve);
  });
}
