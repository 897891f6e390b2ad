import { describe, expect, it } from 'vitest';
import { Bindings } from './bindings.js';
import { differencesAt, matchContext, pathsOf } from './testing/match-context.js';
import { check, sent } from './testing/match-rows.js';
import { session as sessionOf } from './testing/scenario.js';

const session = sessionOf('s1');

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
