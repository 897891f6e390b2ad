import type { Evidence } from '../../checks/finding.js';
import { type TraceLine, traceLines } from '../trace-lines.js';
import { frameLabel } from './frame-label.js';
import { html, type Markup } from './markup.js';

/** The frames around a finding between two lifelines, with times; each frame unfolds to what stood on the wire. */
export function sequenceDiagram(evidence: readonly Evidence[]): Markup | undefined {
  if (evidence.length === 0) return undefined;
  return html`<h3>On the wire</h3>
<div class="sequence"><p class="ends"><span>client</span><span>server</span></p>
<ol>${traceLines(evidence, LIMITS).map(row)}</ol></div>`;
}

const LIMITS = { lines: 40, characters: 4000 };

const HEARD = {
  client: 'client to server: ',
  server: 'server to client: ',
  control: 'the harness: ',
} as const;

function row({ at, dir, arrow, text }: TraceLine): Markup {
  const time = html`<span class="time">${at === '' ? '' : `${at} ms`}</span>`;
  if (dir === 'control') {
    return html`<li class="control">${time}<span class="event"><span class="heard">${HEARD[dir]}</span><span aria-hidden="true">${arrow}</span> ${text}</span></li>`;
  }
  return html`<li class="${dir}">${time}<details><summary><span class="heard">${HEARD[dir]}</span>${frameLabel(text)}</summary><pre tabindex="0">${text}</pre></details></li>`;
}
