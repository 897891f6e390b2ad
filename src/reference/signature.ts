import { createHash } from 'node:crypto';
import { canonicalDecimal, type ExactJson, ExactNumber } from '../wire/exact-json.js';

/**
 * The identity of a command's payload: SHA-256 over the method and the params' JSON value. The order of members and the
 * spelling of a number do not enter it, nor do members that the method does not know, since they are ignored.
 * @param unknownMembers JSON Pointers into the params
 */
export function payloadSignature(
  method: string,
  params: ExactJson,
  unknownMembers: readonly string[],
): string {
  const ignored = new Set(unknownMembers);
  return createHash('sha256')
    .update(`${method} ${canonicalText(params, '', ignored)}`)
    .digest('hex');
}

function canonicalText(value: ExactJson, pointer: string, ignored: ReadonlySet<string>): string {
  if (value instanceof ExactNumber) return canonicalDecimal(value.text);
  if (typeof value === 'number') return canonicalDecimal(String(value));
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) {
    return `[${value.map((item, index) => canonicalText(item, `${pointer}/${index}`, ignored)).join(',')}]`;
  }
  const members = Object.keys(value)
    .sort()
    .map((name) => ({ name, at: `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}` }))
    .filter(({ at }) => !ignored.has(at))
    .map(({ name, at }) => `${JSON.stringify(name)}:${canonicalText(value[name] as ExactJson, at, ignored)}`);
  return `{${members.join(',')}}`;
}
