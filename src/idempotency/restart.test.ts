import { describe, expect, it } from 'vitest';
import { holdsFacts } from './restart.js';
import type { ViewReading } from './view.js';

const read = (from: 'view' | 'history', ...methods: string[]): ViewReading => ({
  kind: 'read',
  from,
  events: methods.map((method) => ({ method, params: { sessionId: 's' }, cursor: '' })),
});

describe('a session that the next host must keep', () => {
  it.each<[string, ViewReading, boolean]>([
    ['a view with a change', read('view', 'session/modelChanged'), true],
    ['a view with a turn', read('view', 'turn/started'), true],
    ['a view of nothing but the start', read('view', 'session/started'), false],
    ['an empty view', read('view'), false],
    ['a history with an item', read('history', 'item/completed'), true],
    ['a history with an ended turn', read('history', 'turn/completed'), true],
    [
      'a history of nothing but settings, which every session has',
      read('history', 'session/modelChanged', 'session/approvalModeChanged'),
      false,
    ],
    ['what cannot be read', { kind: 'unreadable', why: 'it is not served' }, false],
  ])('%s: %s', (_what, reading, expected) => {
    expect(holdsFacts(reading)).toBe(expected);
  });
});
