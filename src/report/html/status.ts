import type { CheckResult, Report } from '../model.js';
import { type ShownStatus, STATUS_WORDS } from '../problems.js';
import { html, type Markup } from './markup.js';

/** Symbol and word of a status, coloured; the word is for everybody, the colour only helps. */
export function statusBadge(status: ShownStatus): Markup {
  const { symbol, words } = STATUS_WORDS[status];
  return html`<span class="status ${status}"><span aria-hidden="true">${symbol}</span> ${words}</span>`;
}

/** The symbol alone, its word for those who hear the page. */
export function statusSymbol(status: ShownStatus): Markup {
  const { symbol, words } = STATUS_WORDS[status];
  return html`<span class="status ${status}" title="${words}"><span aria-hidden="true">${symbol}</span><span class="heard">${words}</span></span>`;
}

/** The id of a check's place in the page, made of numbers only: no string of a server takes part. */
export function anchorOf(report: Report, check: CheckResult): string {
  const scenario = report.scenarios.findIndex(({ checks }) => checks.includes(check));
  return `check-${scenario}-${report.scenarios[scenario]?.checks.indexOf(check) ?? 0}`;
}
