import { diffLines, diffWordsWithSpace } from 'diff';
import type { Difference } from '../wire/difference.js';
import { forTerminal } from './escape.js';

/** One line of a shown difference; every part is safe for a terminal. */
export interface DifferenceLine {
  /** `-` is what was expected, `+` what was found, a space what both share. */
  readonly mark: '-' | '+' | ' ';
  readonly parts: readonly Part[];
}

export interface Part {
  readonly text: string;
  /** Whether this part is where the two sides differ. */
  readonly differs: boolean;
}

/** A difference as lines to read: short values on two lines, long strings around the spot, blocks of JSON line by line. */
export function differenceLines({ kind, expected, actual }: Difference): DifferenceLine[] {
  if (kind === 'missing') return [side('-', `expected ${oneLine(expected)}`), side('+', 'actual   (absent)')];
  if (kind === 'extra') return [side('-', 'expected (absent)'), side('+', `actual   ${oneLine(actual)}`)];
  const [a, b] = [compact(expected), compact(actual)];
  if (kind === 'type' && typeName(expected) !== typeName(actual)) {
    return [
      side('-', `expected ${cut(a)}  (${typeName(expected)})`),
      side('+', `actual   ${cut(b)}  (${typeName(actual)})`),
    ];
  }
  if (a.length <= SHORT && b.length <= SHORT) return [side('-', `expected ${a}`), side('+', `actual   ${b}`)];
  if (isBlock(expected) && isBlock(actual)) return blockLines(expected, actual);
  return spotLines(a, b);
}

/** The same lines as plain text, each with its mark: for JUnit, TAP and markdown. */
export function differenceText(difference: Difference): string[] {
  return differenceLines(difference).map(
    ({ mark, parts }) => `${mark} ${parts.map(({ text }) => text).join('')}`,
  );
}

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
  const at = from > 0 ? `  (from character ${from})` : '';
  return [
    { mark: '-', parts: [same('expected '), ...changes.filter((c) => !c.added).map(toPart), same(at)] },
    { mark: '+', parts: [same('actual   '), ...changes.filter((c) => !c.removed).map(toPart), same(at)] },
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

function same(text: string): Part {
  return { text, differs: false };
}

function side(mark: '-' | '+', text: string): DifferenceLine {
  const label = text.slice(0, 'expected '.length);
  return { mark, parts: [same(label), { text: forTerminal(text.slice(label.length)), differs: true }] };
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
