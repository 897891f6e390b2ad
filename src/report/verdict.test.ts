import { describe, expect, it } from 'vitest';
import { checkOf, failedCheckOf, scenarioOf } from '../../test/report/sample-report.js';
import { exitCodeOf, strictly, totalsOf, verdictOf } from './verdict.js';

const passed = scenarioOf();
const failed = scenarioOf({ status: 'failed', checks: [failedCheckOf()] });
const warned = scenarioOf({ checks: [checkOf({ status: 'warned', message: 'w' })] });
const errored = scenarioOf({ id: 'x', status: 'errored', reason: 'no start', checks: [] });
const notApplicable = scenarioOf({ status: 'notApplicable', reason: 'n/a', checks: [] });
const expected = scenarioOf({ checks: [failedCheckOf({ expectedFailure: { match: 'a', reason: 'b' } })] });
const required = scenarioOf({ status: 'failed', reason: 'methodNotFound', checks: [] });
const untestable = scenarioOf({ checks: [checkOf({ status: 'untestable', message: 'u' })] });

describe('the verdict', () => {
  it('says how far a run came that was ended', () => {
    const unrun = scenarioOf({ id: 'u', status: 'notApplicable', reason: 'not run: ended', checks: [] });
    expect(verdictOf([passed, unrun, unrun], [], { endedBy: 'SIGINT' })).toEqual({
      verdict: 'incomplete',
      reason: 'the run was ended by SIGINT; 2 of 3 scenarios were not run to their end',
    });
    expect(verdictOf([failed, unrun], [], { endedBy: 'SIGINT' }).verdict).toBe('nonconformant');
  });

  it.each([
    ['all passed', [passed], 'conformant', 0],
    ['a warning only', [warned], 'conformant', 0],
    ['an expected failure only', [expected], 'conformant', 0],
    ['something passed, something did not apply', [passed, notApplicable], 'conformant', 0],
    ['a failure', [passed, failed], 'nonconformant', 1],
    ['a failure beside an error', [errored, failed], 'nonconformant', 1],
    ['a required scenario that does not apply', [passed, required], 'nonconformant', 1],
    [
      'a failed check in a scenario that errored',
      [{ ...errored, checks: [failedCheckOf()] }],
      'nonconformant',
      1,
    ],
    ['an error beside passes', [passed, errored], 'incomplete', 3],
    ['no scenario', [], 'incomplete', 3],
    ['nothing applied', [notApplicable], 'incomplete', 3],
    ['nothing could be probed', [untestable], 'incomplete', 3],
  ] as const)('of a run in which %s', (_, scenarios, verdict, exitCode) => {
    const outcome = verdictOf(scenarios);
    expect(outcome.verdict).toBe(verdict);
    expect(exitCodeOf(outcome)).toBe(exitCode);
    expect(outcome.reason !== undefined).toBe(verdict === 'incomplete');
  });

  it('is against a run with a stale expectation', () => {
    expect(verdictOf([passed], [{ match: 'a', reason: 'b' }]).verdict).toBe('nonconformant');
  });

  it('names the scenario that could not be finished', () => {
    expect(verdictOf([errored, { ...errored, id: 'y' }]).reason).toBe(
      'x could not be finished: no start (and 1 more)',
    );
  });
});

describe('--strict', () => {
  it('turns warnings into failures and leaves the rest', () => {
    const [strict, untouched, unfinished] = [warned, passed, { ...errored, checks: warned.checks }].map(
      strictly,
    );
    expect(strict).toMatchObject({ status: 'failed', checks: [{ status: 'failed' }] });
    expect(untouched).toBe(passed);
    expect(unfinished?.status).toBe('errored');
  });
});

describe('totals', () => {
  it('count every status, also those that did not occur', () => {
    expect(totalsOf([passed, failed, warned, notApplicable])).toEqual({
      scenarios: { passed: 2, failed: 1, notApplicable: 1, errored: 0 },
      checks: { passed: 1, failed: 1, warned: 1, notApplicable: 0, untestable: 0 },
    });
  });
});
