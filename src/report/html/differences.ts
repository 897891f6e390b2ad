import type { Difference } from '../../wire/difference.js';
import { type DifferenceLine, differenceLines } from '../difference-lines.js';
import { html, type Markup } from './markup.js';

/** What was expected and what was found, side by side, a group of rows per path. */
export function differencesTable(differences: readonly Difference[]): Markup | undefined {
  if (differences.length === 0) return undefined;
  const shown = differences.slice(0, SHOWN);
  const rest = differences.length - shown.length;
  return html`<div class="scroll" role="region" aria-label="Differences" tabindex="0"><table class="differences">
<thead><tr><th scope="col">expected</th><th scope="col">found</th></tr></thead>
${shown.map(group)}
</table></div>${rest > 0 ? html`<p class="hint">… and ${rest} more differences in the JSON report.</p>` : undefined}`;
}

const SHOWN = 30;

function group(difference: Difference): Markup {
  const rows = pairs(differenceLines(difference)).map(
    ([expected, actual]) =>
      html`<tr><td class="expected">${side(expected)}</td><td class="actual">${side(actual)}</td></tr>`,
  );
  return html`<tbody><tr><th colspan="2" scope="rowgroup">${difference.path === '' ? 'the whole value' : difference.path}</th></tr>${rows}</tbody>`;
}

/** Lines that both sides share face each other, and so do the removed and added lines between them. */
function pairs(
  lines: readonly DifferenceLine[],
): (readonly [DifferenceLine | undefined, DifferenceLine | undefined])[] {
  const rows: [DifferenceLine | undefined, DifferenceLine | undefined][] = [];
  let removed: DifferenceLine[] = [];
  let added: DifferenceLine[] = [];
  const flush = () => {
    for (let i = 0; i < Math.max(removed.length, added.length); i += 1) rows.push([removed[i], added[i]]);
    removed = [];
    added = [];
  };
  for (const line of lines) {
    if (line.mark === '-') removed.push(line);
    else if (line.mark === '+') added.push(line);
    else {
      flush();
      rows.push([line, line]);
    }
  }
  flush();
  return rows;
}

function side(line: DifferenceLine | undefined): Markup {
  if (line === undefined) return html``;
  const parts = line.parts.map(({ text, differs }) =>
    differs ? (line.mark === '-' ? html`<del>${text}</del>` : html`<ins>${text}</ins>`) : html`${text}`,
  );
  return html`<code>${parts}</code>`;
}
