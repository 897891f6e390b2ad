import { describe, expect, it } from 'vitest';
import { driven, type Reactions } from './testing/drive.js';
import {
  error,
  greeting,
  HANDSHAKE,
  type Line,
  request,
  result,
  session,
  turnAck,
  uuid,
  viewed,
} from './testing/scenario.js';
import type { ScriptedConnection, SentFrame } from './testing/scripted-connection.js';
import { commandOf, OPENED, opens, STOP, TURN, TURN_OF, tells } from './testing/turns.js';

describe('answers', () => {
  it('that never come fail the request', async () => {
    const { outcome, trouble } = await driven(OPENED, {}, { timeoutMs: 1 });
    expect(outcome).toMatchObject({
      status: 'failed',
      timedOut: true,
      reason: 'session/start (line 4) got no answer within 1 ms.',
    });
    expect(trouble).toEqual(['failed replay/answered 4']);
  });

  it('that a closed connection cut off are a crash', async () => {
    const { outcome, trouble } = await driven(OPENED, { 'session/start': (_frame, server) => server.end() });
    expect(outcome).toMatchObject({
      status: 'failed',
      reason: expect.stringContaining('ended the connection'),
    });
    expect(outcome).not.toHaveProperty('timedOut', true);
    expect(trouble).toEqual(['failed process/no-crash 4']);
  });

  it.each<[what: string, code: number, kind: string, status: string]>([
    ['a method that the server lacks', -32601, 'methodNotFound', 'notApplicable'],
    ['a capability that it did not grant', -32010, 'capabilityRequired', 'notApplicable'],
    ['anything else', -32603, 'internal', 'failed'],
  ])('of %s', async (_what, code, kind, status) => {
    const recorded = [
      ...OPENED,
      request(3, 'goal/clear', { sessionId: 's1', commandId: uuid(3) }),
      result(3, { commandId: uuid(3), status: 'accepted' }),
    ];
    const { outcome } = await driven(recorded, {
      ...opens,
      'goal/clear': (frame, server) => server.refuse(frame, code, kind),
    });
    expect(outcome.status).toBe(status);
  });

  it('that deny what every server has are failures', async () => {
    const lacks = (frame: SentFrame, server: ScriptedConnection) =>
      server.refuse(frame, -32601, 'methodNotFound');
    expect((await driven(OPENED, { 'session/start': lacks })).outcome.status).toBe('failed');
    const recorded = [
      ...OPENED,
      request(3, 'goal/clear', { sessionId: 's1', commandId: uuid(3) }),
      result(3, { commandId: uuid(3), status: 'accepted' }),
    ];
    const scene = { settings: { require: 'all' } } as const;
    expect((await driven(recorded, { ...opens, 'goal/clear': lacks }, scene)).outcome.status).toBe('failed');
  });

  it('accept where the recording refuses, and the other way round', async () => {
    const refused = [
      ...OPENED,
      request(3, 'goal/clear', { sessionId: 's1', commandId: uuid(3) }),
      error(3, -32030, 'commandRejected', { reason: 'missing_goal' }),
    ];
    const accepts: Reactions = {
      ...opens,
      'goal/clear': (frame, server) =>
        server.answer(frame, { commandId: commandOf(frame), status: 'accepted' }),
    };
    const { outcome, findings } = await driven(refused, accepts);
    expect(outcome).toMatchObject({
      status: 'failed',
      reason: expect.stringContaining('was accepted where the recording has the error -32030'),
    });
    expect(
      findings
        .find(({ status }) => status === 'failed')
        ?.differences?.map(({ path, kind }) => `${kind} ${path}`),
    ).toEqual(['missing /error', 'extra /result']);
  });

  it('about a session that only the recording holds', async () => {
    const foreign = [
      ...HANDSHAKE,
      request(2, 'session/resume', { sessionId: 'elsewhere', commandId: uuid(2) }),
      result(2, { session: session('elsewhere') }),
    ];
    const missing = (frame: SentFrame, server: ScriptedConnection) =>
      server.refuse(frame, -32020, 'sessionNotFound');
    expect((await driven(foreign, { 'session/resume': missing })).outcome).toMatchObject({
      status: 'notApplicable',
      reason: expect.stringContaining('elsewhere'),
    });
    const own = [
      ...OPENED,
      request(3, 'session/resume', { sessionId: 's1', commandId: uuid(3) }),
      result(3, { session: session('s1') }),
    ];
    expect((await driven(own, { ...opens, 'session/resume': missing })).outcome.status).toBe('failed');
  });

  it('without an id are paired by that', async () => {
    const recorded: Line[] = [
      ...HANDSHAKE,
      request(2, 'session/list'),
      ['client', 'no json'],
      error(null, -32700, 'parseError'),
    ];
    const react: Reactions = {
      '': (_frame, server) =>
        server.say({
          jsonrpc: '2.0',
          id: null,
          error: { code: -32700, message: 'pardon?', data: { kind: 'parseError' } },
        }),
      'session/list': (frame, server) => server.answer(frame, { sessions: [], nextCursor: null }),
    };
    expect(await driven(recorded, react)).toMatchObject({ outcome: { status: 'completed' }, trouble: [] });
    expect(await driven(recorded, { ...react, '': () => {} }, { timeoutMs: 1 })).toMatchObject({
      outcome: { status: 'failed' },
    });
  });
});

describe('a stop of a turn that is over', () => {
  const stop = (answer: Line): Line[] => [
    ...TURN_OF,
    request(4, 'turn/cancel', { sessionId: 's1', commandId: STOP, turnId: TURN }),
    answer,
  ];
  const acked = stop(result(4, { commandId: STOP, status: 'accepted', turnId: TURN }));
  const rejected = stop(error(4, -32030, 'commandRejected', { reason: 'missing_run' }));
  const accepts: Reactions = {
    'turn/cancel': (frame, server) =>
      server.answer(frame, {
        commandId: commandOf(frame),
        status: 'accepted',
        turnId: frame.params?.['turnId'],
      }),
  };
  const rejects: Reactions = {
    'turn/cancel': (frame, server) =>
      server.refuse(frame, -32030, 'commandRejected', { reason: 'turn_over' }),
  };

  it.each([
    ['acked', 'acked', acked, accepts],
    ['acked', 'rejected', acked, rejects],
    ['rejected', 'acked', rejected, accepts],
    ['rejected', 'rejected', rejected, rejects],
  ] as const)('recorded %s, live %s', async (_recorded, _live, lines, reactions) => {
    const turn = tells(['ack', 'started', 'item', 'completed']);
    expect(await driven(lines, { ...turn, ...reactions })).toMatchObject({
      outcome: { status: 'completed' },
      trouble: [],
    });
  });
});

describe('a stop of a turn that nobody asked for', () => {
  const woken: readonly Line[] = [
    ...OPENED,
    request(3, 'goal/set', { sessionId: 's1', commandId: uuid(3), objective: 'o' }),
    result(3, { commandId: uuid(3), status: 'accepted', turnId: 'woken' }),
    viewed('turn/started', 's1', 'v1', { turnId: 'woken', commandId: uuid(3) }),
    request(4, 'turn/interrupt', { sessionId: 's1', commandId: STOP, turnId: 'woken' }),
    result(4, { commandId: STOP, status: 'accepted', turnId: 'woken' }),
    viewed('session/goalChanged', 's1', 'v2', { goal: { objective: 'o', status: 'paused' } }),
  ];
  const wakes = (isShort: boolean): Reactions => ({
    ...opens,
    'goal/set': (frame, server) => {
      server.answer(frame, { commandId: commandOf(frame), status: 'accepted', turnId: 'T' });
      server.tell('turn/started', {
        sessionId: 'S1',
        viewCursor: 'a',
        turnId: 'T',
        commandId: commandOf(frame),
      });
      if (isShort)
        server.tell('turn/completed', {
          sessionId: 'S1',
          viewCursor: 'b',
          turnId: 'T',
          terminal: 'completed',
        });
    },
    'turn/interrupt': (frame, server) => {
      server.answer(frame, { commandId: commandOf(frame), status: 'accepted', turnId: 'T' });
      if (isShort) return;
      server.tell('session/goalChanged', {
        sessionId: 'S1',
        viewCursor: 'c',
        goal: { objective: 'o', status: 'paused' },
      });
    },
  });

  it('says nothing once that turn is over', async () => {
    const { outcome, trouble } = await driven(woken, wakes(true));
    expect(outcome).toMatchObject({
      status: 'notApplicable',
      reason: expect.stringContaining('over before'),
    });
    expect(trouble).toEqual([]);
  });

  it('is judged while it runs', async () => {
    expect(await driven(woken, wakes(false))).toMatchObject({
      outcome: { status: 'completed' },
      trouble: [],
    });
  });
});

describe('an input that replaces another', () => {
  const replacing = (disposition: string): Line[] => [
    ...OPENED,
    request(3, 'turn/start', { sessionId: 's1', commandId: TURN, ifBusy: 'replace', input: [] }),
    result(3, turnAck(TURN, { disposition, startedNewTurn: disposition === 'started' })),
  ];

  it('is acked in whatever words, since none are documented', async () => {
    const started: Reactions = {
      ...opens,
      'turn/start': (frame, server) => server.answer(frame, turnAck(commandOf(frame))),
    };
    expect((await driven(replacing('queued'), started)).trouble).toEqual([]);
    const other: Reactions = {
      ...opens,
      'turn/start': (frame, server) => server.answer(frame, turnAck(commandOf(frame), { status: 'noop' })),
    };
    expect((await driven(replacing('started'), other)).trouble).toEqual(['failed replay/response-matches 7']);
  });
});

describe('a handshake that is refused', () => {
  it('ends the scenario', async () => {
    const { outcome } = await driven(HANDSHAKE, {
      initialize: (frame, server) => server.refuse(frame, -32603, 'internal'),
    });
    expect(outcome).toMatchObject({
      status: 'failed',
      reason: expect.stringContaining('initialize was refused with -32603 internal'),
    });
  });

  it('is fine where the recording has the refusal', async () => {
    const twice = [
      ...HANDSHAKE,
      ['client', { jsonrpc: '2.0', id: 2, method: 'initialize', params: {} }] as const,
      error(2, -32600, 'alreadyInitialized'),
    ];
    const once: Reactions = {
      initialize: (frame, server) =>
        server.sent.length === 1
          ? server.answer(frame, greeting())
          : server.refuse(frame, -32600, 'alreadyInitialized'),
    };
    expect(await driven(twice, once)).toMatchObject({ outcome: { status: 'completed' }, trouble: [] });
  });
});
