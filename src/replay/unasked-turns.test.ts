import { describe, expect, it } from 'vitest';
import { driven, type Reactions } from './testing/drive.js';
import { type Line, request, result, turnAck, viewed } from './testing/scenario.js';
import { commandOf, OPENED, opens, STOP, TURN } from './testing/turns.js';

const interrupt = (id: number, params: Record<string, unknown> = {}): Line[] => [
  request(id, 'turn/interrupt', { sessionId: 's1', commandId: STOP, ...params }),
  result(id, { commandId: STOP, status: 'accepted' }),
];
const GOAL_TURN = viewed('turn/started', 's1', 'v1', { turnId: 'of a goal', commandId: 'of a goal' });
const ASKED: readonly Line[] = [
  ...OPENED,
  request(3, 'turn/start', { sessionId: 's1', commandId: TURN, input: [{ type: 'text', text: 'hello' }] }),
  result(3, turnAck(TURN)),
  viewed('turn/started', 's1', 'v1', { turnId: TURN, commandId: TURN }),
  ...interrupt(4),
];
const opensWithGoalTurn: Reactions = {
  'session/start': (frame, server) => {
    opens['session/start']?.(frame, server);
    server.tell('turn/started', { sessionId: 'S1', viewCursor: 'g', turnId: 'G', commandId: 'G' });
  },
};
const refuses = (code: number, kind: string): Reactions => ({
  ...opensWithGoalTurn,
  'turn/start': (frame, server) => {
    server.answer(frame, turnAck(commandOf(frame)));
    const turnId = commandOf(frame);
    server.tell('turn/started', { sessionId: 'S1', viewCursor: 'a', turnId, commandId: turnId });
  },
  'turn/interrupt': (frame, server) => server.refuse(frame, code, kind, { reason: 'no_active_turn' }),
});

describe('a stop that is refused', () => {
  const goal = [...OPENED, GOAL_TURN];
  it.each<[what: string, lines: readonly Line[], code: number, kind: string, status: string]>([
    ['without a turn id, of a turn that was asked for', ASKED, -32030, 'commandRejected', 'failed'],
    [
      'without a turn id, of a goal’s turn',
      [...goal, ...interrupt(4)],
      -32030,
      'commandRejected',
      'notApplicable',
    ],
    [
      'of a goal’s turn by its id',
      [...goal, ...interrupt(4, { turnId: 'of a goal' })],
      -32030,
      'commandRejected',
      'notApplicable',
    ],
    ['of a goal’s turn, by a fault', [...goal, ...interrupt(4)], -32603, 'internal', 'failed'],
    ['of a goal’s turn, as malformed', [...goal, ...interrupt(4)], -32602, 'invalidParams', 'failed'],
    ['where no turn ever runs', [...OPENED, ...interrupt(4)], -32030, 'commandRejected', 'failed'],
  ])('%s', async (_what, lines, code, kind, status) => {
    const { outcome } = await driven(lines, refuses(code, kind), { behaviours: { slow: 'slowly' } });
    expect(outcome.status).toBe(status);
  });
});

describe('an event that does not come after a goal’s turn was stopped', () => {
  const missing = (event: Line): readonly Line[] => [
    ...OPENED,
    GOAL_TURN,
    ...interrupt(3),
    request(4, 'turn/start', { sessionId: 's1', commandId: TURN, input: [{ type: 'text', text: 'hello' }] }),
    result(4, turnAck(TURN)),
    event,
  ];
  const accepting: Reactions = {
    ...opensWithGoalTurn,
    'turn/interrupt': (frame, server) =>
      server.answer(frame, { commandId: commandOf(frame), status: 'accepted' }),
    'turn/start': (frame, server) => server.answer(frame, turnAck(commandOf(frame))),
  };

  it('counts where it is of a turn that was asked for', async () => {
    const recorded = missing(viewed('turn/started', 's1', 'v2', { turnId: TURN, commandId: TURN }));
    expect((await driven(recorded, accepting, { timeoutMs: 5 })).outcome.status).toBe('failed');
  });

  it('does not where it may hang on the goal’s', async () => {
    const recorded = missing(viewed('session/goalChanged', 's1', 'v2', { goal: null }));
    expect((await driven(recorded, accepting, { timeoutMs: 5 })).outcome.status).toBe('notApplicable');
  });
});

it('computer use that a host does not have makes a scenario about it inapplicable', async () => {
  const recorded = [...OPENED, request(3, 'computerUseSettings/read'), result(3, { enabled: true })];
  const lacking: Reactions = {
    ...opens,
    'computerUseSettings/read': (frame, server) => server.refuse(frame, -32033, 'computerUseUnavailable'),
  };
  expect((await driven(recorded, lacking)).outcome.status).toBe('notApplicable');
});
