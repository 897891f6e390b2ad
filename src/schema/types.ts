import { isJsonObject } from './json-schema.js';

/** The value is of a JSON Schema type, or of one of several. `1.0` is an integer, as JSON Schema has it. */
export function fitsType(type: string | readonly string[], value: unknown): boolean {
  return [type].flat().some((name) => FITS[name as keyof typeof FITS]?.(value) ?? false);
}

/** `a string`, `an integer or null`. */
export function describeTypes(type: string | readonly string[]): string {
  return [type]
    .flat()
    .map((name) => NAMES[name as keyof typeof NAMES] ?? name)
    .join(' or ');
}

const FITS = {
  object: isJsonObject,
  array: (value: unknown) => Array.isArray(value),
  string: (value: unknown) => typeof value === 'string',
  number: (value: unknown) => typeof value === 'number',
  integer: (value: unknown) => Number.isInteger(value),
  boolean: (value: unknown) => typeof value === 'boolean',
  null: (value: unknown) => value === null,
};

const NAMES: Readonly<Record<keyof typeof FITS, string>> = {
  object: 'an object',
  array: 'an array',
  string: 'a string',
  number: 'a number',
  integer: 'an integer',
  boolean: 'a boolean',
  null: 'null',
};
