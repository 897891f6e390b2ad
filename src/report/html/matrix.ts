import type { PassName } from '../../checks/finding.js';
import { PASS_ORDER } from '../coverage.js';
import type { CheckResult, MethodCoverage, Report } from '../model.js';
import { PASS_WORDS } from '../pass-words.js';
import { type Problems, STATUS_WORDS } from '../problems.js';
import { cardsOf } from './cards.js';
import { html, type Markup } from './markup.js';
import { anchorOf, statusSymbol } from './status.js';

/** Who passes what: a row per method, a column per pass, the worst status in each cell. */
export function matrixSection(report: Report, problems: Problems): Markup {
  const methods = report.coverage.methods.filter(({ passes }) => Object.keys(passes).length > 0);
  if (methods.length === 0) return html``;
  const columns = PASS_ORDER.filter((pass) => methods.some(({ passes }) => passes[pass] !== undefined));
  const links = firstProblems(report, problems);
  const heads = columns.map((pass) => html`<th scope="col"><span>${pass}</span></th>`);
  const rows = methods.map(
    (method) =>
      html`<tr><th scope="row">${method.method}</th>${columns.map((pass) => cell(method, pass, links))}</tr>`,
  );
  const legend = (['passed', 'failed', 'warned', 'notApplicable', 'untestable'] as const).map(
    (status) =>
      html`<li>${statusSymbol(status)} <span aria-hidden="true">${STATUS_WORDS[status].words}</span></li>`,
  );
  return html`<section aria-labelledby="matrix">
<h2 id="matrix">Methods and passes</h2>
<p class="hint">How each method and notification fared, in the recorded session and in the replays derived from it. A cell shows the worst result and leads to it; an empty one had nothing to judge.</p>
<div class="scroll" role="region" aria-labelledby="matrix" tabindex="0">
<table class="matrix"><thead><tr><th scope="col">method</th>${heads}</tr></thead><tbody>${rows}</tbody></table>
</div>
<ul class="legend" aria-hidden="true">${legend}</ul>
<details class="passes"><summary>What the passes do</summary><dl>${columns.map((pass) => html`<div><dt><code>${pass}</code></dt><dd>${PASS_WORDS[pass]}</dd></div>`)}</dl></details>
</section>`;
}

function cell(
  { method, passes }: MethodCoverage,
  pass: PassName,
  links: ReadonlyMap<string, string>,
): Markup {
  const status = passes[pass];
  if (status === undefined) return html`<td class="none"><span class="heard">not run</span></td>`;
  const target = links.get(keyOf(method, pass, status));
  const symbol = statusSymbol(status);
  return html`<td class="cell ${status}">${target === undefined ? symbol : html`<a href="#${target}">${symbol}</a>`}</td>`;
}

/** Where the first failure or warning of each method and pass has its card. */
function firstProblems(report: Report, problems: Problems): ReadonlyMap<string, string> {
  const links = new Map<string, string>();
  const { failures, warnings } = cardsOf(problems);
  for (const { check } of [...failures, ...warnings.map(([first]) => first)]) {
    if (check.method === null) continue;
    const key = keyOf(check.method, check.pass, check.status);
    if (!links.has(key)) links.set(key, anchorOf(report, check));
  }
  return links;
}

function keyOf(method: string, pass: PassName, status: CheckResult['status']): string {
  return JSON.stringify([method, pass, status]);
}
