import type { JsonSchema } from './json-schema.js';

/** A schema that only lists values, however it is written. */
export interface EnumChoices {
  readonly values: readonly unknown[];
  readonly isOpen: boolean;
  /** Values that need the experimental opt-in, with the name of the surface. */
  readonly experimental: ReadonlyMap<unknown, string>;
}

/**
 * Reads `enum`, `const`, and a union of those (the way a bundle marks single variants as experimental) as one list.
 * Undefined for a schema that is anything else.
 */
export function enumChoices(schema: JsonSchema): EnumChoices | undefined {
  if (!known.has(schema)) known.set(schema, readChoices(schema));
  return known.get(schema);
}

const known = new WeakMap<JsonSchema, EnumChoices | undefined>();

function readChoices(schema: JsonSchema): EnumChoices | undefined {
  const values = listedValues(schema);
  if (values !== undefined) return { values, isOpen: isOpen(schema), experimental: new Map() };
  const variants = schema.oneOf ?? schema.anyOf;
  if (variants === undefined || schema.$ref !== undefined || schema.properties !== undefined)
    return undefined;
  const lists = variants.map(listedValues);
  if (!lists.every((list) => list !== undefined)) return undefined;
  const experimental = variants
    .filter((variant) => variant['x-msp-stability'] === 'experimental')
    .flatMap((variant) =>
      (listedValues(variant) ?? []).map(
        (value) => [value, variant['x-msp-descriptor'] ?? String(value)] as const,
      ),
    );
  return {
    values: lists.flat(),
    isOpen: isOpen(schema) || variants.some(isOpen),
    experimental: new Map(experimental),
  };
}

/** Undefined also when a listed value is an object or an array, which only a deep comparison can tell. */
function listedValues(schema: JsonSchema): readonly unknown[] | undefined {
  const values = schema.enum ?? (Object.hasOwn(schema, 'const') ? [schema.const] : undefined);
  return values?.some((value) => typeof value === 'object' && value !== null) ? undefined : values;
}

function isOpen(schema: JsonSchema): boolean {
  return schema['x-msp-openness'] === 'open';
}
