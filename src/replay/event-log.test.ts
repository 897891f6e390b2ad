import { describe, expect, it } from 'vitest';
import { decodeFrame } from '../wire/decode.js';
import { EventLog, FloodError } from './event-log.js';

const event = (method: string, more: { requestId?: number; raw?: string } = {}) => ({
  frame: decodeFrame(more.raw ?? '{}'),
  method,
  params: {},
  atMs: 0,
  ...(more.requestId !== undefined && { requestId: more.requestId }),
});

describe('the events of a connection', () => {
  it('are those that somebody may ask for, in arrival order', () => {
    const log = new EventLog((method) => method === 'turn/started');
    for (const method of ['turn/started', 'hostile/notice', 'turn/started']) log.add(event(method));
    log.add(event('hostile/ask', { requestId: 1 }));
    expect(log.all.map(({ method }) => method)).toEqual(['turn/started', 'turn/started', 'hostile/ask']);
  });

  it('are never dropped in silence: past the bound, in number or in characters, there is an error', () => {
    const many = new EventLog(() => true);
    const large = new EventLog(() => true);
    const raw = JSON.stringify('x'.repeat(8 * 1024 * 1024));
    expect(() => {
      for (let count = 0; count < 200_000; count += 1) many.add(event('item/delta'));
    }).toThrow(FloodError);
    expect(() => {
      for (let count = 0; count < 20; count += 1) large.add(event('item/delta', { raw }));
    }).toThrow(/item\/delta/);
    expect(many.all.length).toBeLessThan(200_000);
    expect(large.all.length).toBeLessThan(20);
  });

  it('of other methods may come without end', () => {
    const log = new EventLog(() => false);
    for (let count = 0; count < 200_000; count += 1) log.add(event('hostile/notice'));
    expect(log.all).toEqual([]);
  });
});
