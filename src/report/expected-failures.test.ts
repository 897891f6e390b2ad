import { describe, expect, it } from 'vitest';
import { checkOf, failedCheckOf, scenarioOf } from '../../test/report/sample-report.js';
import type { PassName } from '../checks/finding.js';
import * as expected from './expected-failures.js';
import { type Baseline, emptyBaseline, readBaseline } from './expected-failures.js';
import type { ScenarioResult } from './model.js';
import { certainlyStale, type RunScope } from './stale.js';

const WHOLE: RunScope = { allScenarios: true, allChecks: true, withoutPasses: new Set() };
const applyBaseline = (scenarios: readonly ScenarioResult[], known: Baseline, scope = WHOLE) =>
  expected.applyBaseline(scenarios, known, scope);
const updatedBaseline = (known: Baseline, scenarios: readonly ScenarioResult[], scope = WHOLE) =>
  expected.updatedBaseline(known, scenarios, scope);
const without = (...passes: PassName[]): RunScope => ({ ...WHOLE, withoutPasses: new Set(passes) });
const CHECK = 'idempotency/duplicate-ack-identical';
const failing = scenarioOf({ id: 'a', status: 'failed', checks: [failedCheckOf()] });
const passing = scenarioOf({ id: 'b', checks: [checkOf()] });
const baseline = (...matches: string[]) =>
  readBaseline(
    matches.map((match) => `- { match: ${JSON.stringify(match)}, reason: known }`).join('\n'),
    'known.yaml',
  );

describe('a baseline', () => {
  it.each([['a'], ['*'], [`a:${CHECK}`], ['a:idempotency/*']])(
    '%s excuses the failure that it names',
    (match) => {
      const { scenarios, stale } = applyBaseline([failing], baseline(match));
      expect(scenarios[0]).toMatchObject({
        status: 'passed',
        checks: [{ status: 'failed', expectedFailure: { match } }],
      });
      expect(stale).toEqual([]);
    },
  );

  it('leaves a scenario failed when one failure is not named', () => {
    const two = { ...failing, checks: [...failing.checks, failedCheckOf({ id: 'wire/x' })] };
    expect(applyBaseline([two], baseline(`a:${CHECK}`)).scenarios[0]?.status).toBe('failed');
  });

  it('excuses by its scenario what --require all demands', () => {
    const required = scenarioOf({ id: 'a', status: 'failed', reason: 'not served', checks: [] });
    expect(applyBaseline([required], baseline('a')).scenarios[0]?.status).toBe('notApplicable');
    expect(applyBaseline([required], baseline('b')).scenarios[0]?.status).toBe('failed');
  });

  it.each([
    ['what it names passed', [passing], 'b', true],
    ['one of what it names still fails', [passing, failing], '*', false],
    [
      'what it names warns',
      [scenarioOf({ id: 'b', checks: [checkOf({ status: 'warned', message: 'w' })] })],
      'b',
      false,
    ],
    ['what it names did not run', [passing], 'c', false],
    [
      'what it names could not be probed',
      [scenarioOf({ id: 'b', checks: [checkOf({ status: 'untestable' })] })],
      'b',
      false,
    ],
    ['its scenario broke off', [{ ...passing, status: 'errored' as const }], 'b', false],
  ])('is stale or not when %s', (_, scenarios, match, isStale) => {
    expect(applyBaseline(scenarios, baseline(match)).stale.length > 0).toBe(isStale);
  });

  it.each<[what: string, match: string, scope: RunScope, isStale: boolean]>([
    ['of one pass, and that pass ran', `b:${CHECK}`, without('restart', 'conflict'), true],
    ['of one pass, and that pass did not run', `b:${CHECK}`, without('duplicate'), false],
    ['of any pass, and one did not run', 'b:wire/one-frame-per-line', without('restart'), false],
    ['of any pass, and all ran', 'b:wire/one-frame-per-line', WHOLE, true],
    ['of several passes, and one did not run', 'b:idempotency/duplicate-*', without('rejected'), false],
    ['of several passes, which ran', 'b:idempotency/duplicate-*', without('restart'), true],
    ['of a whole scenario, and a pass did not run', 'b', without('malformed'), false],
    ['of all scenarios, and some were left out', `*:${CHECK}`, { ...WHOLE, allScenarios: false }, false],
    ['of one scenario, and others were left out', `b:${CHECK}`, { ...WHOLE, allScenarios: false }, true],
    ['of several checks, and some were left out', 'b:idempotency/*', { ...WHOLE, allChecks: false }, false],
    ['of one check, and others were left out', `b:${CHECK}`, { ...WHOLE, allChecks: false }, true],
  ])('names a check %s: what did not run says nothing', (_, match, scope, isStale) => {
    const ran = scenarioOf({
      id: 'b',
      checks: [checkOf(), checkOf({ id: 'wire/one-frame-per-line', pass: 'replay' })],
    });
    expect(applyBaseline([ran], baseline(match), scope).stale.length > 0).toBe(isStale);
    expect(updatedBaseline(baseline(match), [ran], scope).includes('match')).toBe(!isStale);
  });

  it('is certainly stale in a shard only where its scenario is no glob', () => {
    const { stale } = applyBaseline([passing], baseline('b', 'b:idempotency/*', '*:idempotency/*'));
    expect(stale).toHaveLength(3);
    expect(certainlyStale(stale).map(({ match }) => match)).toEqual(['b', 'b:idempotency/*']);
  });

  it.each([
    ['- match: a\n  reason:\n', /known\.yaml:2:10: a needs a reason/],
    ['- reason: b', /known\.yaml:1:3: match must be/],
    ['a: b', /known\.yaml:1:1: the file must be a list/],
    ['- match: a\n  reason: b\n  isue: c', /known\.yaml:3:9: unknown key "isue"/],
    ['- {match: a, reason: b}\n- {match: a, reason: c}', /known\.yaml:2:11: "a" is listed twice/],
    ['- match: [', /known\.yaml:1:11/],
    ['- 3', /known\.yaml:1:3: an entry must have/],
  ])('says where %j is wrong', (text, message) => {
    expect(() => readBaseline(text, 'known.yaml')).toThrow(message);
  });

  it('is updated: stale entries go, new failures come, reasons and comments stay', () => {
    const text = [
      '# Reviewed weekly.',
      '- match: b # fixed soon',
      '  reason: was broken',
      '# The ledger work.',
      '- match: "c:*"',
      '  reason: not run here',
      '  issue: https://tracker.example/1',
      '',
    ].join('\n');
    const updated = updatedBaseline(readBaseline(text, 'known.yaml'), [failing, passing]);
    expect(updated).toContain('# Reviewed weekly.');
    expect(updated).toContain('# The ledger work.');
    expect(updated).not.toContain('was broken');
    expect(readBaseline(updated, 'known.yaml').entries).toEqual([
      { match: 'c:*', reason: 'not run here', issue: 'https://tracker.example/1' },
      { match: `a:${CHECK}`, reason: expect.any(String) },
    ]);
    expect(updatedBaseline(readBaseline(updated, 'known.yaml'), [failing, passing])).toBe(updated);
  });

  it('starts empty and can become empty', () => {
    const first = updatedBaseline(emptyBaseline('known.yaml'), [failing]);
    expect(readBaseline(first, 'known.yaml').entries).toHaveLength(1);
    const last = updatedBaseline(readBaseline(first, 'known.yaml'), [{ ...passing, id: 'a' }]);
    expect(readBaseline(last, 'known.yaml').entries).toEqual([]);
    expect(last).toContain('#');
  });
});
