import { describe, expect, it } from 'vitest';
import {
  describeEvent,
  excessOf,
  identityOf,
  isEffect,
  kindCounts,
  namedCommand,
  startedTurn,
  turnOf,
} from './effects.js';
import { ack, rejected, sent } from './testing/commands-sent.js';
import type { Json } from './testing/server-state.js';
import type { ViewEvent } from './view.js';

let next = 0;
const event = (method: string, params: Json = {}): ViewEvent => {
  const viewCursor = `c:${++next}`;
  return {
    method,
    params: { sessionId: 's', viewCursor, sourceRange: { at: viewCursor }, ...params },
    cursor: viewCursor,
  };
};
const started = (turnId: string, commandId = turnId) => event('turn/started', { turnId, commandId });
const completed = (turnId: string) => event('turn/completed', { turnId, terminal: 'completed' });
const said = (commandId: string, turnId = commandId) =>
  event('item/completed', { item: { kind: 'userMessage', commandId, turnId } });
const goal = (objective: string, status = 'active') =>
  event('session/goalChanged', { goal: { objective, status, percentComplete: 0 } });

const turn = sent(
  'turn/start',
  { sessionId: 's', commandId: 't' },
  ack({ turnId: 't', disposition: 'started' }),
);
const queued = sent(
  'turn/start',
  { sessionId: 's', commandId: 'q' },
  ack({ turnId: 'q', disposition: 'queued' }),
);
const steered = sent(
  'turn/start',
  { sessionId: 's', commandId: 'z' },
  ack({ turnId: 't', disposition: 'steered' }),
);
const set = sent('goal/set', { sessionId: 's', commandId: 'g', objective: 'Ship' }, ack({ turnId: 'w' }));

describe('an effect', () => {
  it.each([
    ['turn/started', {}, true],
    ['session/nameChanged', {}, true],
    ['item/completed', { item: { kind: 'userMessage' } }, true],
    ['item/completed', { item: { kind: 'agentMessage' } }, false],
    ['item/completed', { item: { kind: 'compaction', trigger: 'manual' } }, true],
    ['item/completed', { item: { kind: 'compaction', trigger: 'auto' } }, false],
    ['item/started', { item: { kind: 'userMessage' } }, false],
    ['session/statusChanged', {}, false],
    ['session/tokenUsage', {}, false],
    ['vendor/heartbeat', {}, false],
  ])('%s %j: %s', (method, params, expected) => {
    expect(isEffect(event(method, params))).toBe(expected);
  });

  it('names its command and its turn where it says so', () => {
    expect(namedCommand(said('c', 't'))).toBe('c');
    expect(turnOf(said('c', 't'))).toBe('t');
    expect(namedCommand(event('approval/resolved', { decidedByCommandId: 'd' }))).toBe('d');
    expect(namedCommand(goal('Ship'))).toBeUndefined();
  });

  it('is described in few words', () => {
    expect(describeEvent(said('c', 't'))).toBe('item/completed (userMessage) of turn t');
    expect(describeEvent(goal('Ship'))).toBe('session/goalChanged');
  });

  it('is the same when it is told again under another cursor, and another one when its state differs', () => {
    expect(identityOf(goal('Ship'))).toBe(identityOf(goal('Ship')));
    expect(identityOf(goal('Ship'))).not.toBe(identityOf(goal('Ship', 'paused')));
    expect(identityOf(goal('Ship'))).not.toBe(identityOf(goal('Sail')));
    expect(identityOf(event('session/goalChanged', { goal: null }))).toBe(
      identityOf(event('session/goalChanged')),
    );
  });
});

describe('the turn of a command', () => {
  it.each([
    ['a fresh one', turn, 't'],
    ['a queued one', queued, 'q'],
    ['none when the input joined another', steered, undefined],
    ['none when it was rejected', sent('turn/start', { commandId: 'x' }, rejected('no')), undefined],
    ['none of another method', set, undefined],
  ])('%s', (_what, command, expected) => {
    expect(startedTurn(command)).toBe(expected);
  });
});

describe('what happened too often', () => {
  const once = [started('t'), said('t'), completed('t')];
  const control = kindCounts(once);

  it.each([
    ['a turn that ran once', [turn], once, []],
    ['a turn that started twice', [turn], [...once, started('t')], ['turn/started', 'turns']],
    ['a turn that ended twice', [turn], [...once, completed('t')], ['turn/completed']],
    [
      'a second turn of the same command',
      [turn],
      [...once, started('u', 't'), completed('u')],
      ['turn/started', 'turns'],
    ],
    [
      'a second message of the same command',
      [turn],
      [...once, said('t')],
      ['item/completed userMessage', 'user messages'],
    ],
    ['a turn of nobody', [turn], [...once, started('u', 'unknown')], ['turns']],
    ['a message of nobody', [turn], [...once, said('unknown')], ['user messages']],
    [
      'a queued turn that was reclaimed twice',
      [queued],
      [
        event('turn/unqueued', { turnId: 'q', commandId: 'q' }),
        event('turn/unqueued', { turnId: 'q', commandId: 'q' }),
      ],
      ['turn/unqueued'],
    ],
    [
      'an input that joined twice',
      [steered],
      [said('z', 't'), said('z', 't')],
      ['item/completed userMessage', 'user messages'],
    ],
    [
      'a name told twice running',
      [],
      [event('session/nameChanged', { name: 'A' }), event('session/nameChanged', { name: 'A' })],
      ['session/nameChanged twice with the same state'],
    ],
    [
      'a name that changed and changed back',
      [],
      [
        event('session/nameChanged', { name: 'A' }),
        event('session/nameChanged', { name: 'B' }),
        event('session/nameChanged', { name: 'A' }),
      ],
      [],
    ],
    [
      'the same name of two sessions',
      [],
      [
        event('session/nameChanged', { name: 'A' }),
        event('session/nameChanged', { name: 'A', sessionId: 'other' }),
      ],
      [],
    ],
  ])('%s', (_what, commands, events, expected) => {
    const allowed = commands.includes(steered) ? new Map([['user messages', 1]]) : control;
    expect(excessOf(commands, events, allowed).map(({ what }) => what)).toEqual(expected);
  });

  it('is not what a fork copies from its source', () => {
    const copies = once.map((told) => ({ ...told, params: { ...told.params, sessionId: 'fork' } }));
    expect(excessOf([turn], [...once, ...copies], kindCounts([...once, ...copies]))).toEqual([]);
  });

  it('names the command where the events do, and nobody where they do not', () => {
    const excess = excessOf([turn, queued], [...once, started('t'), said('unknown')], control);
    expect(
      excess.map(({ what, command, count, allowed }) => [what, command?.commandId, count, allowed]),
    ).toEqual([
      ['turn/started', 't', 2, 1],
      ['turns', undefined, 2, 1],
      ['user messages', undefined, 2, 1],
    ]);
  });

  it('is not what a goal at work does by itself, turn after turn under its command', () => {
    const events = [
      goal('Ship'),
      started('w', 'g'),
      completed('w'),
      goal('Ship', 'working'),
      started('w2', 'g'),
      completed('w2'),
    ];
    expect(excessOf([set], events, new Map())).toEqual([]);
  });

  it('is a goal that was set twice', () => {
    expect(excessOf([set], [goal('Ship'), goal('Ship')], kindCounts([goal('Ship')]))).toMatchObject([
      { what: 'session/goalChanged twice with the same state' },
    ]);
  });

  it('is nothing that the undisturbed drive did as often', () => {
    const events = [goal('Ship'), goal('Ship')];
    expect(excessOf([set], events, kindCounts(events))).toEqual([]);
  });
});
