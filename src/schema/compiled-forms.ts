import { enumChoices } from './enum-choices.js';
import { isCommonToEvents, isEvent } from './events.js';
import { isJsonObject, type JsonSchema, listsItsMembers, SCHEMA_KEYWORDS } from './json-schema.js';

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
    const stable = choices.values.filter((value) => !choices.experimental.has(value));
    return stable.length > 0 ? { enum: stable } : { not: {} };
  }
  const form = rewrite(schema, (inner) => spotlessForm(inner));
  const closed = listsItsMembers(schema) && !isCommonToEvents(definition);
  return {
    ...form,
    ...(closed && { additionalProperties: false }),
    ...(isEvent(definition) && { [EVENT_KEYWORD]: true }),
  };
}

/** The schema as the protocol means it: open lists accept any value of their type. */
export function tolerantForm(schema: JsonSchema): JsonSchema {
  const choices = enumChoices(schema);
  if (choices?.isOpen) return { type: [...new Set(choices.values.map(jsonTypeOf))] };
  return rewrite(schema, tolerantForm);
}

/** Annotations say nothing about values. What stands under `not` and `if` keeps its meaning only unchanged. */
function rewrite(schema: JsonSchema, inner: (schema: JsonSchema) => JsonSchema): JsonSchema {
  const entries = Object.entries(schema)
    .filter(([keyword]) => keyword !== 'description' && !keyword.startsWith('x-msp-'))
    .map(([keyword, value]) => [keyword, rewriteKeyword(keyword, value, inner)]);
  return Object.fromEntries(entries) as JsonSchema;
}

const KEPT = new Set(['not', 'if', 'propertyNames']);

function rewriteKeyword(keyword: string, value: unknown, inner: (schema: JsonSchema) => JsonSchema): unknown {
  const role = KEPT.has(keyword) ? undefined : SCHEMA_KEYWORDS.get(keyword);
  const each = (schema: unknown) => (isJsonObject(schema) ? inner(schema) : schema);
  if (role === 'named' && isJsonObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, each(schema)]));
  }
  if (role === 'listed' && Array.isArray(value)) return value.map(each);
  return role === 'single' ? each(value) : value;
}

function jsonTypeOf(value: unknown): string {
  return value === null ? 'null' : typeof value;
}
