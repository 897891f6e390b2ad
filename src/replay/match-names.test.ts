import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Bindings } from './bindings.js';
import { differencesAt, matchContext, pathsOf } from './testing/match-context.js';
import { ack, check } from './testing/match-rows.js';

describe('minted values pair one-to-one', () => {
  check([
    ['a new id for each recorded one', 'result turn/start', ack, { ...ack, commandId: 'C', turnId: 'T' }, []],
    // Whether a turn is called by its command's id is another check's concern (turn-id-is-command-id).
    [
      'one live id for two recorded ones of two kinds',
      'result turn/start',
      ack,
      { ...ack, commandId: 'X', turnId: 'X' },
      [],
    ],
    [
      'two live ids for one recorded one of two kinds',
      'result turn/start',
      { ...ack, turnId: 'c1' },
      { ...ack, commandId: 'X', turnId: 'Y' },
      [],
    ],
    ['a number for an id', 'result turn/start', ack, { ...ack, turnId: 7 }, ['type /turnId']],
    [
      'no id where there was one',
      'event userInput/settled',
      { decidedByCommandId: 'c' },
      { decidedByCommandId: null },
      ['type /decidedByCommandId'],
    ],
    ['a cursor', 'result view/subscribe', { viewCursor: 'v:1' }, { viewCursor: 'x-9' }, []],
  ]);

  it('holds for the rest of the run', () => {
    const context = matchContext();
    const cancelled = (turnId: string) =>
      JSON.stringify({ commandId: `c-${turnId}`, status: 'accepted', turnId });
    expect(differencesAt('result turn/cancel', cancelled('t1'), cancelled('T1'), context)).toEqual([]);
    expect(differencesAt('result turn/cancel', cancelled('t1'), cancelled('T1'), context)).toEqual([]);
    expect(
      pathsOf(differencesAt('event turn/started', '{"turnId":"t1"}', '{"turnId":"T2"}', context)),
    ).toEqual(['changed /turnId']);
    expect(
      pathsOf(differencesAt('event turn/started', '{"turnId":"t2"}', '{"turnId":"T1"}', context)),
    ).toEqual(['changed /turnId']);
  });

  it('accepts any renaming of the ids, and no merging of two of them', () => {
    const ids = fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 2, maxLength: 8 });
    const acks = (names: readonly string[]) => names.map((name) => JSON.stringify({ uploadId: name }));
    fc.assert(
      fc.property(ids, ids, fc.nat(), fc.nat(), (recorded, live, from, to) => {
        const count = Math.min(recorded.length, live.length);
        const merged = live.slice(0, count);
        const isMerged = from % count !== to % count;
        merged[from % count] = merged[to % count] ?? '';
        const context = matchContext();
        const found = acks(recorded.slice(0, count)).flatMap((ack, index) =>
          differencesAt('result media/upload', ack, acks(merged)[index] ?? '', context),
        );
        expect(found.length > 0).toBe(isMerged);
      }),
      { numRuns: 60 },
    );
  });

  it('reaches into a filter that bears the name of an id', () => {
    const bindings = new Bindings();
    bindings.pair('s1', 'S1');
    const filter = (id: string) =>
      JSON.stringify({ sessions: [], nextCursor: null, appliedFilter: { sessionId: { anyOf: [id] } } });
    expect(
      differencesAt('result session/list', filter('s1'), filter('S1'), matchContext({ bindings })),
    ).toEqual([]);
    expect(
      pathsOf(differencesAt('result session/list', filter('s1'), filter('s1'), matchContext({ bindings }))),
    ).toEqual(['changed /appliedFilter/sessionId/anyOf/0']);
  });
});

describe('a position is where the server sees fit', () => {
  check([
    [
      'a page that goes on',
      'result view/page',
      { events: [], nextCursor: null },
      { events: [], nextCursor: 'n' },
      [],
    ],
    [
      'a page that ends sooner',
      'result view/page',
      { events: [], nextCursor: 'n' },
      { events: [], nextCursor: null },
      [],
    ],
    [
      'a page without the member',
      'result view/page',
      { events: [], nextCursor: null },
      { events: [] },
      ['missing /nextCursor'],
    ],
    [
      'a mode that was set already',
      'result session/setApprovalMode',
      { effectiveMode: { mode: 'allowAll', lastCommandId: 'c', source: 'approvalReconfigure' } },
      { effectiveMode: { mode: 'allowAll', lastCommandId: null, source: 'startup' } },
      [],
    ],
  ]);
});

describe('the head of a view', () => {
  it('need not be the event that was the recorded head', () => {
    const context = matchContext();
    const started = (viewCursor: string) => JSON.stringify({ turnId: 't', viewCursor });
    differencesAt('event turn/started', started('v:7'), started('x7'), context);
    expect(
      differencesAt('result session/read', '{"viewCursor":"v:7"}', '{"viewCursor":"x9"}', context),
    ).toEqual([]);
    expect(
      differencesAt('result view/subscribe', '{"viewCursor":"v:8"}', '{"viewCursor":"x9"}', context),
    ).toEqual([]);
    expect(differencesAt('event turn/started', started('v:9'), started('x9'), context)).toEqual([]);
    expect(['v:7', 'v:8', 'v:9'].map((cursor) => context.bindings.liveOf(cursor))).toEqual([
      'x7',
      'x9',
      'x9',
    ]);
  });
});

describe('the stage of an approval', () => {
  it('is remembered under the server’s own number', () => {
    const context = matchContext();
    const live = { approvalId: 'A1', sourceIndex: 3 };
    const [from, to] = [{ approvalId: 'a1', sourceIndex: 0 }, live].map((currentRequirementId) =>
      JSON.stringify({ currentRequirementId }),
    );
    expect(differencesAt('request approval/request', from ?? '', to ?? '', context)).toEqual([]);
    expect(context.bindings.stageOf('a1', 0)).toBe('3');
  });
});

describe('words of a fixed vocabulary', () => {
  it('are never taken for an id that is spelled like them', () => {
    const bindings = new Bindings();
    bindings.pair('completed', 'id-7');
    const [done, other] = ['completed', 'id-7'].map((terminal) => JSON.stringify({ terminal })) as [
      string,
      string,
    ];
    expect(differencesAt('event turn/completed', done, done, matchContext({ bindings }))).toEqual([]);
    expect(pathsOf(differencesAt('event turn/completed', done, other, matchContext({ bindings })))).toEqual([
      'changed /terminal',
    ]);
  });
});
