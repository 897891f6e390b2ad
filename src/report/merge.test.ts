import { describe, expect, it } from 'vitest';
import { failedCheckOf, reportOf, scenarioOf } from '../../test/report/sample-report.js';
import { mergeReports } from './merge.js';

const a = scenarioOf({ id: 'a' });
const b = scenarioOf({ id: 'b', status: 'failed', checks: [failedCheckOf()] });
const c = scenarioOf({ id: 'c' });

describe('merging shards', () => {
  it('gives the report that one machine would have written, time aside', () => {
    const merged = mergeReports([reportOf([c, a]), reportOf([b])]);
    expect(merged).toEqual(reportOf([a, b, c], { durationMs: 2 * 5321 }));
  });

  it('knows the server from the shard that met it, and takes the earliest start', () => {
    const whole = reportOf([a]);
    const deaf = reportOf([scenarioOf({ id: 'd', status: 'errored', reason: 'r', checks: [] })], {
      target: { ...whole.target, serverInfo: null, sessionDurability: null },
      schema: { ...whole.schema, served: null, match: false },
      startedAt: '2025-01-01T00:00:00.000Z',
    });
    expect(mergeReports([deaf, whole])).toMatchObject({
      target: whole.target,
      schema: whole.schema,
      startedAt: deaf.startedAt,
      verdict: 'incomplete',
    });
  });

  it('drops a stale expectation that another shard still needs', () => {
    const needed = { match: '*:x', reason: 'r' };
    const gone = { match: 'a:y', reason: 'r' };
    const first = reportOf([a], { staleExpectations: [needed, gone] });
    const second = reportOf([scenarioOf({ id: 'b', checks: [failedCheckOf({ expectedFailure: needed })] })]);
    expect(mergeReports([first, second])).toMatchObject({
      staleExpectations: [gone],
      verdict: 'nonconformant',
    });
    expect(mergeReports([{ ...first, staleExpectations: [needed] }, second]).verdict).toBe('conformant');
  });

  it('is incomplete when one of them was ended, and says by what', () => {
    const ended = {
      verdict: 'incomplete',
      reason: 'the run was ended by SIGTERM',
      endedBy: 'SIGTERM',
    } as const;
    expect(mergeReports([reportOf([a]), reportOf([c], ended)])).toMatchObject(ended);
    expect(mergeReports([reportOf([a], ended), reportOf([b])])).toMatchObject({
      verdict: 'nonconformant',
      endedBy: 'SIGTERM',
    });
  });

  it.each([
    [
      'another seed',
      reportOf([b], { seed: 7 }),
      /not shards of one run: seed is 42 in the first, 7 in report 2/,
    ],
    ['another tool', reportOf([b], { tool: { name: 'msp-conformance', version: '9' } }), /tool is/],
    ['another target', reportOf([b], { target: { ...reportOf([]).target, label: 'other' } }), /target is/],
    ['another schema', reportOf([b], { schema: { ...reportOf([]).schema, fingerprint: 'x' } }), /schema is/],
    ['a scenario twice', reportOf([a]), /Scenario "a" is in more than one report/],
  ])('refuses %s', (_, other, message) => {
    expect(() => mergeReports([reportOf([a]), other])).toThrow(message);
  });

  it('refuses nothing at all', () => {
    expect(() => mergeReports([])).toThrow(/no report/);
  });
});
