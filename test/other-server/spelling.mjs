/** A number written in a particular way, e.g. `1.0`; its value is what counts. */
export class Spelled {
  /** @param {string} text */
  constructor(text) {
    this.text = text;
  }
}

/**
 * One frame as one line of JSON (no line end), in one of several equivalent spellings: the member order, the white space
 * and the escaping change with the turn number.
 * @param {unknown} frame @param {number} turn a running number @returns {string}
 */
export function spell(frame, turn) {
  const style = { order: turn % 3, spaced: turn % 4 === 1, ascii: turn % 2 === 0 };
  return write(frame, style);
}

/** @typedef {{ order: number, spaced: boolean, ascii: boolean }} Style */

/** @param {unknown} value @param {Style} style @returns {string} */
function write(value, style) {
  if (value instanceof Spelled) return value.text;
  if (typeof value === 'string') return quote(value, style);
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const [comma, colon] = style.spaced ? [' , ', ' : '] : [',', ':'];
  if (Array.isArray(value)) return `[${value.map((entry) => write(entry, style)).join(comma)}]`;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{${shuffled(members, style.order)
    .map(([name, member]) => quote(name, style) + colon + write(member, style))
    .join(comma)}}`;
}

/** @param {string} text @param {Style} style @returns {string} */
function quote(text, style) {
  const plain = JSON.stringify(text);
  if (!style.ascii) return plain;
  return plain.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** @template T @param {T[]} list @param {number} order @returns {T[]} */
function shuffled(list, order) {
  if (order === 0) return list;
  const reversed = list.toReversed();
  if (order === 1) return reversed;
  return [
    ...reversed.filter((_, index) => index % 2 === 1),
    ...reversed.filter((_, index) => index % 2 === 0),
  ];
}
