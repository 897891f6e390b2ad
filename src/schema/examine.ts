import { describeChoices, describeValue } from './describe-value.js';
import { type EnumChoices, enumChoices } from './enum-choices.js';
import { examineMembers } from './examine-members.js';
import { examineUnion } from './examine-union.js';
import {
  type Findings,
  nameOf,
  note,
  noteExperimental,
  type Place,
  placeWithin,
  violate,
} from './findings.js';
import { isJsonObject, type JsonSchema, referencedName } from './json-schema.js';
import { describeTypes, fitsType } from './types.js';

/** What the examination needs to know about the bundle. */
export interface Examiner {
  readonly definitions: ReadonlyMap<string, JsonSchema>;
  /** The schema of a notification's params; null when it has none, undefined for an unknown method. */
  eventParams(method: string): JsonSchema | null | undefined;
  /** What the keywords that the examination does not read itself have against the value, a sentence each. */
  otherKeywords(schema: JsonSchema, value: unknown): readonly string[];
}

/**
 * Reads a value against a schema and says in sentences what it breaks and what it merely shows. Slower than a compiled
 * check, so it is for values that the compiled one did not find spotless.
 */
export function examine(by: Examiner, schema: JsonSchema, value: unknown, at: Place, found: Findings): void {
  if (schema['x-msp-stability'] === 'experimental') {
    noteExperimental(found, at, schema['x-msp-descriptor'] ?? nameOf(at));
  }
  const name = referencedName(schema);
  if (name !== undefined) {
    examine(by, by.definitions.get(name) ?? {}, value, { ...at, definition: name }, found);
  }
  const choices = enumChoices(schema);
  if (choices !== undefined) examineChoice(schema, choices, value, at, found);
  else if (schema.type === undefined || fitsType(schema.type, value))
    examineContent(by, schema, value, at, found);
  else violate(found, at, 'type', `expected ${describeTypes(schema.type)}, found ${describeValue(value)}`);
}

function examineContent(by: Examiner, schema: JsonSchema, value: unknown, at: Place, found: Findings): void {
  if (typeof value === 'string') examinePattern(schema, value, at, found);
  if (typeof value === 'number') examineRange(schema, value, at, found);
  if (Array.isArray(value)) examineItems(by, schema, value, at, found);
  if (isJsonObject(value)) examineMembers(by, schema, value, at, found);
  examineUnion(by, schema, value, at, found);
  for (const problem of by.otherKeywords(schema, value)) violate(found, at, 'other', problem);
}

function examineChoice(
  schema: JsonSchema,
  choices: EnumChoices,
  value: unknown,
  at: Place,
  found: Findings,
): void {
  const descriptor = choices.experimental.get(value);
  const expected = `${describeChoices(choices.values)}, found ${describeValue(value)}`;
  if (descriptor !== undefined) {
    noteExperimental(found, at, descriptor);
  } else if (
    !choices.values.some((choice) => typeof choice === typeof value && (choice === null) === (value === null))
  ) {
    violate(found, at, 'type', `expected ${expected}`);
  } else if (choices.values.includes(value)) {
    return;
  } else if (choices.isOpen) {
    note(found, at, 'openEnum', `known values are ${expected}; the list may grow`);
  } else {
    violate(found, at, schema.const === undefined ? 'enum' : 'const', `expected ${expected}`);
  }
}

function examinePattern(schema: JsonSchema, value: string, at: Place, found: Findings): void {
  if (schema.pattern === undefined || new RegExp(schema.pattern, 'u').test(value)) return;
  const expected = `expected a string that matches ${schema.pattern}`;
  violate(found, at, 'pattern', `${expected}, found ${describeValue(value)}`);
}

function examineRange(schema: JsonSchema, value: number, at: Place, found: Findings): void {
  const { minimum, maximum } = schema;
  if (minimum !== undefined && value < minimum) {
    violate(found, at, 'range', `expected at least ${minimum}, found ${value}`);
  }
  if (maximum !== undefined && value > maximum) {
    violate(found, at, 'range', `expected at most ${maximum}, found ${value}`);
  }
}

function examineItems(
  by: Examiner,
  schema: JsonSchema,
  value: readonly unknown[],
  at: Place,
  found: Findings,
): void {
  if (schema.items === undefined) return;
  for (const [index, item] of value.entries()) examine(by, schema.items, item, placeWithin(at, index), found);
}
