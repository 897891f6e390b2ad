import type { Evidence } from '../checks/finding.js';
import { forTerminal } from './escape.js';

/** A line of a wire trace; `text` is safe for a terminal and cut to the limit. */
export interface TraceLine {
  /** Milliseconds since the scenario began, as text without unit. */
  readonly at: string;
  readonly dir: Evidence['dir'];
  readonly arrow: '→' | '←' | '⟲';
  readonly text: string;
  /** What stood on the wire, whole and as it was: to be read by a program, never to be shown. */
  readonly raw: string;
}

export interface TraceLimits {
  readonly lines: number;
  readonly characters: number;
}

/** The evidence as lines; when there is too much the first and the last lines stay, since a fault shows at the end. */
export function traceLines(evidence: readonly Evidence[], limits: TraceLimits): TraceLine[] {
  const shown = evidence.map((entry) => toLine(entry, limits.characters));
  if (shown.length <= limits.lines) return shown;
  const head = Math.floor(limits.lines / 3);
  const left = shown.length - limits.lines;
  const gap: TraceLine = { at: '', dir: 'control', arrow: '⟲', text: `… ${left} frames left out …`, raw: '' };
  return [...shown.slice(0, head), gap, ...shown.slice(shown.length - (limits.lines - head))];
}

const ARROWS = { client: '→', server: '←', control: '⟲' } as const;

function toLine({ atMs, dir, raw }: Evidence, characters: number): TraceLine {
  const text = raw.length <= characters ? raw : `${raw.slice(0, characters)}… (${raw.length} characters)`;
  return { at: atMs.toFixed(atMs < 10 ? 1 : 0), dir, arrow: ARROWS[dir], text: forTerminal(text), raw };
}
