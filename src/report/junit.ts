import { differenceText } from './difference-lines.js';
import { forMarkup, forXmlText } from './escape.js';
import type { CheckResult, Report, ScenarioResult } from './model.js';
import { flakyInWords, placeInWords } from './problems.js';
import { traceLines } from './trace-lines.js';

/**
 * JUnit XML as GitLab and Jenkins read it: a suite per scenario, a case per check. What was not judged is skipped;
 * an expected failure is skipped too, so that the file is green exactly when the run is.
 */
export function renderJunit(report: Report): string {
  const suites = [
    ...report.scenarios.map((scenario, i) => suite(scenario, i, report)),
    ...staleSuite(report),
  ];
  const total = (count: (suite: Suite) => number) => suites.reduce((sum, suite) => sum + count(suite), 0);
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes({
      name: `${report.tool.name} ${report.target.label}`,
      tests: total(({ cases }) => cases.length),
      failures: total((s) => countOf(s, 'failure')),
      errors: total((s) => countOf(s, 'error')),
      skipped: total((s) => countOf(s, 'skipped')),
      time: seconds(report.durationMs),
    })}>`,
    ...suites.flatMap(suiteLines),
    '</testsuites>',
  ];
  return `${lines.join('\n')}\n`;
}

interface Suite {
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly cases: readonly Case[];
  readonly stderr: string;
}

interface Case {
  readonly classname: string;
  readonly name: string;
  readonly outcome?: {
    readonly tag: 'failure' | 'error' | 'skipped';
    readonly message: string;
    readonly body: string;
  };
  /** Shown with a case that passed: a warning or a note. */
  readonly remark?: string;
}

function suite(scenario: ScenarioResult, index: number, report: Report): Suite {
  const checks = scenario.checks.map((check): Case => checkCase(scenario, check));
  const own = scenarioCase(scenario);
  return {
    attributes: {
      id: index,
      name: scenario.id,
      timestamp: report.startedAt.replace(/\.\d+Z$/, ''),
      time: seconds(scenario.durationMs),
    },
    cases: own === undefined ? checks : [...checks, own],
    stderr: scenario.stderr ?? '',
  };
}

function checkCase(scenario: ScenarioResult, check: CheckResult): Case {
  const identity = { classname: scenario.id, name: `${check.id} (${placeInWords(check)})` };
  if (check.expectedFailure !== undefined && check.status === 'failed') {
    return {
      ...identity,
      outcome: { tag: 'skipped', message: `expected failure: ${check.expectedFailure.reason}`, body: '' },
    };
  }
  if (check.status === 'failed') {
    return {
      ...identity,
      outcome: { tag: 'failure', message: check.message || 'failed', body: failureBody(check) },
    };
  }
  if (check.status === 'notApplicable' || check.status === 'untestable') {
    return { ...identity, outcome: { tag: 'skipped', message: check.message || check.status, body: '' } };
  }
  const remark =
    check.message === '' ? '' : `${check.status === 'warned' ? 'warning' : 'note'}: ${check.message}`;
  const remarks = [remark, flakyInWords(check)].filter(Boolean).join('\n');
  return remarks === '' ? identity : { ...identity, remark: remarks };
}

/** A scenario without a verdict of its checks still has to show up: skipped, errored, or failed by its reason. */
function scenarioCase({ id, status, reason, checks }: ScenarioResult): Case | undefined {
  const identity = { classname: id, name: 'scenario' };
  const message = reason || status;
  if (status === 'errored') return { ...identity, outcome: { tag: 'error', message, body: message } };
  if (status === 'notApplicable') return { ...identity, outcome: { tag: 'skipped', message, body: '' } };
  if (status === 'failed' && !checks.some((check) => check.status === 'failed')) {
    return { ...identity, outcome: { tag: 'failure', message, body: message } };
  }
  return undefined;
}

function staleSuite({ staleExpectations = [] }: Report): Suite[] {
  if (staleExpectations.length === 0) return [];
  const cases = staleExpectations.map(({ match }): Case => {
    const message = `${match} is expected to fail, but no longer does`;
    return {
      classname: 'expected-failures',
      name: match,
      outcome: { tag: 'failure', message, body: message },
    };
  });
  return [{ attributes: { name: 'expected-failures', time: '0' }, cases, stderr: '' }];
}

function failureBody(check: CheckResult): string {
  return [
    `rule: ${check.requirement}`,
    check.message,
    ...(check.flaky === undefined ? [] : [flakyInWords(check)]),
    ...check.differences.flatMap((difference) => [
      difference.path,
      ...differenceText(difference).map((text) => `  ${text}`),
    ]),
    ...traceLines(check.evidence, { lines: 20, characters: 2000 }).map(
      ({ at, arrow, text }) => `${at} ms ${arrow} ${text}`,
    ),
    ...(check.rerun === undefined ? [] : [`again, just this: ${check.rerun}`]),
  ].join('\n');
}

function suiteLines(suite: Suite): string[] {
  const counts = {
    tests: suite.cases.length,
    failures: countOf(suite, 'failure'),
    errors: countOf(suite, 'error'),
    skipped: countOf(suite, 'skipped'),
  };
  return [
    `  <testsuite${attributes({ ...suite.attributes, ...counts })}>`,
    ...suite.cases.flatMap(caseLines),
    ...(suite.stderr === '' ? [] : [`    <system-err>${forXmlText(suite.stderr)}</system-err>`]),
    '  </testsuite>',
  ];
}

function caseLines({ classname, name, outcome, remark }: Case): string[] {
  // Durations are known per scenario, not per check; a missing time makes some readers drop the case.
  const open = `    <testcase${attributes({ classname, name, time: '0' })}`;
  if (outcome !== undefined) {
    const { tag, message, body } = outcome;
    const content = body === '' ? '/>' : `>${forXmlText(body)}</${tag}>`;
    return [`${open}>`, `      <${tag}${attributes({ message })}${content}`, '    </testcase>'];
  }
  return remark === undefined
    ? [`${open}/>`]
    : [`${open}>`, `      <system-out>${forXmlText(remark)}</system-out>`, '    </testcase>'];
}

function countOf({ cases }: Suite, tag: 'failure' | 'error' | 'skipped'): number {
  return cases.filter(({ outcome }) => outcome?.tag === tag).length;
}

function attributes(values: Readonly<Record<string, string | number>>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${forMarkup(String(value))}"`)
    .join('');
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}
