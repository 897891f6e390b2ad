import type { Report } from '../model.js';
import { byReason, type Problem, type Problems, placeInWords, plural } from '../problems.js';
import { cardsOf } from './cards.js';
import { failure } from './failures.js';
import { html, type Markup } from './markup.js';
import { anchorOf, statusBadge } from './status.js';

/** Everything beside the failures that a reader should know: warnings, what was expected, what was not judged. */
export function remarksSections(report: Report, problems: Problems): Markup {
  const expected = problems.expected.map(({ scenario, check }) => {
    const { reason = '', issue } = check.expectedFailure ?? {};
    return html`<li id="${anchorOf(report, check)}">${statusBadge('expected')} <code>${scenario.id} · ${check.id}</code> ${reason}${issue === undefined ? undefined : html` (${issue})`}</li>`;
  });
  const absent = byReason(problems.notApplicable).map(
    ({ reason, scenarios }) =>
      html`<li>${scenarios.length === 1 ? undefined : html`<b>${plural(scenarios.length, 'scenario')}</b> `}<code>${scenarios.map(({ id }) => id).join(', ')}</code> ${reason}</li>`,
  );
  return html`${section(
    'warnings',
    'Warnings',
    cardsOf(problems).warnings.map(([first, ...others]) => failure(report, first, { isOpen: false, others })),
  )}
${listSection('expected', 'Expected failures', expected)}
${listSection('absent', 'Not applicable to this server', absent)}
${foldedSection('untestable', 'Could not be probed', problems.untestable)}
${foldedSection('notes', 'Notes', problems.notes)}`;
}

const SHOWN = 200;

function remark({ scenario, check }: Problem): Markup {
  return html`<li><code>${scenario.id} · ${check.id}</code> <span class="place">${placeInWords(check)}</span><br>${check.message}</li>`;
}

function listSection(id: string, title: string, entries: readonly Markup[]): Markup {
  return section(id, title, entries.length === 0 ? [] : [html`<ul class="remarks">${entries}</ul>`]);
}

function foldedSection(id: string, title: string, problems: readonly Problem[]): Markup {
  if (problems.length === 0) return html``;
  const rest = problems.length - SHOWN;
  return html`<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2>
<details><summary>${plural(problems.length, 'check')}</summary><ul class="remarks">${problems.slice(0, SHOWN).map(remark)}</ul>${rest > 0 ? html`<p class="hint">… and ${rest} more in the list of scenarios.</p>` : undefined}</details></section>`;
}

function section(id: string, title: string, content: readonly Markup[]): Markup {
  if (content.length === 0) return html``;
  return html`<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2>${content}</section>`;
}
