import { hash } from 'node:crypto';
import type { Bundle } from '../../schema/bundle.js';
import { exactEqual } from '../../wire/compare.js';
import { type ExactJson, ExactNumber, type ExactObject } from '../../wire/exact-json.js';
import { ownCopy } from '../../wire/own-copy.js';

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
  const whole = digest(params);
  const essential = essentialOf(bundle, method, params);
  return { whole, essential: essential === params ? whole : digest(essential) };
}

/** The params themselves when there is nothing to leave out. */
function essentialOf(bundle: Bundle, method: string, params: ExactJson): ExactJson {
  if (!isObject(params)) return params;
  const known = bundle.paramsRoot(method)?.schema.properties ?? {};
  const names = Object.keys(params);
  const isEssential = (name: string) => Object.hasOwn(known, name) && !isDefault(name, params[name]);
  if (names.every(isEssential)) return params;
  const essential: ExactObject = Object.create(null);
  for (const name of names) if (isEssential(name)) essential[name] = params[name] ?? null;
  return essential;
}

function isDefault(name: string, value: ExactJson | undefined): boolean {
  if (value === null || value === undefined) return true;
  return Object.hasOwn(DEFAULTS, name) && exactEqual(value, DEFAULTS[name] ?? null);
}

/** Defaults that the documents give for members of commands (MSP turn/start, session/resume). */
const DEFAULTS: Readonly<Record<string, ExactJson>> = {
  ifBusy: 'queue',
  excludeItems: false,
  history: 'auto',
};

/** Texts up to this length stand for themselves. Digests cost more time, and very many are held. */
const DIGEST_CHARACTERS = 64;

function digest(value: ExactJson): string {
  const text = canonicalText(value);
  // A text put together of pieces keeps every piece.
  return text.length <= DIGEST_CHARACTERS ? ownCopy(text) : hash('sha256', text, 'base64');
}

/** One text for equal values: member names are sorted. */
function canonicalText(value: ExactJson): string {
  if (value instanceof ExactNumber) return value.text;
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  let text = '';
  for (const name of Object.keys(value).sort())
    text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${canonicalText(value[name] ?? null)}`;
  return `{${text}}`;
}

function isObject(value: ExactJson): value is ExactObject {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber)
  );
}
