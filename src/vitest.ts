import { Chalk } from 'chalk';
import { describe, type TestContext, test } from 'vitest';
import { type ConformanceOptions, streamConformance } from './index.js';
import type { CheckResult, ScenarioResult } from './report/model.js';
import { failureLines } from './report/pretty-failure.js';
import { countsInWords } from './report/problems.js';
import { isViolation, totalsOf } from './report/verdict.js';

/**
 * Declares a run as vitest tests: a `describe` for each scenario as it ends, in it a test for each check. The servers
 * run while vitest collects the file, where no test's time limit can cut them short. What does not apply or could not
 * be probed is a skipped test with the reason; a warning is an annotation; a run that checked nothing fails.
 *
 * @example
 * // conformance.test.ts
 * import { conformance } from 'msp-conformance/vitest';
 * conformance({ command: ['node', 'server.js', '--stdio'] });
 */
export function conformance(options: ConformanceOptions & { readonly name?: string } = {}): void {
  describe(options.name ?? 'MSP conformance', async () => {
    const results = streamConformance(options);
    for (;;) {
      const next = await results.next();
      if (!next.done) {
        declareScenario(next.value);
        continue;
      }
      const { verdict, reason } = next.value;
      test('something was checked', () => {
        if (verdict === 'incomplete') throw new Error(reason);
      });
      return;
    }
  });
}

function declareScenario(scenario: ScenarioResult): void {
  describe(scenario.id, () => {
    const hasFailedCheck = scenario.checks.some(isViolation);
    if (scenario.status === 'notApplicable') test('applies', (context) => context.skip(scenario.reason));
    else if (scenario.status === 'errored' || (scenario.status === 'failed' && !hasFailedCheck)) {
      test('can be finished', () => {
        throw failure([scenario.reason, ...(scenario.stderr ? [scenario.stderr] : [])].join('\n\n'));
      });
    }
    // A check reports once for each command that it is about.
    for (const id of new Set(scenario.checks.map((check) => check.id))) {
      const results = scenario.checks.filter((check) => check.id === id);
      test(id, (context) => judge(scenario, results, context));
    }
  });
}

async function judge(
  scenario: ScenarioResult,
  results: readonly CheckResult[],
  context: TestContext,
): Promise<void> {
  for (const { status, message } of results)
    if (status === 'warned') await context.annotate(message, 'warning');
  const violations = results.filter(isViolation);
  if (violations.length > 0)
    throw failure(violations.map((check, i) => inWords(scenario, check, i)).join('\n\n'));
  const isJudged = results.some(({ status }) => status === 'passed' || status === 'warned');
  if (!isJudged) context.skip(results[0]?.message || countsInWords(totalsOf([scenario]).checks));
}

const CHALK = new Chalk({ level: 0 });
const RENDERING = { colorLevel: 0, width: 110, quiet: false, verbose: false } as const;

/** The message, then rule, differences, frames and server log as the terminal report shows them. */
function inWords(scenario: ScenarioResult, check: CheckResult, i: number): string {
  const view = { number: i + 1, chalk: CHALK, options: RENDERING, isFirst: i === 0 };
  const [, ...rest] = failureLines({ scenario, check: { ...check, message: '' } }, view);
  return [check.message, ...rest].join('\n');
}

/** The stack would show this file, which is nobody's concern. */
function failure(message: string): Error {
  const error = new Error(message);
  error.stack = `Error: ${message}`;
  return error;
}
