import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeFrame } from '../wire/decode.js';
import type { LiveEvent } from './exchange.js';
import { UnusedEvents } from './unused-events.js';

describe('UnusedEvents', () => {
  it('finds the first event of a method that is not used, while events come and are used', () => {
    const act = fc.oneof(
      fc.record({ comes: fc.constantFrom('a', 'b') }),
      fc.record({ uses: fc.nat(20) }),
      fc.record({ asks: fc.constantFrom('a', 'b', 'c') }),
    );
    fc.assert(
      fc.property(fc.nat(3), fc.array(act, { maxLength: 60 }), (from, acts) => {
        const events: LiveEvent[] = [];
        const used = new Set<LiveEvent>();
        const unused = new UnusedEvents(events, from, (event) => used.has(event));
        for (const each of acts) {
          if ('comes' in each) events.push(eventOf(each.comes));
          else if ('uses' in each)
            for (const event of events.slice(each.uses, each.uses + 1)) used.add(event);
          else {
            const found = events.findIndex(
              (event, index) => index >= from && event.method === each.asks && !used.has(event),
            );
            expect(unused.first(each.asks)).toBe(found === -1 ? Math.max(from, events.length) : found);
          }
        }
      }),
    );
  });
});

function eventOf(method: string): LiveEvent {
  const frame = decodeFrame(JSON.stringify({ jsonrpc: '2.0', method, params: {} }));
  return { frame, method, params: {}, atMs: 0 };
}
