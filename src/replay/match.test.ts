import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Bindings } from './bindings.js';
import type { MatchContext } from './match.js';
import { differencesAt, matchContext, type Place, pathsOf } from './testing/match-context.js';

/** The rule, where the values stand, the recorded one, the live one, and how they differ. */
type Row = readonly [
  rule: string,
  place: Place,
  recorded: unknown,
  live: unknown,
  differences: readonly string[],
];

const sent = (...texts: string[]): Partial<MatchContext> => ({ sent: new Set(texts) });

function check(rows: readonly Row[], context: () => Partial<MatchContext> = () => ({})): void {
  it.each(rows.map((row) => [...row] as const))('%s (%s)', (_rule, place, recorded, live, differences) => {
    const [from, to] = [recorded, live].map((value) => JSON.stringify(value)) as [string, string];
    expect(pathsOf(differencesAt(place, from, to, matchContext(context())))).toEqual(differences);
  });
}

const ack = {
  commandId: 'c1',
  status: 'accepted',
  turnId: 't1',
  startedNewTurn: true,
  disposition: 'started',
};
const requirement = { approvalId: 'a1', sourceIndex: 0 };
const session = {
  sessionId: 's1',
  status: 'idle',
  turnCount: 0,
  path: '/sessions/1',
  createdAt: '2026-01-01T00:00:00Z',
  updatedAt: '2026-01-01T00:00:00Z',
  workspaceRoot: null,
  providerId: 'p',
  modelId: 'm',
  forkedFrom: null,
  activeTurnId: null,
};

describe('what is compared for equality', () => {
  check([
    ['the same ack', 'result turn/start', ack, ack, []],
    [
      'another member order',
      'result turn/cancel',
      { commandId: 'c', status: 'accepted', turnId: 't' },
      { turnId: 't', status: 'accepted', commandId: 'c' },
      [],
    ],
    [
      'another disposition',
      'result turn/start',
      ack,
      { ...ack, disposition: 'queued' },
      ['changed /disposition'],
    ],
    [
      'another boolean',
      'result turn/start',
      ack,
      { ...ack, startedNewTurn: false },
      ['changed /startedNewTurn'],
    ],
    ['another type', 'result turn/start', ack, { ...ack, startedNewTurn: 'true' }, ['type /startedNewTurn']],
    [
      'another terminal',
      'event turn/completed',
      { terminal: 'completed' },
      { terminal: 'failed' },
      ['changed /terminal'],
    ],
    [
      'another goal',
      'event session/goalChanged',
      { goal: { objective: 'a' } },
      { goal: { objective: 'b' } },
      ['changed /goal/objective'],
    ],
    [
      'another receipt of a settled prompt',
      'event userInput/settled',
      { answers: [{ questionId: 'q', freeText: 'yes' }] },
      { answers: [] },
      ['missing /answers/0'],
    ],
    ['a list where an object was', 'result session/start', { session }, { session: [] }, ['type /session']],
    ['a null where an object was', 'result session/start', { session }, { session: null }, ['type /session']],
  ]);
});

describe('numbers are compared by their exact decimal value', () => {
  const limit = (text: string) =>
    `{"code":-32002,"message":"","data":{"kind":"inputTooLarge","limitBytes":${text}}}`;
  it.each([
    ['9007199254740993', '9007199254740993', []],
    ['9007199254740993', '9007199254740992', ['changed /data/limitBytes']],
    ['1', '1.0', []],
    ['1', '1e0', []],
    ['1', '1.0000000000000000001', ['changed /data/limitBytes']],
    ['1', '"1"', ['type /data/limitBytes']],
  ])('%s and %s', (recorded, live, differences) => {
    expect(pathsOf(differencesAt('error', limit(recorded), limit(live)))).toEqual(differences);
  });
});

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

describe('volatile values agree in type', () => {
  check([
    [
      'another time',
      'result session/start',
      { session },
      { session: { ...session, createdAt: '2030-05-05T00:00:00+00:00' } },
      [],
    ],
    [
      'a number for a time',
      'result session/start',
      { session },
      { session: { ...session, createdAt: 17 } },
      ['type /session/createdAt'],
    ],
    ['another path', 'result session/start', { session }, { session: { ...session, path: '' } }, []],
    [
      'a canonical workspace root',
      'result session/start',
      { session: { ...session, workspaceRoot: '/w' } },
      { session: { ...session, workspaceRoot: '/private/w' } },
      [],
    ],
    [
      'no workspace root',
      'result session/start',
      { session: { ...session, workspaceRoot: '/w' } },
      { session },
      [],
    ],
    [
      'other duration',
      'event turn/completed',
      { terminal: 'completed', durationMs: 5 },
      { terminal: 'completed', durationMs: 90000 },
      [],
    ],
  ]);
});

describe('what is the server’s own passes', () => {
  check([
    [
      'wording of an error',
      'error',
      { code: -32602, message: 'no', data: { kind: 'invalidParams' } },
      { code: -32602, message: 'nope', data: { kind: 'invalidParams' } },
      [],
    ],
    [
      'provenance of an event',
      'event turn/started',
      { turnId: 't', sourceRange: { stream: { kind: 'run' } } },
      { turnId: 't', sourceRange: {} },
      [],
    ],
    [
      'history',
      'result session/resume',
      { history: { mode: 'inline', items: [], snapshot: null } },
      { history: { mode: 'none', noneReason: 'excluded', items: null, snapshot: null } },
      [],
    ],
    [
      'what an approval is about',
      'request approval/request',
      { subject: { kind: 'shell' }, toolName: 'bash' },
      { subject: { kind: 'fileAccess' }, toolName: 'write' },
      [],
    ],
    [
      'a setting that already was',
      'result session/setApprovalMode',
      { applyOutcome: 'completed' },
      { applyOutcome: 'noop' },
      [],
    ],
    [
      'the default mode',
      'result session/start',
      { session: { approvalMode: { mode: 'allowAll', source: 'startup', lastCommandId: null } } },
      { session: { approvalMode: { mode: 'onRequest', source: 'startup', lastCommandId: null } } },
      [],
    ],
    [
      'a mode that a command has set',
      'result session/read',
      { session: { approvalMode: { mode: 'allowAll', source: 'approvalReconfigure', lastCommandId: 'c' } } },
      { session: { approvalMode: { mode: 'onRequest', source: 'approvalReconfigure', lastCommandId: 'c' } } },
      ['changed /session/approvalMode/mode'],
    ],
    [
      'experiments that stay shut',
      'result initialize',
      { experimentalApi: true },
      { experimentalApi: false },
      [],
    ],
    [
      'experiments that open unasked',
      'result initialize',
      { experimentalApi: false },
      { experimentalApi: true },
      ['changed /experimentalApi'],
    ],
  ]);
});

describe('an echo is owed only of what the client has sent', () => {
  const item = (text: string, kind = 'userMessage') => ({
    item: { itemId: 'i', kind, status: 'completed', revision: 1, text },
  });
  check(
    [
      ['the sent text', 'event item/completed', item('hello'), item('hello'), []],
      [
        'the sent text, changed',
        'event item/completed',
        item('hello'),
        item('Hello'),
        ['changed /item/text'],
      ],
      ['a text of the server’s', 'event item/completed', item('joined parts'), item('joined, parts'), []],
      [
        'the agent’s words',
        'event item/completed',
        item('hello', 'agentMessage'),
        item('hi', 'agentMessage'),
        [],
      ],
      ['the sent name', 'event session/nameChanged', { name: 'hello' }, { name: 'other' }, ['changed /name']],
      ['a name of the server’s', 'event session/nameChanged', { name: 'Auto' }, { name: 'other' }, []],
    ],
    () => sent('hello'),
  );

  it('of the agent, too, in a turn that is to repeat its input', () => {
    const said = (text: string) => JSON.stringify({ item: { kind: 'agentMessage', turnId: 't', text } });
    const context = () => matchContext({ isEchoTurn: (turnId) => turnId === 't' });
    expect(differencesAt('event item/completed', said('hi'), said('hi'), context())).toEqual([]);
    expect(pathsOf(differencesAt('event item/completed', said('hi'), said('ho'), context()))).toEqual([
      'changed /item/text',
    ]);
  });
});

describe('missing and additional members', () => {
  const error = (data?: unknown) => ({ code: -32030, message: '', ...(data !== undefined && { data }) });
  check([
    [
      'a required member',
      'result turn/start',
      ack,
      { ...ack, disposition: undefined },
      ['missing /disposition'],
    ],
    [
      'an optional member',
      'event turn/completed',
      { terminal: 'completed', durationMs: 1 },
      { terminal: 'completed' },
      [],
    ],
    ['a member that no definition knows', 'result turn/start', { ...ack, x: 1 }, ack, []],
    ['an additional member', 'result turn/start', ack, { ...ack, x_vendor: 1 }, []],
    [
      'the error of a failed turn',
      'event turn/completed',
      { terminal: 'failed', error: { kind: 'modelError' } },
      { terminal: 'failed' },
      ['missing /error'],
    ],
    [
      'another error of a failed turn',
      'event turn/completed',
      { terminal: 'failed', error: { kind: 'modelError' } },
      { terminal: 'failed', error: { kind: 'environmentError' } },
      [],
    ],
    ['an error’s data', 'error', error({ kind: 'commandRejected', reason: 'x' }), error(), ['missing /data']],
    [
      'a rejection’s reason',
      'error',
      error({ kind: 'commandRejected', reason: 'missing_goal' }),
      error({ kind: 'commandRejected' }),
      ['missing /data/reason'],
    ],
    [
      'a reason that no document asks for',
      'error',
      error({ kind: 'invalidParams', reason: 'bad' }),
      error({ kind: 'invalidParams' }),
      [],
    ],
    [
      'the needed capability',
      'error',
      error({ kind: 'capabilityRequired', capability: 'userShell' }),
      error({ kind: 'capabilityRequired' }),
      ['missing /data/capability'],
    ],
    ['the goal', 'event session/goalChanged', { goal: { objective: 'a' } }, {}, ['missing /goal']],
    ['no goal, said with null', 'event session/goalChanged', {}, { goal: null }, []],
    ['no goal, said by leaving it out', 'event session/goalChanged', { goal: null }, {}, []],
    [
      'a goal where there is none',
      'event session/goalChanged',
      {},
      { goal: { objective: 'a' } },
      ['extra /goal'],
    ],
    [
      'a goal where null was',
      'event session/goalChanged',
      { goal: null },
      { goal: { objective: 'a' } },
      ['type /goal'],
    ],
  ]);
});

describe('errors agree in code, kind and documented reason', () => {
  const rejected = (reason: string) => ({
    code: -32030,
    message: 'm',
    data: { kind: 'commandRejected', reason },
  });
  check([
    ['another code', 'error', rejected('x'), { ...rejected('x'), code: -32602 }, ['changed /code']],
    [
      'another kind',
      'error',
      rejected('x'),
      { code: -32030, message: '', data: { kind: 'internal', reason: 'x' } },
      ['changed /data/kind'],
    ],
    ['another word for the same', 'error', rejected('missing_goal'), rejected('no_goal_here'), []],
    ['the documented reason', 'error', rejected('command_id_conflict'), rejected('command_id_conflict'), []],
    [
      'not the documented reason',
      'error',
      rejected('command_id_conflict'),
      rejected('conflict'),
      ['changed /data/reason'],
    ],
    [
      'a documented reason out of place',
      'error',
      rejected('missing_goal'),
      rejected('command_id_conflict'),
      ['changed /data/reason'],
    ],
    [
      'who won a race',
      'error',
      {
        code: -32051,
        message: '',
        data: { kind: 'approvalAlreadyResolved', resolution: { decision: 'denied', resolvedBy: 'user' } },
      },
      {
        code: -32051,
        message: '',
        data: { kind: 'approvalAlreadyResolved', resolution: { decision: 'approved', resolvedBy: 'policy' } },
      },
      ['changed /data/resolution/decision'],
    ],
  ]);
});

describe('a session is seen at another moment', () => {
  const seen = (status: string, activeTurnId: string | null) => ({
    session: { ...session, status, activeTurnId },
  });
  check([
    ['its turn is over', 'result session/read', seen('running', 't1'), seen('idle', null), []],
    [
      'a turn runs that nobody asked for',
      'result session/read',
      seen('idle', null),
      seen('running', 'T9'),
      [],
    ],
    [
      'it runs and names no turn',
      'result session/read',
      seen('idle', null),
      seen('running', null),
      ['changed /session/status'],
    ],
    ['it is loaded unasked', 'result session/read', seen('notLoaded', null), seen('idle', null), []],
    [
      'it was dropped',
      'result session/read',
      seen('idle', null),
      seen('notLoaded', null),
      ['changed /session/status'],
    ],
    [
      'it is idle and names a turn',
      'result session/read',
      seen('running', 't1'),
      seen('idle', 'T1'),
      ['changed /session/status'],
    ],
  ]);

  it('a turn that is over must not seem to run', () => {
    const bindings = new Bindings();
    bindings.pair('t1', 'T1');
    const [from, to] = [seen('idle', null), seen('running', 'T1')].map((value) => JSON.stringify(value)) as [
      string,
      string,
    ];
    expect(pathsOf(differencesAt('result session/read', from, to, matchContext({ bindings })))).toEqual([
      'changed /session/status',
      'type /session/activeTurnId',
    ]);
  });
});

describe('a turn that died with its server ends as the server sees fit', () => {
  check(
    [
      [
        'another terminal',
        'event turn/completed',
        { turnId: 'dead', terminal: 'failed', error: { kind: 'logError' } },
        { turnId: 'dead', terminal: 'cancelled' },
        [],
      ],
      [
        'another turn’s terminal',
        'event turn/completed',
        { turnId: 'other', terminal: 'failed' },
        { turnId: 'other', terminal: 'cancelled' },
        ['changed /terminal'],
      ],
    ],
    () => ({ diedTurns: new Set(['dead']) }),
  );
});

describe('exact mode wants everything as recorded', () => {
  const whole = { turnId: 't', terminal: 'completed', sourceRange: { stream: { kind: 'run' } } };
  check(
    [
      ['the same', 'event turn/completed', whole, whole, []],
      ['an id is still bound', 'event turn/completed', whole, { ...whole, turnId: 'T' }, []],
      [
        'own members',
        'event turn/completed',
        whole,
        { ...whole, sourceRange: { stream: { kind: 'x' } } },
        ['changed /sourceRange/stream/kind'],
      ],
      [
        'times',
        'event turn/completed',
        { ...whole, durationMs: 1 },
        { ...whole, durationMs: 2 },
        ['changed /durationMs'],
      ],
      ['optional members', 'event turn/completed', { ...whole, reason: 'r' }, whole, ['missing /reason']],
      ['additional members', 'event turn/completed', whole, { ...whole, extra: 1 }, ['extra /extra']],
    ],
    () => ({ mode: 'exact' }),
  );

  check(
    [
      [
        'ids, too, under recorded ids',
        'event turn/completed',
        whole,
        { ...whole, turnId: 'T' },
        ['changed /turnId'],
      ],
    ],
    () => ({ mode: 'exact', bindsMinted: false }),
  );
});

describe('the stage of an approval', () => {
  it('is remembered under the server’s own number', () => {
    const context = matchContext();
    const live = { approvalId: 'A1', sourceIndex: 3 };
    const [from, to] = [requirement, live].map((currentRequirementId) =>
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
