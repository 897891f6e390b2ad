import { forJson, forTerminal } from './escape.js';
import type { CheckResult, Report, ScenarioResult } from './model.js';
import { flakyInWords, placeInWords } from './problems.js';

/** TAP version 14: a subtest per scenario, a point per check, YAML diagnostics under what failed or warned. */
export function renderTap(report: Report): string {
  const stale = report.staleExpectations ?? [];
  const lines = [
    'TAP version 14',
    `1..${report.scenarios.length + stale.length}`,
    ...report.scenarios.flatMap((scenario, i) => scenarioLines(scenario, i + 1)),
    ...stale.map(
      ({ match }, i) =>
        `not ok ${report.scenarios.length + i + 1} - ${description(`stale expected failure ${match}`)}`,
    ),
    `# ${report.verdict}${report.reason === undefined ? '' : `: ${forTerminal(report.reason)}`}`,
  ];
  return `${lines.join('\n')}\n`;
}

function scenarioLines(scenario: ScenarioResult, number: number): string[] {
  const { id, status, reason, checks } = scenario;
  if (status === 'notApplicable') return [`ok ${number} - ${description(id)} # SKIP ${forTerminal(reason)}`];
  const points = checks.flatMap((check, i) => checkLines(check, i + 1));
  // A point's verdict must agree with its subtest, so a failure that the baseline expects is a TODO there.
  const verdict = status === 'passed' ? 'ok' : 'not ok';
  return [
    ...(checks.length === 0
      ? []
      : [`# Subtest: ${description(id)}`, `    1..${checks.length}`, ...points.map(indent)]),
    `${verdict} ${number} - ${description(id)}`,
    ...(reason === ''
      ? []
      : diagnostics({ message: reason, ...(scenario.stderr ? { stderr: scenario.stderr } : {}) })),
  ];
}

function checkLines(check: CheckResult, number: number): string[] {
  const point = `${check.status === 'failed' ? 'not ok' : 'ok'} ${number} - ${description(`${check.id} (${placeInWords(check)})`)}`;
  switch (check.status) {
    case 'notApplicable':
    case 'untestable':
      return [`${point} # SKIP ${forTerminal(check.message)}`];
    case 'failed':
      return [
        check.expectedFailure === undefined
          ? point
          : `${point} # TODO ${forTerminal(check.expectedFailure.reason)}`,
        ...diagnostics({
          message: check.message,
          severity: check.severity,
          ...(check.flaky === undefined ? {} : { flaky: check.flaky }),
          requirement: check.requirement,
          differences: check.differences,
          evidence: check.evidence,
          ...(check.rerun === undefined ? {} : { rerun: check.rerun }),
        }),
      ];
    default:
      return check.message === '' && check.flaky === undefined
        ? [point]
        : [
            point,
            ...diagnostics({
              message: check.message || flakyInWords(check),
              ...(check.flaky === undefined ? {} : { flaky: check.flaky }),
              severity: check.status === 'warned' ? 'warning' : 'note',
            }),
          ];
  }
}

/** JSON is YAML: each value on its own line, quoted, so that nothing in it can end the block. */
function diagnostics(members: Readonly<Record<string, unknown>>): string[] {
  const entries = Object.entries(members).map(
    ([name, value]) => `${name}: ${forJson(JSON.stringify(value))}`,
  );
  return ['---', ...entries, '...'].map((line) => `  ${line}`);
}

function description(text: string): string {
  return forTerminal(text).replace(/[\\#]/g, (char) => `\\${char}`);
}

function indent(line: string): string {
  return `    ${line}`;
}
