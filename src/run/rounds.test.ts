import { describe, expect, it } from 'vitest';
import type { CheckStatus } from '../checks/finding.js';
import type { CheckResult, ScenarioResult } from '../report/model.js';
import { mergeRounds } from './rounds.js';

const check = (id: string, status: CheckStatus, pass: CheckResult['pass'] = 'replay') =>
  ({ id, status, pass }) as CheckResult;
const round = (status: ScenarioResult['status'], ...checks: CheckResult[]) =>
  ({ id: 's', status, checks }) as unknown as ScenarioResult;
const flaky = ({ checks }: ScenarioResult) =>
  checks.flatMap(({ id, flaky }) => (flaky === undefined ? [] : [[id, ...flaky]]));

describe('the rounds of one scenario', () => {
  it('one round is itself', () => {
    const only = round('passed', check('a', 'passed'));
    expect(mergeRounds([only])).toBe(only);
  });

  it.each([
    [['passed', 'failed', 'passed'], 'failed'],
    [['notApplicable', 'passed'], 'passed'],
    [['errored', 'failed'], 'failed'],
    [['passed', 'errored'], 'errored'],
  ] as const)('%j count as %s', (statuses, worst) => {
    expect(mergeRounds(statuses.map((status) => round(status))).status).toBe(worst);
  });

  it('of failed ones the one with most failures speaks', () => {
    const merged = mergeRounds([
      round('failed', check('a', 'failed')),
      round('failed', check('a', 'failed'), check('b', 'failed')),
    ]);
    expect(merged.checks.map(({ id }) => id)).toEqual(['a', 'b']);
  });

  it('a check whose verdict changed names all its verdicts, in order', () => {
    const merged = mergeRounds([
      round('passed', check('a', 'passed')),
      round('failed', check('a', 'failed')),
      round('passed'),
    ]);
    expect(flaky(merged)).toEqual([['a', 'passed', 'failed', 'notApplicable']]);
  });

  it('a check that reports often is told of once, by its worst', () => {
    const rounds = [
      round('failed', check('a', 'passed'), check('a', 'failed'), check('a', 'failed')),
      round('passed', check('a', 'passed'), check('a', 'passed')),
    ];
    expect(flaky(mergeRounds(rounds))).toEqual([['a', 'failed', 'passed']]);
  });

  it('a rule that names the pass in which it was broken was kept in the rounds in which it names none', () => {
    const rounds = [
      round('passed', check('wire/x', 'passed')),
      round('failed', check('wire/x', 'failed', 'restart')),
    ];
    expect(flaky(mergeRounds(rounds))).toEqual([['wire/x', 'passed', 'failed']]);
  });

  it('the same check in another pass is another check', () => {
    const rounds = [
      round('failed', check('a', 'failed', 'duplicate'), check('a', 'passed', 'restart')),
      round('failed', check('a', 'failed', 'duplicate'), check('a', 'passed', 'restart')),
    ];
    expect(flaky(mergeRounds(rounds))).toEqual([]);
  });
});
