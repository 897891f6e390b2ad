import { describe, expect, it } from 'vitest';
import { changeControl, changesDue, stateChangeOf, tellsAskedState } from './state-changes.js';
import { ack, rejected, sent } from './testing/commands-sent.js';
import type { Json } from './testing/server-state.js';

const event = (method: string, params: Json) => ({ method, params: { sessionId: 's', ...params } });
const rename = (name: string, line = 1, answer = ack()) =>
  sent('session/rename', { sessionId: 's', commandId: `c${line}`, name }, answer, { line });
const pause = (line: number) =>
  sent('goal/pause', { sessionId: 's', commandId: `c${line}` }, ack(), { line });
const named = (name: string) => event('session/nameChanged', { name });

describe('the state that a command asked for', () => {
  it.each([
    ['session/rename', { name: 'A' }, event('session/nameChanged', { name: 'A' }), true],
    ['session/rename', { name: 'A' }, event('session/nameChanged', { name: 'B' }), false],
    ['session/setModel', { model: { modelId: 'm' } }, event('session/modelChanged', { modelId: 'm' }), true],
    [
      'session/setApprovalMode',
      { mode: 'allowAll' },
      event('session/approvalModeChanged', { mode: 'allowAll' }),
      true,
    ],
    ['goal/set', { objective: 'Ship' }, event('session/goalChanged', { goal: { objective: 'Ship' } }), true],
    ['goal/edit', { objective: 'Ship' }, event('session/goalChanged', { goal: null }), false],
    ['goal/pause', {}, event('session/goalChanged', { goal: { objective: 'Ship' } }), false],
    ['turn/start', {}, event('turn/started', {}), false],
  ])('%s %j, told by %j: %s', (method, params, told, expected) => {
    expect(tellsAskedState(told, sent(method, { commandId: 'c', ...params }, ack()))).toBe(expected);
  });

  it('shows in one kind of event for each method', () => {
    expect(stateChangeOf('goal/clear')).toBe('session/goalChanged');
    expect(stateChangeOf('turn/start')).toBeUndefined();
  });
});

describe('what an undisturbed drive shows of state changes', () => {
  it('is which commands were told of', () => {
    const { told } = changeControl([rename('A', 3), rename('B', 5)], [named('A')]);
    expect(told).toEqual(new Set([3]));
  });

  it.each([
    ['one for each acknowledged command', [rename('A'), rename('B')], [named('A'), named('B')], true],
    ['none for a command that changed nothing', [rename('A'), rename('A')], [named('A')], false],
    ['more than were asked for', [rename('A')], [named('A'), named('of its own')], false],
    ['none for a rejected command', [rename('A', 1, rejected('no')), rename('B')], [named('B')], true],
    ['none at all', [], [], false],
  ])('is whether they can be counted: %s', (_what, commands, events, isCountable) => {
    expect(changeControl(commands, events).countable.has('session/nameChanged')).toBe(isCountable);
  });

  it('says how many are due once a command is carried out', () => {
    const other = { ...pause(3), sessionId: 'other' };
    expect(changesDue(pause(5), [pause(1), other, rename('A')])).toBe(2);
    expect(changesDue(pause(5), [])).toBe(1);
  });
});
