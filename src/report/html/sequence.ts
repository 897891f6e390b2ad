import type { Evidence } from '../../checks/finding.js';
import { type TraceLine, traceLines } from '../trace-lines.js';
import { frameLabel, readFrame } from './frame-label.js';
import { html, type Markup } from './markup.js';

/** The frames around a finding between two lifelines, with times; each frame unfolds to what stood on the wire. */
export function sequenceDiagram(evidence: readonly Evidence[]): Markup | undefined {
  if (evidence.length === 0) return undefined;
  const methods = methodsById(evidence);
  return html`<h3>On the wire</h3>
<p class="hint">Times are milliseconds since the scenario began; a frame unfolds to what was sent.</p>
<div class="sequence"><p class="ends"><span>client</span><span>server</span></p>
<ol>${traceLines(evidence, LIMITS).map((line) => row(line, methods))}</ol></div>`;
}

const LIMITS = { lines: 40, characters: 4000 };

const HEARD = {
  client: 'client to server: ',
  server: 'server to client: ',
  control: 'the harness: ',
} as const;

/** Request ids are numbered by each side on its own. */
function methodsById(evidence: readonly Evidence[]): ReadonlyMap<string, string> {
  return new Map(
    evidence.flatMap(({ dir, raw }) => {
      const { id, method } = readFrame(raw) ?? {};
      return id !== undefined && typeof method === 'string' ? [[keyOf(dir, id), method]] : [];
    }),
  );
}

function keyOf(asking: Evidence['dir'], id: unknown): string {
  return `${asking} ${JSON.stringify(id)}`;
}

function row({ at, dir, arrow, text, raw }: TraceLine, methods: ReadonlyMap<string, string>): Markup {
  const time = html`<span class="time">${at === '' ? '' : `${at} ms`}</span>`;
  if (dir === 'control') {
    return html`<li class="control">${time}<span class="event"><span class="heard">${HEARD[dir]}</span><span aria-hidden="true">${arrow}</span> ${text}</span></li>`;
  }
  return html`<li class="${dir}">${time}<details><summary><span class="heard">${HEARD[dir]}</span>${frameLabel(raw, methods.get(keyOf(dir === 'client' ? 'server' : 'client', readFrame(raw)?.['id'])))}</summary><pre tabindex="0">${text}</pre></details></li>`;
}
