import { differenceText } from './difference-lines.js';
import { formatDuration } from './duration.js';
import { forMarkdown, forMarkup, markdownCode } from './escape.js';
import type { Report } from './model.js';
import {
  byMessage,
  byReason,
  byRule,
  countsInWords,
  everyRuleFirst,
  flakyInWords,
  type Problem,
  placeInWords,
  plural,
  problemsOf,
  STATUS_WORDS,
  targetInWords,
} from './problems.js';
import { traceLines } from './trace-lines.js';

/** A comment for a pull request: verdict, counts, the failures in a table, the first ones' details folded. */
export function renderMarkdown(report: Report): string {
  const problems = problemsOf(report);
  const violations = everyRuleFirst(problems.violations);
  const sections = [
    `## ${VERDICT_SYMBOLS[report.verdict]} MSP conformance: ${report.verdict}`,
    ...(report.reason === undefined ? [] : [forMarkdown(report.reason)]),
    `${forMarkdown(targetInWords(report))}, checked by ${forMarkdown(`${report.tool.name} ${report.tool.version}`)} in ${formatDuration(report.durationMs)}`,
    `- scenarios: ${countsInWords(report.totals.scenarios)}\n- checks: ${countsInWords(report.totals.checks)}`,
    failureTable(violations),
    list(
      'Scenarios without a verdict',
      problems.scenarios.map(
        ({ id, status, reason }) =>
          `${markdownCode(id)} ${STATUS_WORDS[status].words}: ${forMarkdown(cut(reason))}`,
      ),
    ),
    list(
      'Stale expected failures',
      (report.staleExpectations ?? []).map(({ match }) => `${markdownCode(match)} no longer fails`),
    ),
    list(
      'Flaky, the verdict of each round',
      problems.flaky.map(
        ({ scenario, check }) =>
          `${markdownCode(`${scenario.id} ${check.id}`)} ${forMarkdown(`${placeInWords(check)}, ${flakyInWords(check)}`)}`,
      ),
    ),
    ...violations.slice(0, DETAILS).map(details),
    folded(
      plural(problems.warnings.length, 'warning'),
      byMessage(problems.warnings)
        .slice(0, ROWS)
        .map(
          ([first, ...others]) =>
            `- ${markdownCode(`${first.scenario.id} ${first.check.id}`)}${alsoIn(others.length)} ${forMarkdown(cut(first.check.message))}`,
        ),
    ),
    folded(
      plural(problems.expected.length, 'expected failure'),
      problems.expected
        .slice(0, ROWS)
        .map(
          ({ scenario, check }) =>
            `- ${markdownCode(`${scenario.id} ${check.id}`)} ${forMarkdown(cut(check.expectedFailure?.reason ?? ''))}`,
        ),
    ),
    folded(
      `${plural(problems.notApplicable.length, 'scenario')} not applicable`,
      byReason(problems.notApplicable)
        .slice(0, ROWS)
        .map(
          ({ reason, scenarios: [first, ...others] }) =>
            `- ${markdownCode(first?.id ?? '')}${alsoIn(others.length)} ${forMarkdown(cut(reason))}`,
        ),
    ),
  ];
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`;
}

const VERDICT_SYMBOLS = { conformant: '✅', nonconformant: '❌', incomplete: '⚠️' } as const;
/** A comment may hold 65,536 characters; these caps keep it far below. */
const ROWS = 20;
const DETAILS = 5;
const NAMES = 3;
const MESSAGE = 240;

/** A row per rule: its first failure, and how often and where it was broken. */
function failureTable(violations: readonly Problem[]): string {
  if (violations.length === 0) return '';
  const rules = byRule(violations);
  const rows = rules.slice(0, ROWS).map((group) => {
    const [first] = group;
    if (first === undefined) return '';
    const ids = [...new Set(group.map(({ scenario }) => scenario.id))];
    const shown = ids.slice(0, NAMES).map(markdownCode).join(', ');
    const where = `${shown}${ids.length > NAMES ? `, … (${ids.length})` : ''}`;
    const [line = ''] = first.check.message.split('\n');
    const found = `${forMarkdown(cut(line))} (${forMarkdown(placeInWords(first.check))})`;
    return `| ${[markdownCode(first.check.id), `${group.length}`, where, found].join(' | ')} |`;
  });
  const more = rules.length > ROWS ? [`\n… and ${rules.length - ROWS} more`] : [];
  return ['| check | times | scenarios | found first |', '|---|---|---|---|', ...rows, ...more].join('\n');
}

/** Whatever else says the same. */
function alsoIn(others: number): string {
  return others === 0 ? '' : ` and ${others} more:`;
}

function list(title: string, entries: readonly string[]): string {
  return entries.length === 0
    ? ''
    : [`**${title}**\n`, ...entries.slice(0, ROWS).map((entry) => `- ${entry}`)].join('\n');
}

function folded(summary: string, lines: readonly string[]): string {
  return lines.length === 0
    ? ''
    : `<details><summary>${summary}</summary>\n\n${lines.join('\n')}\n\n</details>`;
}

function details({ scenario, check }: Problem): string {
  const differences = check.differences
    .slice(0, 8)
    .flatMap((difference) => [difference.path, ...differenceText(difference)]);
  const trace = traceLines(check.evidence, { lines: 8, characters: 300 }).map(
    ({ at, arrow, text }) => `${at} ms ${arrow} ${text}`,
  );
  // Inside <pre> nothing is markdown, nobody is mentioned, and no fence can be closed from within.
  const block = (lines: readonly string[]) =>
    lines.length === 0
      ? []
      : [`<pre>${lines.map((line) => forMarkup(cut(line)).replace(/^:/, '&#58;')).join('\n')}</pre>`];
  return [
    `<details><summary><code>${forMarkup(scenario.id)}</code> <code>${forMarkup(check.id)}</code></summary>`,
    `Rule: ${forMarkdown(check.requirement)}`,
    ...block(differences),
    ...block(trace),
    ...(check.rerun === undefined ? [] : ['Again, just this:', ...block([check.rerun])]),
    '</details>',
  ].join('\n\n');
}

function cut(text: string): string {
  return text.length <= MESSAGE ? text : `${text.slice(0, MESSAGE)}…`;
}
