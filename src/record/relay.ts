import type { Readable, Writable } from 'node:stream';
import { type LineEvent, LineSplitter } from '../wire/line-splitter.js';

/** Longest line that is recorded, in bytes: with every character escaped it is still a transcript line that can be read. */
export const RECORDED_LINE_LIMIT_BYTES = 32 * 1024 * 1024;

/**
 * Passes a stream on, chunk by chunk as it comes, and shows its lines to `tap` after they have been handed over. A slow
 * reader holds the writer up as if nothing stood between them; the end of either side is passed on to the other.
 * Resolves when no more will come: with `whole` when all that was said has been handed to the operating system, with
 * `cut` when either side went away before.
 */
export function relay(
  from: Readable,
  to: Writable,
  tap: (event: LineEvent) => void,
): Promise<'whole' | 'cut'> {
  const splitter = new LineSplitter({ capBytes: RECORDED_LINE_LIMIT_BYTES });
  from.on('data', (chunk: Buffer) => {
    if (!to.write(chunk)) from.pause();
    for (const event of splitter.push(chunk)) tap(event);
  });
  to.on('drain', () => from.resume());
  to.on('error', () => from.destroy());
  return new Promise((resolve) => {
    const cut = () => resolve('cut');
    from.once('end', () => {
      to.end(() => resolve('whole'));
      for (const event of splitter.end()) tap(event);
    });
    from.once('error', () => to.end(cut));
    from.once('close', () => (to.destroyed ? cut() : undefined));
    to.once('close', cut);
    if (from.destroyed) to.end(cut);
    if (to.destroyed) from.destroy();
  });
}
