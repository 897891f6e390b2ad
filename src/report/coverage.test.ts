import { describe, expect, it } from 'vitest';
import { checkOf, scenarioOf } from '../../test/report/sample-report.js';
import { coverageOf, mergeCoverage } from './coverage.js';

describe('coverage', () => {
  it('gives each method the worst status of each pass, and names what nobody sent', () => {
    const checks = [
      checkOf({ status: 'passed' }),
      checkOf({ status: 'failed' }),
      checkOf({ status: 'notApplicable', pass: 'restart' }),
      checkOf({ status: 'passed', pass: 'restart' }),
      checkOf({ method: null }),
    ];
    expect(
      coverageOf([scenarioOf({ checks })], ['turn/start', 'initialize'], ['goal/set', 'turn/start']),
    ).toEqual([
      { method: 'goal/set', exercised: false, passes: {} },
      { method: 'initialize', exercised: true, passes: {} },
      { method: 'turn/start', exercised: true, passes: { duplicate: 'failed', restart: 'passed' } },
    ]);
  });

  it('merges: exercised anywhere, worst everywhere', () => {
    expect(
      mergeCoverage([
        { method: 'a', exercised: false, passes: { replay: 'warned' } },
        { method: 'a', exercised: true, passes: { replay: 'passed', conflict: 'untestable' } },
      ]),
    ).toEqual([{ method: 'a', exercised: true, passes: { replay: 'warned', conflict: 'untestable' } }]);
  });
});
