import { v7 } from 'uuid';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from './json.js';
import { type TestHost, withHost } from './test-host.js';
import { View } from './view.js';

async function talked(on: TestHost, ...texts: string[]): Promise<string> {
  await on.client.initialize();
  const sessionId = await on.client.startSession();
  for (const text of texts) await on.client.run(sessionId, text);
  return sessionId;
}

const cursorsOf = (events: unknown) =>
  (events as { params: JsonObject }[]).map(({ params }) => params['viewCursor']);

describe('view/page', () => {
  it.each(['forward', 'backward'] as const)(
    'reads the whole view %s, in ascending pages that leave their anchor out',
    (direction) =>
      withHost({}, async (on) => {
        const sessionId = await talked(on, 'one', 'two', '#todo', 'three');
        const whole = cursorsOf(await on.client.page(sessionId));
        const pages: unknown[][] = [];
        let cursor: unknown;
        do {
          const params = { sessionId, limit: 3, direction, ...(cursor !== undefined && { cursor }) };
          const page = await on.client.result('view/page', params);
          pages.push(cursorsOf(page['events']));
          cursor = page['nextCursor'];
        } while (cursor !== null);
        expect((direction === 'forward' ? pages : pages.reverse()).flat()).toEqual(whole);
      }),
  );

  it('serves fewer events than asked for when a frame does not hold them', () =>
    withHost({ frameLimitBytes: 10_000 }, async (on) => {
      const sessionId = await talked(on, ...Array.from({ length: 20 }, (_, index) => `turn ${index}`));
      const { events, nextCursor } = await on.client.result('view/page', { sessionId, limit: 1000 });
      expect((events as unknown[]).length).toBeLessThan(20);
      expect(nextCursor).not.toBeNull();
    }));

  it('says where it is blocked by an event that no frame holds', () =>
    withHost({ frameLimitBytes: 10_000 }, async (on) => {
      const sessionId = await talked(on, 'x'.repeat(4000));
      const error = await on.client.refusal('view/page', {
        sessionId,
        limit: 10,
        cursor: `v:${sessionId}:1`,
      });
      expect(error).toMatchObject({
        code: -32603,
        data: { kind: 'pageEventTooLarge', viewCursor: `v:${sessionId}:2` },
      });
    }));

  it.each([
    ['of another session', (sessionId: string) => `v:${sessionId.replace('0', '1')}:1`],
    ['beyond the head', (sessionId: string) => `v:${sessionId}:99`],
    ['that is none', () => 'nonsense'],
    ['with leading zeros', (sessionId: string) => `v:${sessionId}:01`],
  ])('knows no cursor %s', (_, cursorOf) =>
    withHost({}, async (on) => {
      const sessionId = await talked(on, 'one');
      const cursor = cursorOf(sessionId);
      const commandId = v7();
      for (const [method, params] of [
        ['view/page', { sessionId, limit: 1, cursor }],
        ['view/subscribe', { sessionId, after: cursor }],
        ['session/resume', { sessionId, commandId, cursor }],
      ] as const) {
        const error = await on.client.refusal(method, params);
        expect(error).toMatchObject({ code: -32011, data: { kind: 'notFound', reason: 'missingAnchor' } });
      }
      await on.client.result('session/resume', { sessionId, commandId });
    }),
  );

  it('starts at the latest compaction, if there is one', () =>
    withHost({}, async (on) => {
      const sessionId = await talked(
        on,
        'enough words to be worth a compaction of this session, one would hope',
      );
      const anchored = { sessionId, limit: 1, anchor: 'latestCompaction' };
      expect(await on.client.refusal('view/page', anchored)).toMatchObject({
        code: -32042,
        data: { kind: 'noBoundary', anchor: null },
      });
      expect(await on.client.result('session/compact', { sessionId, commandId: v7() })).toMatchObject({
        status: 'accepted',
      });
      expect(await on.client.result('session/compact', { sessionId, commandId: v7() })).toMatchObject({
        status: 'noop',
      });
      const { events, resolvedAnchor } = await on.client.result('view/page', anchored);
      expect(events).toMatchObject([{ params: { item: { kind: 'compaction', outcome: 'compacted' } } }]);
      expect(resolvedAnchor).toEqual({ boundaryCursor: cursorsOf(events)[0] });
      expect(await on.client.refusal('view/page', { ...anchored, cursor: 'v:x:1' })).toMatchObject({
        code: -32602,
      });
    }));
});

describe('view/subscribe', () => {
  it('sends the suffix again before anything new, deltas of open messages included', () =>
    withHost({}, async (on) => {
      const sessionId = await talked(on);
      await on.client.submit(sessionId, '#slow');
      await on.client.event('item/delta', { delta: '3 ' });
      const late = on.connect();
      await late.initialize();
      await late.result('view/subscribe', { sessionId, after: `v:${sessionId}:0` });
      await Promise.all([on.client, late].map((client) => client.event('turn/completed')));
      const seen = (client: typeof late) =>
        client.frames
          .filter(({ method }) => String(method).match(/^(turn|item)/))
          .map(({ method, params }) => ({ method, params }));
      expect(seen(late)).toEqual(seen(on.client));
    }));

  it('starts from now when nothing else is asked, and ends with unsubscribe', () =>
    withHost({}, async (on) => {
      const sessionId = await talked(on, 'before');
      const late = on.connect();
      await late.initialize();
      const { viewCursor } = await late.result('view/subscribe', { sessionId });
      expect(viewCursor).toBe(`v:${sessionId}:${on.host.sessions.get(sessionId)?.view.head}`);
      await on.client.run(sessionId, 'during');
      expect(await late.result('view/unsubscribe', { sessionId })).toEqual({});
      expect(await late.result('view/unsubscribe', { sessionId })).toEqual({});
      await on.client.run(sessionId, 'after');
      expect(late.events('turn/completed')).toHaveLength(1);
    }));
});

describe('a slow client', () => {
  it('misses events, is told between which cursors, and finds them on the page', () =>
    withHost({ backlogLimitBytes: 1000 }, async (on) => {
      const sessionId = await talked(on);
      await on.client.run(sessionId, 'first');
      const last = on.client.events('turn/completed').at(-1)?.['viewCursor'];
      on.client.backlogBytes = 1001;
      expect(await on.client.submit(sessionId, 'second')).toMatchObject({ status: 'accepted' });
      await on.client.result('view/page', { sessionId, limit: 1 });
      expect(on.client.events('turn/completed')).toHaveLength(1);
      on.client.backlogBytes = 0;
      await on.client.run(sessionId, 'third');
      const next = on.client.events('turn/started').at(-1)?.['viewCursor'];
      expect(on.client.events('view/gap')).toEqual([{ sessionId, after: last, next }]);
      const events = await on.client.page(sessionId);
      expect(events.filter(({ method }) => method === 'turn/completed')).toHaveLength(3);
    }));

  it('gets settlements all the same', () =>
    withHost({ backlogLimitBytes: 1000 }, async (on) => {
      const sessionId = await talked(on);
      await on.client.submit(sessionId, '#question');
      const { userInputId } = await on.client.event('userInput/requested');
      on.client.backlogBytes = 1001;
      await on.client.result('userInput/cancel', { sessionId, commandId: v7(), userInputId });
      expect(await on.client.event('userInput/settled')).toMatchObject({ outcome: 'cancelled' });
    }));
});

describe('history', () => {
  const resume = async (on: TestHost, sessionId: string, members: JsonObject) =>
    (await on.client.result('session/resume', { sessionId, commandId: v7(), ...members }))[
      'history'
    ] as JsonObject;

  it('is served in the form that was asked for, and says why there is none', () =>
    withHost({}, async (on) => {
      const sessionId = await talked(on, 'one', '#output');
      expect(await resume(on, sessionId, {})).toMatchObject({ mode: 'inline', snapshot: null });
      expect(await resume(on, sessionId, { history: 'snapshot' })).toMatchObject({
        mode: 'snapshot',
        items: null,
      });
      expect(await resume(on, sessionId, { history: 'anchored' })).toMatchObject({ mode: 'inline' });
      expect(await resume(on, sessionId, { excludeItems: true })).toMatchObject({
        mode: 'none',
        noneReason: 'excluded',
      });
      const cursor = `v:${sessionId}:1`;
      expect(await resume(on, sessionId, { cursor })).toMatchObject({
        mode: 'none',
        noneReason: 'cursorSuffix',
      });
    }));

  it('shrinks until it fits: stored output goes first', () =>
    withHost({ frameLimitBytes: 90_000 }, async (on) => {
      const sessionId = await talked(on, '#output');
      const inline = await resume(on, sessionId, { history: 'inline' });
      expect(inline).toMatchObject({ mode: 'inline' });
      await on.client.run(sessionId, '#output');
      const elided = await resume(on, sessionId, {});
      expect(elided).toMatchObject({ mode: 'snapshot' });
      const { items } = (elided['snapshot'] as { state: { items: JsonObject[] } }).state;
      expect(items.filter(({ outputRef }) => outputRef).every((item) => !('visibleOutput' in item))).toBe(
        true,
      );
      await on.client.run(sessionId, 'x'.repeat(40_000));
      await on.client.run(sessionId, 'x'.repeat(40_000));
      expect(await resume(on, sessionId, {})).toMatchObject({ mode: 'none', noneReason: 'historyBudget' });
    }));
});

describe('View', () => {
  const event = (position: number) => ({ position, method: 'm', params: {}, isDurable: true });

  it('forgets its beginning when it may not keep everything, and says so', () => {
    const view = new View('s', 10);
    for (let position = 1; position <= 11; position += 1) view.add(event(position));
    expect(view.durable(3).map(({ position }) => position)).toEqual([4, 5, 6, 7, 8, 9, 10, 11]);
    expect(() => view.position('v:s:2')).toThrow(
      expect.objectContaining({
        kind: 'viewTruncated',
        members: { sessionId: 's', earliestCursor: 'v:s:3' },
      }),
    );
    expect(view.position('v:s:3')).toBe(3);
  });
});
