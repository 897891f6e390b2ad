import { html, type Markup } from './markup.js';
import { statusBadge } from './status.js';

/** Search and filter for the cards and the scenario list; the script shows it, since without it it does nothing. */
export function filterForm(): Markup {
  return html`<form class="filter" role="search" hidden>
<label>Search <input type="search" id="search" autocomplete="off" placeholder="scenario, check, method, message"></label>
<fieldset><legend class="heard">Show</legend>${FILTERS.map((status) => html`<label><input type="checkbox" value="${status}" checked> ${statusBadge(status)}</label>`)}</fieldset>
<output for="search"></output>
</form>`;
}

const FILTERS = ['passed', 'failed', 'warned', 'notApplicable', 'untestable', 'errored'] as const;
