import { diffLines, diffWordsWithSpace } from 'diff';
import type { Difference } from '../wire/difference.js';
import { forTerminal } from './escape.js';

/** One line of a shown difference; every part is safe for a terminal. */
export interface DifferenceLine {
  /** `-` is what was expected, `+` what was found, a space what both share. */
  readonly mark: '-' | '+' | ' ';
  /** Set where the line is a whole value, not a line of a block. */
  readonly label?: 'expected' | 'actual';
  readonly parts: readonly Part[];
}

export interface Part {
  readonly text: string;
  /** Whether this part is where the two sides differ. */
  readonly differs: boolean;
}

/** A difference as lines to read: short values on two lines, long strings around the spot, blocks of JSON line by line. */
export function differenceLines({ kind, expected, actual }: Difference): DifferenceLine[] {
  if (kind === 'missing') return sides(oneLine(expected), ABSENT);
  if (kind === 'extra') return sides(ABSENT, oneLine(actual));
  const [a, b] = [compact(expected), compact(actual)];
  if (kind === 'type' && typeName(expected) !== typeName(actual)) {
    return sides(`${cut(a)}  (${typeName(expected)})`, `${cut(b)}  (${typeName(actual)})`);
  }
  if (a.length <= SHORT && b.length <= SHORT) return sides(a, b);
  if (isBlock(expected) && isBlock(actual)) return blockLines(expected, actual);
  return spotLines(a, b);
}

/** The same lines as plain text, each with its mark: for JUnit, TAP and markdown. */
export function differenceText(difference: Difference): string[] {
  return differenceLines(difference).map(
    (line) => `${line.mark} ${labelOf(line)}${line.parts.map(({ text }) => text).join('')}`,
  );
}

/** The label of a line in a column, or nothing. */
export function labelOf({ label }: DifferenceLine): string {
  return label === undefined ? '' : `${label.padEnd('expected'.length)} `;
}

const ABSENT = '(absent)';
const SHORT = 72;
const LONGEST_VALUE = 400;
const SPOT_BEFORE = 24;
const SPOT_LENGTH = 200;
const BLOCK_LINES = 40;
const BLOCK_CHARACTERS = 64_000;

function blockLines(expected: unknown, actual: unknown): DifferenceLine[] {
  const [a, b] = [indented(expected), indented(actual)];
  // Past this a line diff costs more than it tells; the paths of the difference still say where.
  const changes =
    Math.max(a.length, b.length) <= BLOCK_CHARACTERS ? diffLines(a, b, { maxEditLength: 400 }) : undefined;
  if (changes === undefined) return spotLines(compact(expected), compact(actual));
  const lines = changes.flatMap(({ value, added, removed }) => {
    const mark = added ? '+' : removed ? '-' : ' ';
    return value
      .replace(/\n$/, '')
      .split('\n')
      .map((text): DifferenceLine => line(mark, text, mark !== ' '));
  });
  return elided(lines);
}

/** Only the lines near a change, at most `BLOCK_LINES` of them. */
function elided(lines: readonly DifferenceLine[]): DifferenceLine[] {
  const near = lines.map((_, i) => lines.slice(Math.max(0, i - 2), i + 3).some(({ mark }) => mark !== ' '));
  const kept: DifferenceLine[] = [];
  lines.forEach((shown, i) => {
    if (near[i]) kept.push(shown);
    else if (i === 0 || near[i - 1]) kept.push(line(' ', '…'));
  });
  return kept.length <= BLOCK_LINES
    ? kept
    : [...kept.slice(0, BLOCK_LINES), line(' ', `… (${kept.length - BLOCK_LINES} more lines)`)];
}

/** Two long values from a little before the first character in which they differ. */
function spotLines(a: string, b: string): DifferenceLine[] {
  let first = 0;
  while (first < a.length && a[first] === b[first]) first += 1;
  const from = first <= SPOT_BEFORE ? 0 : first - SPOT_BEFORE;
  const [shownA, shownB] = [window(a, from), window(b, from)];
  const changes = diffWordsWithSpace(shownA, shownB);
  const at = { text: from > 0 ? `  (from character ${from})` : '', differs: false };
  return [
    { mark: '-', label: 'expected', parts: [...changes.filter((c) => !c.added).map(toPart), at] },
    { mark: '+', label: 'actual', parts: [...changes.filter((c) => !c.removed).map(toPart), at] },
  ];
}

function window(text: string, from: number): string {
  const end = from + SPOT_LENGTH;
  const rest = end < text.length ? `… (${text.length} characters)` : '';
  return `${from > 0 ? '…' : ''}${text.slice(from, end)}${rest}`;
}

function toPart({ value, added, removed }: { value: string; added: boolean; removed: boolean }): Part {
  return { text: forTerminal(value), differs: added || removed };
}

function sides(expected: string, actual: string): DifferenceLine[] {
  return [
    { mark: '-', label: 'expected', parts: [{ text: forTerminal(expected), differs: true }] },
    { mark: '+', label: 'actual', parts: [{ text: forTerminal(actual), differs: true }] },
  ];
}

function line(mark: DifferenceLine['mark'], text: string, differs = false): DifferenceLine {
  return { mark, parts: [{ text: forTerminal(cut(text)), differs }] };
}

function oneLine(value: unknown): string {
  return cut(compact(value));
}

function cut(text: string): string {
  return text.length <= LONGEST_VALUE ? text : `${text.slice(0, LONGEST_VALUE)}… (${text.length} characters)`;
}

function compact(value: unknown): string {
  return JSON.stringify(value) ?? '(absent)';
}

function indented(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

function isBlock(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

function typeName(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
