import { createHash } from 'node:crypto';
import type { Bundle } from '../../schema/bundle.js';
import { exactEqual } from '../../wire/compare.js';
import { type ExactJson, ExactNumber, type ExactObject } from '../../wire/exact-json.js';

/** The payload of a command in two readings: as written, and without what may not belong to its identity. */
export interface Payload {
  readonly whole: string;
  readonly essential: string;
}

/**
 * Digests of a command's params. Member order and white space do not count. The essential reading leaves out unknown
 * members, nulls and documented defaults, of which the documents do not say whether they make another payload.
 */
export function payloadOf(bundle: Bundle, method: string, params: ExactJson): Payload {
  return { whole: digest(params), essential: digest(essentialOf(bundle, method, params)) };
}

function essentialOf(bundle: Bundle, method: string, params: ExactJson): ExactJson {
  if (!isObject(params)) return params;
  const known = bundle.paramsRoot(method)?.schema.properties ?? {};
  const essential: ExactObject = Object.create(null);
  for (const [name, value] of Object.entries(params)) {
    const isDefault = DEFAULTS[name] !== undefined && exactEqual(value, DEFAULTS[name]);
    if (Object.hasOwn(known, name) && value !== null && !isDefault) essential[name] = value;
  }
  return essential;
}

/** Defaults that the documents give for members of commands (MSP turn/start, session/resume). */
const DEFAULTS: Readonly<Record<string, ExactJson>> = {
  ifBusy: 'queue',
  excludeItems: false,
  history: 'auto',
};

function digest(value: ExactJson): string {
  const hash = createHash('sha256');
  feed(value, (text) => hash.update(text));
  return hash.digest('base64');
}

/** Writes the value with sorted member names, so that equal values give equal text. */
function feed(value: ExactJson, write: (text: string) => void): void {
  if (value instanceof ExactNumber) write(value.text);
  else if (Array.isArray(value)) {
    write('[');
    for (const entry of value) {
      feed(entry, write);
      write(',');
    }
    write(']');
  } else if (isObject(value)) {
    write('{');
    for (const name of Object.keys(value).sort()) {
      write(`${JSON.stringify(name)}:`);
      feed(value[name] ?? null, write);
      write(',');
    }
    write('}');
  } else write(JSON.stringify(value));
}

function isObject(value: ExactJson): value is ExactObject {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber)
  );
}
