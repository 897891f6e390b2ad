import { describe, expect, it } from 'vitest';
import { idleSettingEvents } from './settings.js';
import { type Line, result, scriptOf, viewed } from './testing/scenario.js';

const mode = (cursor: string, value: string, sessionId = 's') =>
  viewed('session/approvalModeChanged', sessionId, cursor, { mode: value });
const named = (cursor: string, name: string) => viewed('session/nameChanged', 's', cursor, { name });
const goal = (cursor: string, value: unknown) => viewed('session/goalChanged', 's', cursor, { goal: value });
const page = (...events: Line[]): Line => result(1, { events: events.map(([, frame]) => frame) });

describe('events of a setting that no server owes', () => {
  it.each<[what: string, lines: readonly Line[], idle: readonly string[]]>([
    ['the first of a setting with a default', [mode('1', 'onRequest'), mode('2', 'allowAll')], ['1']],
    ['one in each session', [mode('1', 'onRequest'), mode('2', 'allowAll', 'other')], ['1', '2']],
    [
      'one that changes nothing',
      [mode('1', 'a'), mode('2', 'b'), mode('3', 'b'), mode('4', 'a')],
      ['1', '3'],
    ],
    ['not the first name or goal', [named('1', 'n'), goal('2', { objective: 'o', status: 'active' })], []],
    [
      'not another status of the goal',
      [goal('1', { objective: 'o', status: 'active' }), goal('2', { objective: 'o', status: 'paused' })],
      [],
    ],
    [
      'the goal that is cleared twice',
      [goal('1', { objective: 'o' }), goal('2', null), goal('3', null)],
      ['3'],
    ],
    ['no other events', [viewed('turn/started', 's', '1', { turnId: 't' })], []],
    ['those in a page', [page(mode('1', 'a'), mode('2', 'b'))], ['1']],
    [
      'and not those that a page shows again',
      [mode('1', 'a'), mode('2', 'b'), page(mode('1', 'a'), mode('2', 'b'))],
      ['1'],
    ],
  ])('%s', (_what, lines, idle) => {
    expect([...idleSettingEvents(scriptOf(lines))]).toEqual(idle);
  });
});
