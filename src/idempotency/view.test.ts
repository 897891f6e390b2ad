import { describe, expect, it } from 'vitest';
import { scriptedExchange } from './testing/scripted-exchange.js';
import type { Json, Reply } from './testing/server-state.js';
import { refusal } from './testing/server-state.js';
import { readSession, readView } from './view.js';

const event = (at: number) => ({
  method: 'turn/started',
  params: { sessionId: 's', turnId: `t${at}`, viewCursor: `c${at}` },
});
const page = (events: unknown, nextCursor: unknown): Reply => ({ result: { events, nextCursor } });
const whole = {
  history: { mode: 'inline', items: [{ kind: 'userMessage', commandId: 'c' }], snapshot: null },
};

describe('the view of a session', () => {
  it('is read page by page up to the last', async () => {
    const pages: Record<string, Reply> = {
      undefined: page([event(1), event(2)], 'c2'),
      c2: page([event(3)], null),
    };
    const { exchange, asked } = scriptedExchange({
      'view/page': ({ cursor }) => pages[String(cursor)] ?? page([], null),
    });
    const reading = await readView(exchange, 's');
    expect(reading).toMatchObject({
      kind: 'read',
      from: 'view',
      events: [{ cursor: 'c1' }, { cursor: 'c2' }, { cursor: 'c3' }],
    });
    expect(asked).toHaveLength(2);
  });

  it('is read from a cursor on, without what comes before', async () => {
    const { exchange, asked } = scriptedExchange({ 'view/page': () => page([event(3)], null) });
    await readView(exchange, 's', 'c2');
    expect(asked[0]?.params).toMatchObject({ sessionId: 's', cursor: 'c2' });
  });

  it('goes on over an empty page that has a next one', async () => {
    const pages: Record<string, Reply> = { undefined: page([], 'c1'), c1: page([event(2)], null) };
    const { exchange } = scriptedExchange({
      'view/page': ({ cursor }) => pages[String(cursor)] ?? page([], null),
    });
    expect(await readView(exchange, 's')).toMatchObject({ events: [{ cursor: 'c2' }] });
  });

  it.each([
    ['always names the same next page', () => page([event(1)], 'c1'), /circles/],
    [
      'leads from one page to another and back',
      ({ cursor }: Json) => page([event(1)], cursor === 'c1' ? 'c2' : 'c1'),
      /circles/,
    ],
    ['refuses', () => refusal(-32020, 'sessionNotFound'), /sessionNotFound/],
    ['has no events', () => ({ result: { nextCursor: null } }), /no events/],
  ])('is unreadable on a server that %s', async (_what, answer, why) => {
    const { exchange } = scriptedExchange({ 'view/page': answer as (params: Json) => Reply });
    expect(await readView(exchange, 's')).toMatchObject({
      kind: 'unreadable',
      why: expect.stringMatching(why),
    });
  });

  it('is unreadable on a connection that has ended', async () => {
    const { exchange, close } = scriptedExchange();
    close();
    await exchange.connection.closed;
    expect(await readView(exchange, 's')).toEqual({
      kind: 'unreadable',
      why: 'view/page was not answered (closed)',
    });
  });

  it('passes over entries that are no events', async () => {
    const { exchange } = scriptedExchange({
      'view/page': () => page([null, { method: 1 }, { method: 'a' }, event(1)], null),
    });
    expect(await readView(exchange, 's')).toMatchObject({ events: [{ cursor: 'c1' }] });
  });
});

describe('what happened in a session whose view cannot be paged', () => {
  it('is told by session/read, which leaves no trace', async () => {
    const { exchange, asked } = scriptedExchange({ 'session/read': () => ({ result: whole }) });
    expect(await readSession(exchange, 's')).toMatchObject({
      kind: 'read',
      from: 'history',
      events: [{ method: 'item/completed' }],
    });
    expect(asked.map(({ method }) => method)).toEqual(['view/page', 'session/read']);
    expect(asked[1]?.params).toEqual({ sessionId: 's', excludeItems: false });
  });

  it('is told by session/resume where session/read tells nothing', async () => {
    const nothing = { history: { mode: 'none', items: null, snapshot: null } };
    const answers = {
      'session/read': () => ({ result: nothing }),
      'session/resume': () => ({ result: whole }),
    };
    expect(await readSession(scriptedExchange(answers).exchange, 's')).toMatchObject({
      kind: 'read',
      from: 'history',
    });
  });

  it('is unknown where nothing tells of it, and says why', async () => {
    const reading = await readSession(scriptedExchange().exchange, 's');
    expect(reading).toEqual({
      kind: 'unreadable',
      why: 'view/page answered methodNotFound, and session/resume answered methodNotFound',
    });
  });
});
