import type { Report } from '../model.js';
import { type Problem, type Problems, placeInWords } from '../problems.js';
import { cardsOf } from './cards.js';
import { failure } from './failures.js';
import { html, type Markup } from './markup.js';
import { anchorOf, statusBadge } from './status.js';

/** Everything beside the failures that a reader should know: warnings, what was expected, what was not judged. */
export function remarksSections(report: Report, problems: Problems): Markup {
  const expected = problems.expected.map(({ scenario, check }) => {
    const { reason = '', issue } = check.expectedFailure ?? {};
    return html`<li id="${anchorOf(report, check)}"><code>${scenario.id} · ${check.id}</code> ${reason}${issue === undefined ? undefined : html` (${issue})`}</li>`;
  });
  const absent = problems.notApplicable.map(({ id, reason }) => html`<li><code>${id}</code> ${reason}</li>`);
  return html`${section(
    'warnings',
    'Warnings',
    cardsOf(problems).warnings.map((problem) => failure(report, problem, false)),
  )}
${listSection('expected', 'Expected failures', expected)}
${listSection('absent', 'Not applicable to this server', absent)}
${listSection('untestable', 'Could not be probed', problems.untestable.slice(0, SHOWN).map(remark))}
${listSection('notes', 'Notes', problems.notes.slice(0, SHOWN).map(remark))}`;
}

const SHOWN = 200;

function remark({ scenario, check }: Problem): Markup {
  return html`<li>${statusBadge(check.status)} <code>${scenario.id} · ${check.id}</code> <span class="place">${placeInWords(check)}</span><br>${check.message}</li>`;
}

function listSection(id: string, title: string, entries: readonly Markup[]): Markup {
  return section(id, title, entries.length === 0 ? [] : [html`<ul class="remarks">${entries}</ul>`]);
}

function section(id: string, title: string, content: readonly Markup[]): Markup {
  if (content.length === 0) return html``;
  return html`<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2>${content}</section>`;
}
