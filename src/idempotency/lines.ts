import { type ExactJson, ExactNumber, parseExact } from '../wire/exact-json.js';
import type { RequestId } from '../wire/frame.js';
import { replaceValue } from '../wire/rewrite.js';

/** The same line under another request id; every other byte stays. */
export function underId(line: string, id: RequestId): string {
  return replaceValue(line, ['id'], JSON.stringify(id));
}

/** The same payload with the members of every object in reverse order, and white space between all tokens. */
export function reordered(line: string): string {
  return write(parseExact(line).value);
}

function write(value: ExactJson): string {
  if (value instanceof ExactNumber) return value.text;
  if (Array.isArray(value)) return `[ ${value.map(write).join(' , ')} ]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.keys(value).reverse();
  return `{ ${members.map((name) => `${JSON.stringify(name)} :\t${write(value[name] as ExactJson)}`).join(' , ')} }`;
}
