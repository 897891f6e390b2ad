import { enumChoices } from './enum-choices.js';
import { isEvent } from './events.js';
import { isJsonObject, type JsonSchema, listsItsMembers } from './json-schema.js';

/**
 * The keyword that stands for "params are those of the notification that `method` names" in a spotless event.
 */
export const EVENT_KEYWORD = 'mspSpotlessEvent';

/**
 * The schema that only a spotless value fits: no member, enum value or experimental surface that would earn a note.
 * A value that fits is conformant and there is nothing to tell; one that does not has to be examined.
 */
export function spotlessForm(schema: JsonSchema, definition?: string): JsonSchema {
  if (schema['x-msp-stability'] === 'experimental') return { not: {} };
  const choices = enumChoices(schema);
  if (choices !== undefined) {
    return { enum: choices.values.filter((value) => !choices.experimental.has(value)) };
  }
  const form = rewrite(schema, (inner) => spotlessForm(inner));
  if (isEvent(definition)) return { ...spotlessEvent(form, schema), additionalProperties: false };
  return listsItsMembers(schema) ? { ...form, additionalProperties: false } : form;
}

/** The schema as the protocol means it: open lists accept any value of their type. */
export function tolerantForm(schema: JsonSchema): JsonSchema {
  const choices = enumChoices(schema);
  if (choices?.isOpen) return { type: [...new Set(choices.values.map(jsonTypeOf))] };
  return rewrite(schema, tolerantForm);
}

/** The event's params carry the notification's own members too, so the common definition does not close them. */
function spotlessEvent(form: JsonSchema, schema: JsonSchema): JsonSchema {
  const { params: _, ...properties } = form.properties ?? {};
  return {
    ...form,
    properties: { ...properties, params: {} },
    required: schema.required ?? [],
    [EVENT_KEYWORD]: true,
  };
}

/** Annotations say nothing about values. What stands under `not` and `if` keeps its meaning only unchanged. */
function rewrite(schema: JsonSchema, inner: (schema: JsonSchema) => JsonSchema): JsonSchema {
  const entries = Object.entries(schema)
    .filter(([keyword]) => keyword !== 'description' && !keyword.startsWith('x-msp-'))
    .map(([keyword, value]) => [keyword, rewriteKeyword(keyword, value, inner)]);
  return Object.fromEntries(entries) as JsonSchema;
}

const NAMED = new Set(['properties', 'patternProperties', 'dependentSchemas']);
const LISTED = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems']);
const SINGLE = new Set(['items', 'additionalProperties', 'then', 'else', 'contains']);

function rewriteKeyword(keyword: string, value: unknown, inner: (schema: JsonSchema) => JsonSchema): unknown {
  const each = (schema: unknown) => (isJsonObject(schema) ? inner(schema) : schema);
  if (NAMED.has(keyword) && isJsonObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, each(schema)]));
  }
  if (LISTED.has(keyword) && Array.isArray(value)) return value.map(each);
  return SINGLE.has(keyword) ? each(value) : value;
}

function jsonTypeOf(value: unknown): string {
  return value === null ? 'null' : typeof value;
}
