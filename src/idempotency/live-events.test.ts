import { describe, expect, it } from 'vitest';
import { LiveEvents } from './live-events.js';
import { scriptedExchange } from './testing/scripted-exchange.js';
import { ViewWatch } from './view-watch.js';

const started = (viewCursor: unknown, sessionId = 's') =>
  ['turn/started', { sessionId, turnId: 't', viewCursor }] as const;

describe('a live stream that is read as a view', () => {
  it('tells an event once, however often it is delivered', () => {
    const { exchange, tell } = scriptedExchange();
    for (const event of [started('c1'), started('c1'), started('c2'), started('c1', 'other')]) tell(...event);
    expect(new LiveEvents().fresh(exchange.events).map(({ cursor }) => cursor)).toEqual(['c1', 'c2', 'c1']);
  });

  it('keeps what has no cursor, and what bears the cursor of another event', () => {
    const { exchange, tell } = scriptedExchange();
    tell('item/delta', { sessionId: 's', viewCursor: 'c1' });
    for (const event of [started('c1'), started(null), started(null)]) tell(...event);
    expect(new LiveEvents().fresh(exchange.events)).toHaveLength(4);
  });

  it('leaves the requests of the server out', () => {
    const { exchange, tell } = scriptedExchange();
    tell('approval/request', { sessionId: 's', viewCursor: 'c1' }, 7);
    expect(new LiveEvents().fresh(exchange.events)).toEqual([]);
  });
});

describe('a watch over a session that cannot be read', () => {
  it('does not take an event that it was told before for news', async () => {
    const { exchange, tell } = scriptedExchange();
    tell(...started('c1'));
    const watch = new ViewWatch(exchange, ['s']);
    await watch.effects();
    tell(...started('c1'));
    tell(...started('c2'));
    expect((await watch.effects()).map(({ cursor }) => cursor)).toEqual(['c2']);
  });
});
