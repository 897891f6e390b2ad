import { formatDuration } from '../duration.js';
import type { CheckResult, Report, ScenarioResult } from '../model.js';
import { plural, shownStatus } from '../problems.js';
import { flakyBadge } from './failures.js';
import { html, type Markup } from './markup.js';
import { statusBadge, statusSymbol } from './status.js';

/** Every scenario with every check, folded. */
export function scenariosSection({ scenarios }: Report): Markup {
  return html`<section aria-labelledby="scenarios">
<h2 id="scenarios">All scenarios</h2>
${scenarios.map(scenarioDetails)}
</section>`;
}

function scenarioDetails(scenario: ScenarioResult): Markup {
  const { id, title, status, reason, durationMs, checks } = scenario;
  return html`<details class="scenario" data-scenario="${status}">
<summary>${statusBadge(shownStatus(scenario))} <b>${id}</b> <span class="place">${title === id ? '' : title}</span> <span class="time">${plural(checks.length, 'check')}, ${formatDuration(durationMs)}</span></summary>
${reason === '' ? undefined : html`<p>${reason}</p>`}
${checks.length === 0 ? undefined : html`<table class="checks"><thead><tr><th scope="col">status</th><th scope="col">check</th><th scope="col">pass</th><th scope="col">method</th><th scope="col">step</th><th scope="col">message</th></tr></thead><tbody>${checks.map(checkRow)}</tbody></table>`}
</details>`;
}

function checkRow(check: CheckResult): Markup {
  const { id, status, pass, method, step, message, expectedFailure } = check;
  return html`<tr data-item="${status}"><td>${statusSymbol(expectedFailure === undefined ? status : 'expected')}</td><td>${id}</td><td>${pass}</td><td>${method ?? ''}</td><td>${step ?? ''}</td><td>${flakyBadge(check)}${message}</td></tr>`;
}
