import { describe, expect, it } from 'vitest';
import { checkOf, failedCheckOf, reportOf, scenarioOf } from '../../test/report/sample-report.js';
import { renderGithub } from './github.js';
import { renderHtml } from './html/html.js';
import { renderJunit } from './junit.js';
import { renderMarkdown } from './markdown.js';
import { renderPretty } from './pretty.js';
import { renderTap } from './tap.js';

const OPTIONS = { colorLevel: 0, width: 200, quiet: false, verbose: false } as const;
const report = reportOf([
  scenarioOf({
    status: 'failed',
    checks: [
      failedCheckOf({ flaky: ['passed', 'failed'] }),
      checkOf({ id: 'wire/utf8', flaky: ['warned', 'passed'] }),
      checkOf({ id: 'wire/json-object' }),
    ],
  }),
]);

/** What each renderer writes for a check whose verdict changed: once it failed, once it ended as passed. */
describe('a verdict that changed from round to round', () => {
  it.each([
    ['pretty', renderPretty(report, OPTIONS)],
    ['pretty --quiet', renderPretty(report, { ...OPTIONS, quiet: true })],
    ['github', renderGithub(report)],
    ['junit', renderJunit(report)],
    ['markdown', renderMarkdown(report)],
    ['html', renderHtml(report)],
  ])('is named by %s', (_, text) => {
    expect(text).toContain('flaky: passed, failed');
    expect(text).toContain('flaky: warned, passed');
    expect(text.match(/wire\/json-object.*flaky/)).toBeNull();
  });

  it('is a member of the diagnostics of TAP', () => {
    expect(renderTap(report)).toContain('flaky: ["passed","failed"]');
    expect(renderTap(report)).toContain('flaky: ["warned","passed"]');
  });

  it('is counted beside the totals', () => {
    expect(renderPretty(report, OPTIONS)).toContain('2 passed, 1 failed, 2 of them flaky');
  });
});

describe('a warning', () => {
  const warned = reportOf([
    scenarioOf({
      checks: [checkOf({ status: 'warned', message: 'x', rerun: 'msp-conformance run --only a:b' })],
    }),
  ]);

  it.each([
    [true, '     $ msp-conformance run --only a:b\n'],
    [false, ''],
  ])('shows the command that repeats it with --verbose only (%s)', (verbose, line) => {
    expect(/^ *\$ msp-conformance .*\n/m.exec(renderPretty(warned, { ...OPTIONS, verbose }))?.[0] ?? '').toBe(
      line,
    );
  });
});
