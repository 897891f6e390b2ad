import { describe, expect, it } from 'vitest';
import { eventsOfHistory } from './history.js';
import type { Json } from './testing/server-state.js';
import { beyond } from './view-watch.js';

const message = (commandId: string) => ({
  itemId: `i-${commandId}`,
  kind: 'userMessage',
  commandId,
  turnId: commandId,
});
const snapshot = (state: Json, more: Json = {}): Json => ({
  history: { mode: 'snapshot', items: null, snapshot: { state } },
  session: {},
  ...more,
});
const events = (result: Json) => eventsOfHistory('s', result) ?? [];
const told = (result: Json) => events(result).map(({ method }) => method);

describe('a history, told as events', () => {
  it('has one for each item, whether inline or in a snapshot', () => {
    const inline = { history: { mode: 'inline', items: [message('a'), message('b')], snapshot: null } };
    expect(told(inline)).toEqual(['item/completed', 'item/completed']);
    expect(told(snapshot({ items: [message('a')] }))).toEqual(['item/completed']);
  });

  it('has one for each ended turn that is counted, and knows the last by its id', () => {
    const result = snapshot({ items: [], turnCount: 2 }, { lastTurn: { turnId: 't', terminal: 'failed' } });
    expect(told(result)).toEqual(['turn/completed', 'turn/completed', 'turn/completed']);
    expect(events(result).at(-1)?.params).toMatchObject({ turnId: 't', terminal: 'failed' });
  });

  it('has one for each setting that is set', () => {
    const state = {
      items: [],
      goal: { objective: 'Ship' },
      name: 'A',
      effectiveModel: { modelId: 'm' },
      approvalMode: { mode: 'allowAll' },
    };
    expect(told(snapshot(state))).toEqual([
      'session/goalChanged',
      'session/nameChanged',
      'session/modelChanged',
      'session/approvalModeChanged',
    ]);
    expect(told(snapshot({ items: [], goal: null, effectiveModel: null }))).toEqual([]);
  });

  it('is none without items', () => {
    expect(eventsOfHistory('s', { history: { mode: 'none', items: null, snapshot: null } })).toBeUndefined();
    expect(eventsOfHistory('s', {})).toBeUndefined();
  });
});

describe('what a later history has beyond an earlier one', () => {
  const before = events(snapshot({ items: [message('a')], turnCount: 1, name: 'A' }));

  it.each([
    ['nothing', snapshot({ items: [message('a')], turnCount: 1, name: 'A' }), []],
    [
      'a second message of one command',
      snapshot({ items: [message('a'), message('a')], turnCount: 1, name: 'A' }),
      ['item/completed'],
    ],
    ['another turn', snapshot({ items: [message('a')], turnCount: 2, name: 'A' }), ['turn/completed']],
    ['another name', snapshot({ items: [message('a')], turnCount: 1, name: 'B' }), ['session/nameChanged']],
  ])('%s', (_what, now, expected) => {
    expect(beyond(before, events(now)).map(({ method }) => method)).toEqual(expected);
  });
});
