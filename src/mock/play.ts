import type { Readable, Writable } from 'node:stream';
import { type LineEvent, LineSplitter } from '../wire/line-splitter.js';
import type { MockFailure } from './mock-report.js';
import type { Act, Player } from './player.js';

/** How a connection's part of the script ended; everything before has been given to the operating system. */
export type Played =
  | { readonly kind: 'failed'; readonly failure: MockFailure }
  | { readonly kind: 'control'; readonly op: 'restart' | 'crash' | 'reconnect' }
  | { readonly kind: 'complete' };

/**
 * Plays over a pair of streams until the script fails, comes to a control line, or is over. Reading goes on
 * afterwards, so that the caller sees the client's end.
 */
export function play(
  player: Player,
  streams: { readonly from: Readable; readonly to: Writable },
  lineLimitBytes: number,
): Promise<Played> {
  const splitter = new LineSplitter({ capBytes: lineLimitBytes });
  return new Promise((resolve) => {
    let isDone = false;
    const perform = (acts: readonly Act[]) => {
      let written = '';
      for (const act of acts) {
        if (isDone) return;
        if (act.kind === 'send') written += `${act.raw}\n`;
        else {
          isDone = true;
          const played: Played = act.kind === 'fail' ? { kind: 'failed', failure: act.failure } : act;
          streams.to.write(written, () => resolve(played));
          return;
        }
      }
      if (written !== '') streams.to.write(written);
    };
    const take = (event: LineEvent) => {
      if (isDone) return;
      if (event.kind === 'oversize') perform(player.tooLong(event.prefix.toString('utf8')));
      // A last line without its LF is a frame cut short, unless the client's end came just after it was whole.
      else perform(player.receive(event.bytes));
    };
    streams.to.on('error', () => {});
    streams.from.on('data', (chunk: Buffer) => splitter.push(chunk).forEach(take));
    streams.from.once('error', () => perform(player.end()));
    streams.from.once('end', () => {
      splitter.end().forEach(take);
      if (!isDone) perform(player.end());
    });
    perform(player.start());
  });
}
