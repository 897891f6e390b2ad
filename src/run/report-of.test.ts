import { describe, expect, it } from 'vitest';
import type { PassName } from '../checks/finding.js';
import { mergeReports } from '../report/merge.js';
import type { CheckResult, ScenarioResult } from '../report/model.js';
import { compilePattern } from '../report/pattern.js';
import { reportOf } from './report-of.js';
import { setup } from './testing/suite.js';

type Seen = readonly [id: string, pass: PassName, status: CheckResult['status']];
const ANSWERED: Seen = ['replay/answered', 'replay', 'passed'];

function reportFor(seen: readonly Seen[], changes: Parameters<typeof setup>[0], isShard = false) {
  const checks = seen.map(([id, pass, status]): CheckResult => {
    const where = { step: null, method: null, message: '', requirement: '', differences: [], evidence: [] };
    return { id, pass, status, severity: 'must', ...where };
  });
  const scenarios: ScenarioResult[] = [
    { id: 'a', title: 'a', status: 'passed', reason: '', durationMs: 1, checks },
  ];
  return reportOf(
    { scenarios, identity: undefined, exercised: new Set(), cutShort: false },
    { scenarios, stale: [], failing: [] },
    { tool: { name: 'tool', version: '1' }, setup: setup(changes), startedAt: new Date(0), isShard },
  );
}

describe('passes that were asked for', () => {
  const asked = { passes: new Set<PassName>(['restart', 'conflict']), asksForPasses: true };
  const only = [compilePattern('a:replay/answered')];

  it.each<[what: string, seen: readonly Seen[], changes: Parameters<typeof setup>[0], verdict: string]>([
    ['and ran', [ANSWERED, ['idempotency/conflict-rejected', 'conflict', 'passed']], asked, 'conformant'],
    ['and ran nowhere', [ANSWERED], asked, 'incomplete'],
    [
      'and could not be run',
      [ANSWERED, ['idempotency/restart-duplicate-identical', 'restart', 'untestable']],
      asked,
      'incomplete',
    ],
    [
      'and of which only the exit is known',
      [ANSWERED, ['process/orderly-exit', 'restart', 'passed']],
      asked,
      'incomplete',
    ],
    ['beside a violation', [['replay/answered', 'replay', 'failed']], asked, 'nonconformant'],
    ['beside checks by name', [ANSWERED], { ...asked, only }, 'conformant'],
    ['by default only', [ANSWERED], { ...asked, asksForPasses: false }, 'conformant'],
    ['as none', [ANSWERED], { ...asked, passes: new Set() }, 'conformant'],
  ])('%s', (_what, seen, changes, verdict) => {
    expect(reportFor(seen, changes).verdict).toBe(verdict);
  });

  it('may have nothing to judge in one shard, which the merged report decides on', () => {
    const shard = (id: string, seen: readonly Seen[]) => {
      const report = reportFor(seen, asked, true);
      return { ...report, scenarios: report.scenarios.map((scenario) => ({ ...scenario, id })) };
    };
    const without = shard('a', [ANSWERED]);
    const having = shard('b', [ANSWERED, ['idempotency/conflict-rejected', 'conflict', 'passed']]);
    expect(without.verdict).toBe('conformant');
    expect(mergeReports([without, having]).verdict).toBe('conformant');
    expect(mergeReports([without, shard('c', [ANSWERED])])).toMatchObject({
      verdict: 'incomplete',
      reason: expect.stringContaining('restart, conflict'),
    });
  });

  it('are named in the reason', () => {
    expect(reportFor([ANSWERED], asked).reason).toContain('restart, conflict');
  });
});
