import { describe, expect, it } from 'vitest';
import type { LiveEvent } from '../replay/exchange.js';
import { disagreement, durableStretch, hasGap } from './same-view.js';

type Members = Readonly<Record<string, unknown>>;

const event = (method: string, viewCursor: string, members: Members = {}, sourceRange: unknown = {}) =>
  ({ method, params: { sessionId: 's', viewCursor, sourceRange, ...members } }) as unknown as LiveEvent;
const passing = (method: string, viewCursor: string, members: Members = {}) =>
  ({ method, params: { sessionId: 's', viewCursor, ...members } }) as unknown as LiveEvent;

const STRETCH = { sessionId: 's', fromTurn: 't1', toTurn: 't2' };
const item = (itemId: string, revision = 1) => ({ item: { itemId, revision, turnId: 't1' } });

const TOLD = [
  event('turn/started', 'c1', { turnId: 't1' }),
  event('item/completed', 'c2', item('i1')),
  event('turn/completed', 'c3', { turnId: 't1', terminal: 'completed' }),
  event('turn/started', 'c4', { turnId: 't2' }),
  event('turn/completed', 'c5', { turnId: 't2', terminal: 'completed' }),
];
const instead = (index: number, ...others: readonly LiveEvent[]) => TOLD.toSpliced(index, 1, ...others);
const compared = (other: readonly LiveEvent[]) =>
  disagreement(durableStretch(TOLD, STRETCH), durableStretch(other, STRETCH));

describe('two connections are told the same', () => {
  it.each<[string, readonly LiveEvent[]]>([
    ['word for word', TOLD],
    ['with deltas that the other did not get', TOLD.toSpliced(1, 0, passing('item/delta', 'c1-1'))],
    ['with the opening of an item that streams', TOLD.toSpliced(1, 0, passing('item/started', 'c1-1'))],
    ['with a status in between', TOLD.toSpliced(1, 0, event('session/statusChanged', 'c1'))],
    ['with an event twice, after a second subscription', [...TOLD.slice(0, 3), ...TOLD]],
    ['with what came before', [event('session/nameChanged', 'c0'), ...TOLD]],
    ['with what came after', [...TOLD, event('session/nameChanged', 'c6')]],
    ['with what happened in another session', TOLD.toSpliced(1, 0, event('x', 'c9', { sessionId: 'r' }))],
  ])('%s', (_how, other) => {
    expect(compared(other)).toBeUndefined();
  });
});

describe('two connections are told different things', () => {
  it.each<[string, readonly LiveEvent[], RegExp]>([
    ['a cursor', instead(1, event('item/completed', 'c2b', item('i1'))), /i1 1 at the cursor c2, .* c2b/],
    ['an event', instead(1, event('item/completed', 'c2', item('i2'))), /i1 1 .* i2 1/],
    ['a revision', instead(1, event('item/completed', 'c2', item('i1', 2))), /i1 1 .* i1 2/],
    ['one too few', instead(1), /item\/completed .* second has turn\/completed t1/],
    ['one too many', instead(3, event('x', 'c3b'), ...TOLD.slice(3, 4)), /turn\/started t2 .* has x at/],
    ['another order', [...TOLD.slice(1, 2), ...TOLD.slice(0, 1), ...TOLD.slice(2)], /turn\/started/],
    ['nothing', [], /second has nothing more/],
  ])('%s', (_what, other, message) => {
    expect(compared(other)).toMatchObject({ kind: 'other', message: expect.stringMatching(message) });
  });

  it('a member of the same event, of which less is promised', () => {
    const other = instead(2, event('turn/completed', 'c3', { turnId: 't1', terminal: 'failed' }));
    expect(compared(other)).toMatchObject({
      kind: 'content',
      differences: [{ path: '/terminal', expected: 'completed', actual: 'failed' }],
    });
  });
});

it('a gap is one session’s', () => {
  const gap = {
    method: 'view/gap',
    params: { sessionId: 's', after: 'c1', next: 'c3' },
  } as unknown as LiveEvent;
  expect([hasGap([gap], 's'), hasGap([gap], 'r'), hasGap(TOLD, 's')]).toEqual([true, false, false]);
});
