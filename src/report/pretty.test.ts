import { describe, expect, it } from 'vitest';
import {
  checkOf,
  failedCheckOf,
  HOSTILE_STRINGS,
  hostileReport,
  mixedReport,
  reportOf,
  scenarioOf,
} from '../../test/report/sample-report.js';
import { renderPretty } from './pretty.js';

const OPTIONS = { colorLevel: 0, width: 100, quiet: false, verbose: false } as const;

describe('the pretty report', () => {
  const text = renderPretty(mixedReport(), OPTIONS);

  it.each([
    ['the server and the tool', 'msp-conformance 0.1.0  demo-server 2.3.1 · node server.js, stdio, durable'],
    ['one line per scenario', '  ✔ goal-set-round-trip                1 check     1.3 s'],
    ['the failed check', '✘ 1) idempotency/duplicate-ack-identical'],
    ['where', 'text-run-single-turn · pass duplicate · step 5 · turn/start'],
    ['the rule', 'rule MSP commands: exactly-once effect'],
    ['a difference', '/result/turnId\n       - expected "0198f0aa-01"\n       + actual   "0198f0aa-02"'],
    ['a missing member', '- expected "started"\n       + actual   (absent)'],
    ['a type', '- expected true  (boolean)\n       + actual   "true"  (string)'],
    [
      'a block line by line',
      '  "sessionId": "0198f0aa-0000",\n       -   "status": "idle",\n       +   "status": "running",',
    ],
    ['a long string where it differs', '- expected …uld hold, and then says yes"  (from character 53)'],
    ['the wire trace', ' 47 ← {"jsonrpc":"2.0","id":6,"result":{"turnId":"0198f0aa-02"}}'],
    ['stderr', '│ warning: ledger index rebuilt'],
    [
      'the command to repeat it',
      "$ msp-conformance run --only 'text-run-single-turn:idempotency/duplicate-ack-identical'",
    ],
    ['what tells more about the rule', '$ msp-conformance explain idempotency/duplicate-ack-identical'],
    [
      'what did not apply and why',
      "– approval-round-trip  the target names no behaviour `approval`; add --behaviour approval='…'",
    ],
    ['what errored', '! cursor-retained errored\n     the server did not start within 10 s'],
    ['notes by count', '1 check could not be probed, 1 note; --verbose shows them.'],
  ])('shows %s', (_, expected) => {
    expect(text).toContain(expected);
  });

  it('ends with the verdict and the totals', () => {
    expect(text.split('\n\n').at(-1)).toBe(
      [
        'NONCONFORMANT',
        '  scenarios  1 passed, 1 failed, 1 not applicable, 1 errored',
        '  checks     3 passed, 1 failed, 1 warned, 1 untestable',
        '  time       5.3 s',
        '',
      ].join('\n'),
    );
  });

  it('says why a run is incomplete', () => {
    expect(renderPretty(reportOf([]), OPTIONS)).toContain(
      'INCOMPLETE: no scenario was selected, so nothing was checked',
    );
  });

  it('names a cause that stopped several scenarios once', () => {
    const stopped = ['a', 'b', 'c'].map((id) =>
      scenarioOf({ id, status: 'errored', reason: 'no start', checks: [] }),
    );
    expect(renderPretty(reportOf(stopped), OPTIONS)).toContain(
      '! 3 scenarios errored\n     no start\n     a, b, c\n',
    );
  });

  it('with --quiet has only failures and the verdict', () => {
    const quiet = renderPretty(mixedReport(), { ...OPTIONS, quiet: true });
    expect(quiet).toContain('idempotency/duplicate-ack-identical');
    expect(quiet).toContain('NONCONFORMANT');
    expect(quiet).not.toContain('goal-set-round-trip');
    expect(quiet).not.toContain('Warnings');
    expect(renderPretty(reportOf([scenarioOf()]), { ...OPTIONS, quiet: true })).toMatch(/^CONFORMANT\n/);
  });

  it('with --verbose shows each note', () => {
    expect(renderPretty(mixedReport(), { ...OPTIONS, verbose: true })).toContain('unknown member /result/x');
  });

  it('shows the first failures in full and the rest in one line each', () => {
    const checks = Array.from({ length: 14 }, (_, i) => failedCheckOf({ id: `wire/rule-${i}` }));
    const report = reportOf([scenarioOf({ status: 'failed', checks, stderr: 'boom' })]);
    expect(renderPretty(report, OPTIONS).match(/again, just this/g)).toHaveLength(10);
    expect(renderPretty(report, OPTIONS)).toContain('✘ text-run-single-turn · wire/rule-13');
    expect(renderPretty(report, OPTIONS).match(/│ boom/g)).toHaveLength(1);
    expect(renderPretty(report, { ...OPTIONS, verbose: true }).match(/again, just this/g)).toHaveLength(14);
  });

  it('lists expected failures and stale expectations', () => {
    const expectedFailure = { match: 'a', reason: 'ledger rewrite', issue: 'https://tracker.example/7' };
    const report = reportOf([scenarioOf({ checks: [failedCheckOf({ expectedFailure }), checkOf()] })], {
      staleExpectations: [{ match: 'old:*', reason: 'was slow' }],
    });
    const shown = renderPretty(report, OPTIONS);
    expect(shown).toContain('ledger rewrite (https://tracker.example/7)');
    expect(shown).toContain('✘ old:*  was slow');
    expect(shown).toContain('1 failed (1 of the failures expected)');
  });

  it('tells a failure that was expected from a pass and from a failure', () => {
    const expectedFailure = { match: 'a', reason: 'ledger rewrite' };
    const report = reportOf([scenarioOf({ checks: [failedCheckOf({ expectedFailure }), checkOf()] })]);
    const shown = renderPretty(report, OPTIONS);
    expect(shown).toMatch(/^ {2}⊘ text-run-single-turn {2}1 of 2 checks failed as expected/m);
    expect(shown).toMatch(/^ {2}⊘ text-run-single-turn · idempotency.* ledger rewrite$/m);
    expect(shown).not.toMatch(/[✔✘]/);
  });

  it('says a warning once, with the scenarios that share it', () => {
    const warned = checkOf({ id: 'schema/fingerprint', status: 'warned', message: 'Another schema.' });
    const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
    const report = reportOf(ids.map((id) => scenarioOf({ id, checks: [warned] })));
    const shown = renderPretty(report, OPTIONS);
    expect(shown).toContain(
      'Warnings\n  ▲ schema/fingerprint in 7 scenarios (a, b, c, d, e, …)\n     Another schema.\n\n',
    );
    expect(renderPretty(report, { ...OPTIONS, verbose: true })).toContain('(a, b, c, d, e, f, g)');
    const twice = reportOf([scenarioOf({ id: 'a', checks: [warned, warned] })]);
    expect(renderPretty(twice, OPTIONS)).toContain('▲ schema/fingerprint 2 times in a\n');
  });

  it('counts and names the scenarios that share a reason not to have been run', () => {
    const unrun = ['a', 'b', 'c'].map((id) =>
      scenarioOf({ id, status: 'notApplicable', reason: 'not run: ended before', checks: [] }),
    );
    expect(renderPretty(reportOf([scenarioOf(), ...unrun]), OPTIONS)).toContain(
      '  – 3 scenarios  not run: ended before\n     a, b, c\n',
    );
  });

  it('has no row for each of many scenarios that were not begun', () => {
    const reason = 'not run: the server did not start';
    const unbegun = { status: 'errored', reason, checks: [], durationMs: 0 } as const;
    const ids = ['a', 'b', 'c', 'd'];
    const shown = renderPretty(
      reportOf([scenarioOf(), ...ids.map((id) => scenarioOf({ id, ...unbegun }))]),
      OPTIONS,
    );
    expect(shown).toContain('  – 4 of 5 were not run: see below\n');
    expect(shown).toContain(
      '! 4 scenarios errored\n     not run: the server did not start\n     a, b, c, d\n',
    );
    expect(shown).not.toMatch(/^ {2}! a /m);
  });

  it('survives huge values', () => {
    const expected = 'x'.repeat(3_000_000);
    const differences = [
      { path: '/a', kind: 'changed' as const, expected, actual: `${expected}y` },
      { path: '/b', kind: 'changed' as const, expected: [expected], actual: [`${expected}y`] },
      { path: '/c', kind: 'missing' as const, expected },
    ];
    const evidence = Array.from({ length: 5000 }, (_, i) => ({
      atMs: i,
      dir: 'server' as const,
      raw: 'y'.repeat(5000),
    }));
    const report = reportOf([
      scenarioOf({ status: 'failed', checks: [failedCheckOf({ differences, evidence })] }),
    ]);
    expect(renderPretty(report, OPTIONS).length).toBeLessThan(20_000);
  });

  it.each(HOSTILE_STRINGS)('has no escape sequence but its own around %j', (hostile) => {
    const colored = renderPretty(hostileReport(hostile), { ...OPTIONS, colorLevel: 3 });
    expect(colored.replaceAll(/\u001b\[\d+(?:;\d+)*m/g, '')).toBe(
      renderPretty(hostileReport(hostile), OPTIONS),
    );
  });
});
