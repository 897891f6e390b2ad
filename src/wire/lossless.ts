/**
 * Whether `JSON.parse(text)`, given as `value`, lost nothing: no digits, no repeated member. Errs on the side of
 * false. Far cheaper than an exact reading, and asked of every frame, so the cheapest proof is tried first.
 */
export function isLosslessReading(text: string, value: unknown): boolean {
  return hasAllMembersAndPlainNumbers(text, value) || isPrintedBackAsItWas(text, value);
}

/** A text that is printed back as it was cannot have lost anything. */
function isPrintedBackAsItWas(text: string, value: unknown): boolean {
  try {
    const printed = JSON.stringify(value);
    return printed === text || (text.length === printed.length + 1 && text === `${printed}\r`);
  } catch {
    // Nested deeper than the native printer can follow.
    return false;
  }
}

/**
 * Counts the members in the text by the `":` that ends each name, and compares with those that the value has: fewer
 * means that a name was repeated. Gives up (false) on all that could make the two counts differ in meaning: white
 * space before a colon, and a `":` that may not end a name. Numbers must be members, and short plain integers.
 */
function hasAllMembersAndPlainNumbers(text: string, value: unknown): boolean {
  let names = 0;
  // A single character is searched natively; a pair costs a call into the engine each time.
  for (let colon = text.indexOf(':'); colon !== -1; colon = text.indexOf(':', colon + 1)) {
    const before = text.charCodeAt(colon - 1);
    if (before <= SPACE) return false;
    if (before !== QUOTE) continue;
    if (!NAME_CHARACTER[text.charCodeAt(colon - 2)] || !isNoNumberOrShortInteger(text, colon + 1)) {
      return false;
    }
    names += 1;
  }
  return names === countMembers(value, 0);
}

const SPACE = 0x20;
const QUOTE = 0x22;

/** By char code: the characters after which a quote can only close a string. */
const NAME_CHARACTER: readonly boolean[] = Array.from({ length: 128 }, (_, code) =>
  /[A-Za-z0-9_$.]/.test(String.fromCharCode(code)),
);

/** Digits of which every double can tell each value apart. */
const SAFE_DIGITS = 15;

function isNoNumberOrShortInteger(text: string, from: number): boolean {
  let at = from;
  while (text.charCodeAt(at) <= SPACE) {
    at += 1;
  }
  if (text.charCodeAt(at) === 0x2d) {
    at += 1;
    if (text.charCodeAt(at) === 0x30) {
      return false;
    }
  }
  const start = at;
  while (isDigit(text.charCodeAt(at))) {
    at += 1;
  }
  const next = text.charCodeAt(at);
  const isLonger = at > start && (next === 0x2e || next === 0x45 || next === 0x65);
  return !isLonger && at - start <= SAFE_DIGITS;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/** Real frames are shallow; a count that would go deeper is given up. */
const DEPTH_LIMIT = 100;

/** -Infinity, which equals no count, when the value nests too deeply or has a number that is no member. */
function countMembers(value: unknown, depth: number): number {
  if (typeof value !== 'object' || value === null) {
    return depth === 0 && typeof value === 'number' ? Number.NEGATIVE_INFINITY : 0;
  }
  if (depth === DEPTH_LIMIT) {
    return Number.NEGATIVE_INFINITY;
  }
  return Array.isArray(value) ? countInArray(value, depth) : countInObject(value, depth);
}

function countInArray(array: readonly unknown[], depth: number): number {
  let count = 0;
  for (const element of array) {
    if (typeof element === 'number') {
      return Number.NEGATIVE_INFINITY;
    }
    count += countMembers(element, depth + 1);
  }
  return count;
}

function countInObject(object: object, depth: number): number {
  let count = 0;
  for (const name in object) {
    count += 1;
    const member = (object as Record<string, unknown>)[name];
    if (typeof member === 'object' && member !== null) {
      count += countMembers(member, depth + 1);
    }
  }
  return count;
}
