import { formatDuration } from '../duration.js';
import type { Report } from '../model.js';
import { byRule, type Problems, plural, STATUS_WORDS, targetInWords } from '../problems.js';
import { cardsOf } from './cards.js';
import { html, type Markup } from './markup.js';
import { anchorOf } from './status.js';

/** Verdict, what was tested, and the totals. */
export function summarySection(report: Report, problems: Problems): Markup {
  const { schema, totals } = report;
  return html`<header>
<p class="tool">${report.tool.name} ${report.tool.version}</p>
<h1><span class="verdict ${report.verdict}"><span aria-hidden="true">${SYMBOLS[report.verdict]}</span> ${report.verdict}</span></h1>
<p class="hint">Does this server keep the promises of the Muse Session Protocol? Recorded sessions were replayed against it, and from them the hard cases: commands sent twice, changed, after a restart, after a kill.</p>
<p class="lead">${explanation(report, problems)}</p>
${brokenRules(report, problems)}
<dl class="facts">
<div><dt>Server</dt><dd>${targetInWords(report)}</dd></div>
<div><dt>Started</dt><dd><time datetime="${report.startedAt}">${report.startedAt.replace('T', ' ').replace(/\.\d+Z$/, ' UTC')}</time>, took ${formatDuration(report.durationMs)}</dd></div>
<div><dt>Schema</dt><dd><code>${schema.fingerprint.slice(0, 19)}…</code> ${schema.match ? 'as the server announced' : schema.served === null ? 'the server announced none' : html`the server announced <code>${schema.served.slice(0, 19)}…</code>`}</dd></div>
<div><dt>Seed</dt><dd>${report.seed}</dd></div>
</dl>
<div class="totals">
${totalsTable('Scenarios', totals.scenarios)}
${totalsTable('Checks', totals.checks)}
</div>
</header>`;
}

const SYMBOLS = { conformant: '✔', nonconformant: '✘', incomplete: '!' } as const;

function explanation(report: Report, { violations, expected, flaky }: Problems): string {
  if (report.reason !== undefined) return `Not finished: ${report.reason}.`;
  const known =
    expected.length === 0
      ? ''
      : ` ${expected.length === 1 ? '1 failure was' : `${expected.length} failures were`} expected.`;
  const changing =
    flaky.length === 0
      ? ''
      : ` ${plural(flaky.length, 'check')} changed the verdict between rounds: search for “flaky”.`;
  if (report.verdict === 'conformant') return `Every promise that was checked is kept.${known}${changing}`;
  const checks = new Set(violations.map(({ check }) => check.id)).size;
  const scenarios = new Set(violations.map(({ scenario }) => scenario.id)).size;
  return `${checks} ${checks === 1 ? 'rule is' : 'rules are'} broken, in ${scenarios} ${scenarios === 1 ? 'scenario' : 'scenarios'}.${known}${changing}`;
}

/** The rules in a list that leads to the first failure of each. */
function brokenRules(report: Report, problems: Problems): Markup | undefined {
  const rules = byRule(cardsOf(problems).failures).slice(0, RULES);
  if (rules.length === 0) return undefined;
  return html`<ul class="broken">${rules.map(([first]) =>
    first === undefined
      ? undefined
      : html`<li><a href="#${anchorOf(report, first.check)}">${first.check.id}</a> ${first.check.requirement}</li>`,
  )}</ul>`;
}

const RULES = 12;

function totalsTable(name: string, counts: Readonly<Record<string, number>>): Markup {
  const words: Readonly<Record<string, { symbol: string; words: string }>> = STATUS_WORDS;
  const tiles = Object.entries(counts).map(
    ([status, count]) =>
      html`<li class="${count === 0 ? 'zero' : status}"><b>${count}</b> <span><span aria-hidden="true">${words[status]?.symbol ?? ''}</span> ${words[status]?.words ?? status}</span></li>`,
  );
  return html`<section aria-label="${name}"><h2>${name}</h2><ul class="tiles">${tiles}</ul></section>`;
}
