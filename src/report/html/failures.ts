import type { CheckResult, Report, ScenarioResult } from '../model.js';
import {
  byReason,
  byRule,
  flakyInWords,
  type Problem,
  type Problems,
  placeInWords,
  plural,
  type ReasonGroup,
} from '../problems.js';
import { cardsOf } from './cards.js';
import { differencesTable } from './differences.js';
import { html, type Markup } from './markup.js';
import { sequenceDiagram } from './sequence.js';
import { anchorOf, statusBadge } from './status.js';

/** Each failure with its rule, differences, frames and the command that repeats it; the first ones open. */
export function failuresSection(report: Report, problems: Problems): Markup {
  const { violations, scenarios } = problems;
  const stale = report.staleExpectations ?? [];
  if (violations.length + scenarios.length + stale.length === 0) return html``;
  const shown = cardsOf(problems).failures;
  const rest = violations.length - shown.length;
  return html`<section aria-labelledby="failures">
<h2 id="failures">Failures</h2>
${stale.map(({ match, reason }) => html`<p class="card">${statusBadge('failed')} <code>${match}</code> is expected to fail (${reason}), but no longer does.</p>`)}
${shown.length === 0 ? undefined : html`<div class="rules">${byRule(shown).map((group) => rule(report, group, violations))}</div>`}
${byReason(scenarios).map(unfinished)}
${rest > 0 ? html`<p class="hint">${plural(rest, 'more failure')} in the list of scenarios below.</p>` : undefined}
</section>`;
}

/** The first failure of a rule usually explains the others, so it alone is open. */
function rule(report: Report, group: readonly Problem[], violations: readonly Problem[]): Markup {
  const id = group[0]?.check.id;
  const all = violations.filter(({ check }) => check.id === id);
  const scenarios = new Set(all.map(({ scenario }) => scenario)).size;
  return html`<section data-group><h3>${id} <span class="count">${plural(all.length, 'time')}, in ${plural(scenarios, 'scenario')}</span></h3>
${group.map((problem, i) => failure(report, problem, { isOpen: i === 0 }))}</section>`;
}

/** A failure or a warning as a foldable card. */
export function failure(
  report: Report,
  { scenario, check }: Problem,
  { isOpen, others = [] }: { readonly isOpen: boolean; readonly others?: readonly Problem[] },
): Markup {
  return html`<details class="card ${check.status}" id="${anchorOf(report, check)}" data-item="${check.status}"${isOpen ? html` open` : undefined}>
<summary>${statusBadge(check.status)} <b>${check.id}</b> ${flakyBadge(check)}<span class="place">${scenario.id} · ${placeInWords(check)}</span> <span class="gist">${gistOf(check)}</span></summary>
${others.length === 0 ? undefined : html`<p><b>The same ${others.length === 1 ? 'once more' : `${others.length} times more`}</b>, in ${[...new Set(others.map((other) => other.scenario.id))].join(', ')}</p>`}
<p class="rule"><b>Rule</b> ${check.requirement}</p>
<p>${check.message}</p>
${differencesTable(check.differences)}
${sequenceDiagram(check.evidence)}
${stderr(scenario)}
${check.rerun === undefined ? undefined : html`<div class="again"><h3>Again, just this</h3><pre class="command" tabindex="0">${check.rerun}</pre></div>`}
<p class="hint">What it demands, and what usually causes it: <code>msp-conformance explain ${check.id}</code></p>
</details>`;
}

/** What tells a folded card from its neighbours. */
function gistOf({ message }: CheckResult): string {
  const [line = ''] = message.split('\n');
  return line.length <= GIST ? line : `${line.slice(0, GIST)}…`;
}

const GIST = 160;

/** The verdict of each round, where they were not the same. */
export function flakyBadge(check: CheckResult): Markup | undefined {
  return check.flaky === undefined ? undefined : html`<span class="flaky">${flakyInWords(check)}</span> `;
}

function unfinished({ status, reason, scenarios }: ReasonGroup): Markup {
  const [first] = scenarios;
  const isOne = scenarios.length === 1;
  return html`<details class="card ${status}" data-item="${status}" open>
<summary>${statusBadge(status)} <b>${isOne ? first?.id : plural(scenarios.length, 'scenario')}</b> <span class="place">${isOne ? first?.title : scenarios.map(({ id }) => id).join(', ')}</span></summary>
<p>${reason}</p>
${first === undefined ? undefined : stderr(first)}
</details>`;
}

function stderr({ stderr: text }: ScenarioResult): Markup | undefined {
  if (text === undefined || text.trim() === '') return undefined;
  const lines = text.trimEnd().split('\n').slice(-40);
  return html`<details class="stderr"><summary>stderr of the server, its last lines</summary><pre tabindex="0">${lines.map(
    (line) => html`${line}
`,
  )}</pre></details>`;
}
