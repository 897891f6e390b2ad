import { describe, expect, it } from 'vitest';
import { parseExact } from '../wire/exact-json.js';
import { matchValue } from './match.js';
import { overriddenRole, overridesOf } from './overrides.js';
import { bundle, matchContext, pathsOf } from './testing/match-context.js';

const completed = (params: Record<string, unknown>) =>
  parseExact(JSON.stringify({ terminal: 'completed', ...params })).value;

describe('a manifest’s word on paths of the frame', () => {
  it.each([
    ['nothing said', undefined, { terminal: 'failed' }, ['changed /params/terminal']],
    ['ignored', { ignore: ['params.terminal'] }, { terminal: 'failed' }, []],
    ['ignored, and absent', { ignore: ['params.terminal'] }, { terminal: undefined }, []],
    ['compared by shape', { shape: ['params.terminal'] }, { terminal: 'failed' }, []],
    [
      'compared by shape, another type',
      { shape: ['params.terminal'] },
      { terminal: 4 },
      ['type /params/terminal'],
    ],
    ['bound', { bind: ['params.terminal'] }, { terminal: 'over' }, []],
    ['one step for a star', { ignore: ['params.*'] }, { terminal: 'failed' }, []],
    [
      'a path of another length',
      { ignore: ['params.terminal.*', 'terminal'] },
      { terminal: 'failed' },
      ['changed /params/terminal'],
    ],
  ] as const)('%s', (_what, match, live, differences) => {
    const overrides = overridesOf(match === undefined ? {} : { conformance: { match } });
    const context = matchContext({ overrides });
    const root = bundle.notificationRoot('turn/completed');
    expect(pathsOf(matchValue(completed({}), completed(live), root, context, ['params']))).toEqual(
      differences,
    );
  });

  it('counts in exact mode, too', () => {
    const context = matchContext({
      mode: 'exact',
      overrides: overridesOf({ conformance: { match: { ignore: ['params.more'] } } }),
    });
    const root = bundle.notificationRoot('turn/completed');
    expect(matchValue(completed({}), completed({ more: 1 }), root, context, ['params'])).toEqual([]);
    expect(matchValue(completed({ more: 1 }), completed({}), root, context, ['params'])).toEqual([]);
  });

  it('takes the published list for minted values, and the envelope’s id for nobody’s business', () => {
    const overrides = overridesOf({ normalize: ['id', 'params.turnId', 'result.session.sessionId'] });
    expect(overriddenRole(overrides, ['params', 'turnId'])).toBe('minted');
    expect(overriddenRole(overrides, ['result', 'session', 'sessionId'])).toBe('minted');
    expect(overriddenRole(overrides, ['id'])).toBeUndefined();
  });

  it('reaches elements of lists by index or star', () => {
    const overrides = overridesOf({
      conformance: { match: { ignore: ['result.events.*.params.x', 'result.list.0'] } },
    });
    expect(overriddenRole(overrides, ['result', 'events', 12, 'params', 'x'])).toBe('ignore');
    expect(overriddenRole(overrides, ['result', 'list', 0])).toBe('ignore');
    expect(overriddenRole(overrides, ['result', 'list', 1])).toBeUndefined();
  });
});
