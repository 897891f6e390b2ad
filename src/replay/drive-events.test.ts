import { describe, expect, it } from 'vitest';
import { driven, type Reactions } from './testing/drive.js';
import { event, type Line, request, result, session, turnAck, uuid, viewed } from './testing/scenario.js';
import { commandOf, OPENED, opens, type Told, TURN_OF, tells } from './testing/turns.js';

describe('events', () => {
  it.each<{ order: readonly Told[] }>([
    { order: ['ack', 'started', 'item', 'completed'] },
    { order: ['started', 'item', 'ack', 'completed'] },
    { order: ['started', 'item', 'completed', 'ack'] },
  ])('may come before the ack and after it: $order', async ({ order }) => {
    expect(await driven(TURN_OF, tells(order))).toMatchObject({
      outcome: { status: 'completed' },
      trouble: [],
    });
  });

  it('that nobody promised may be sent or left out', async () => {
    const chatty: Reactions = {
      ...tells(['ack', 'started', 'item', 'completed']),
      'session/start': (frame, server) => {
        server.tell('vendor/mood', { sessionId: 'S1' });
        server.answer(frame, { session: session('S1'), viewCursor: 'c0' });
      },
    };
    const recorded: Line[] = [...TURN_OF];
    recorded.splice(
      5,
      0,
      event('session/statusChanged', { sessionId: 's1', status: 'running', viewCursor: 'v9' }),
    );
    expect(await driven(recorded, chatty)).toMatchObject({ outcome: { status: 'completed' }, trouble: [] });
  });

  it('that are owed and do not come fail the scenario there', async () => {
    const { outcome, trouble } = await driven(TURN_OF, tells(['ack', 'started', 'completed']), {
      timeoutMs: 1,
    });
    expect(outcome).toMatchObject({
      status: 'failed',
      timedOut: true,
      reason: expect.stringContaining('item/completed of line 9 did not come'),
    });
    expect(trouble).toEqual(['failed replay/event-matches 9']);
  });

  it('that differ are reported with the place, and the drive goes on', async () => {
    const { outcome, findings, trouble } = await driven(
      TURN_OF,
      tells(['ack', 'started', 'item', 'completed'], { terminal: 'failed' }),
    );
    expect(outcome.status).toBe('completed');
    expect(trouble).toEqual([`failed replay/event-matches ${TURN_OF.length}`]);
    const failed = findings.find(({ status }) => status === 'failed');
    expect(failed?.differences).toEqual([
      { path: '/params/terminal', kind: 'changed', expected: 'completed', actual: 'failed' },
    ]);
    expect(failed?.evidence?.length).toBeGreaterThan(0);
  });

  it('of a turn that nobody asked for are the server’s business', async () => {
    const woken = [
      viewed('turn/started', 's1', 'v8', { turnId: 'of a goal' }),
      viewed('turn/completed', 's1', 'v9', { turnId: 'of a goal', terminal: 'completed' }),
    ];
    expect(
      await driven([...TURN_OF, ...woken], tells(['ack', 'started', 'item', 'completed'])),
    ).toMatchObject({ outcome: { status: 'completed' }, trouble: [] });
  });

  it('with another turn id than the ack’s are not the turn’s', async () => {
    const strange: Reactions = {
      ...opens,
      'turn/start': (frame, server) => {
        server.answer(frame, turnAck(commandOf(frame)));
        server.tell('turn/started', {
          sessionId: 'S1',
          viewCursor: 'a',
          turnId: 'another',
          commandId: commandOf(frame),
        });
      },
    };
    const { trouble } = await driven(TURN_OF, strange, { timeoutMs: 1 });
    expect(trouble).toEqual(['failed replay/event-matches 8']);
  });
});

describe('server requests', () => {
  const asks = (id: number, approvalId: string): Line => [
    'server',
    {
      jsonrpc: '2.0',
      id,
      method: 'approval/request',
      params: {
        sessionId: 's1',
        approvalId,
        availableChoices: [{ choiceId: 'yes', decision: 'approved', scope: 'once', label: 'Yes' }],
        currentRequirementId: { approvalId, sourceIndex: 0 },
      },
    },
  ];
  const receipt: Line = ['client', { jsonrpc: '2.0', id: 1, result: {} }];
  const decide = request(4, 'approval/decide', {
    sessionId: 's1',
    commandId: uuid(4),
    approvalId: 'a1',
    requirementId: { approvalId: 'a1', sourceIndex: 0 },
    choiceId: 'yes',
  });
  const recorded = [
    ...OPENED,
    asks(1, 'a1'),
    receipt,
    decide,
    result(4, { commandId: uuid(4), status: 'accepted', approvalId: 'a1', terminal: true }),
  ];
  const choice = (decision: string) => [{ choiceId: 'c-7', decision, scope: 'once', label: 'Fine' }];
  const prompting = (decision: string): Reactions => ({
    'session/start': (frame, server) => {
      server.answer(frame, { session: session('S1'), viewCursor: 'c0' });
      server.say({
        jsonrpc: '2.0',
        id: 1000,
        method: 'approval/request',
        params: {
          sessionId: 'S1',
          approvalId: 'A1',
          availableChoices: choice(decision),
          currentRequirementId: { approvalId: 'A1', sourceIndex: 2 },
        },
      });
    },
    'approval/decide': (frame, server) =>
      server.answer(frame, {
        commandId: commandOf(frame),
        status: 'accepted',
        approvalId: 'A1',
        terminal: true,
      }),
  });

  it('get the recorded receipt and decision under the live names', async () => {
    const scene = await driven(recorded, prompting('approved'), { behaviours: { approval: 'ask me' } });
    expect(scene).toMatchObject({ outcome: { status: 'completed' }, trouble: [] });
    expect(scene.connection.sent).toContainEqual({ jsonrpc: '2.0', id: 1000, result: {} });
    expect(scene.connection.sent.at(-1)?.params).toMatchObject({
      approvalId: 'A1',
      choiceId: 'c-7',
      requirementId: { approvalId: 'A1', sourceIndex: 2 },
    });
  });

  it('without the recorded choice make the scenario inapplicable, at once', async () => {
    const { outcome } = await driven(recorded, prompting('denied'), { behaviours: { approval: 'ask me' } });
    expect(outcome).toMatchObject({
      status: 'notApplicable',
      reason: expect.stringContaining('names a value (yes)'),
    });
  });

  it('that do not come fail the scenario', async () => {
    const { outcome, trouble } = await driven(recorded, opens, {
      timeoutMs: 1,
      behaviours: { approval: 'ask me' },
    });
    expect(outcome.status).toBe('failed');
    expect(trouble).toEqual(['failed replay/server-request-matches 6']);
  });

  it('that the recording does not know get a receipt', async () => {
    const { outcome, trouble, connection } = await driven(OPENED, prompting('approved'));
    expect({ outcome, trouble }).toEqual({ outcome: { status: 'completed' }, trouble: [] });
    expect(connection.sent.at(-1)).toEqual({ jsonrpc: '2.0', id: 1000, result: {} });
  });
});
