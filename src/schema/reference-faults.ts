import type { BundleFault } from './bundle-error.js';
import { describeValue } from './describe-value.js';
import { isJsonObject, type JsonSchema, pointerTo, referencedName } from './json-schema.js';
import { mayExplode } from './pattern-risk.js';
import { schemasOf } from './schemas-of.js';

type JsonObject = Readonly<Record<string, unknown>>;

/**
 * What makes a well-formed bundle unusable: references that lead nowhere or only to each other, patterns that
 * do not compile or may take for ever, and keywords whose value has the wrong type. Each fault has the pointer of the
 * offending keyword.
 */
export function referenceFaults(document: JsonObject): BundleFault[] {
  const definitions = document['$defs'] as Readonly<Record<string, JsonSchema>>;
  const faults: BundleFault[] = [];
  for (const [schema, pointer] of schemasOf(document)) {
    faults.push(...keywordFaults(schema, pointer), ...danglingReference(schema, pointer, definitions));
    faults.push(...explosivePattern(schema, pointer));
  }
  for (const name of Object.keys(definitions)) faults.push(...circularReference(name, definitions));
  return faults;
}

const TYPES = new Set(['object', 'array', 'string', 'number', 'integer', 'boolean', 'null']);

/** Keywords that this package reads itself, and what their values must be. */
const KEYWORD_RULES: Readonly<Record<string, readonly [(value: unknown) => boolean, string]>> = {
  $ref: [(value) => typeof value === 'string', 'a string'],
  type: [(value) => [value].flat().every((name) => TYPES.has(name as string)), 'JSON type names'],
  enum: [(value) => Array.isArray(value) && value.length > 0, 'a non-empty array'],
  properties: [
    (value) => isJsonObject(value) && Object.values(value).every(isJsonObject),
    'an object of schemas',
  ],
  required: [
    (value) => Array.isArray(value) && value.every((name) => typeof name === 'string'),
    'an array of strings',
  ],
  additionalProperties: [
    (value) => typeof value === 'boolean' || isJsonObject(value),
    'a schema or a boolean',
  ],
  items: [isJsonObject, 'a schema object'],
  anyOf: [isSchemaList, 'a non-empty array of schemas'],
  oneOf: [isSchemaList, 'a non-empty array of schemas'],
  allOf: [isSchemaList, 'a non-empty array of schemas'],
  pattern: [isPattern, 'a regular expression that compiles'],
  minimum: [(value) => typeof value === 'number', 'a number'],
  maximum: [(value) => typeof value === 'number', 'a number'],
  'x-msp-openness': [(value) => value === 'open' || value === 'closed', '"open" or "closed"'],
  'x-msp-stability': [
    (value) => value === 'experimental' || value === 'stable',
    '"experimental" or "stable"',
  ],
  'x-msp-descriptor': [(value) => typeof value === 'string', 'a string'],
};

function* keywordFaults(schema: JsonSchema, pointer: string): Generator<BundleFault> {
  for (const [keyword, value] of Object.entries(schema)) {
    const rule = Object.hasOwn(KEYWORD_RULES, keyword) ? KEYWORD_RULES[keyword] : undefined;
    if (rule === undefined || rule[0](value)) continue;
    yield {
      pointer: pointerTo(pointer, keyword),
      message: `expected ${rule[1]}, found ${describeValue(value)}`,
    };
  }
}

function isSchemaList(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every(isJsonObject);
}

function isPattern(value: unknown): boolean {
  try {
    return typeof value === 'string' && new RegExp(value, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}

function* explosivePattern({ pattern }: JsonSchema, pointer: string): Generator<BundleFault> {
  if (!isPattern(pattern) || !mayExplode(String(pattern))) return;
  const message = `${JSON.stringify(pattern)} repeats without bound what repeats without bound: some texts would take for ever to match`;
  yield { pointer: `${pointer}/pattern`, message };
}

function* danglingReference(
  schema: JsonSchema,
  pointer: string,
  definitions: Readonly<Record<string, JsonSchema>>,
): Generator<BundleFault> {
  if (typeof schema.$ref !== 'string') return;
  const name = referencedName(schema);
  if (name !== undefined && Object.hasOwn(definitions, name)) return;
  yield { pointer: `${pointer}/$ref`, message: `${JSON.stringify(schema.$ref)} leads to no definition` };
}

/** A definition that comes back to itself without going deeper into the value can never be checked to its end. */
function* circularReference(
  start: string,
  definitions: Readonly<Record<string, JsonSchema>>,
): Generator<BundleFault> {
  const trail = trailBack(start, definitions);
  if (trail === undefined) return;
  const isPlain = typeof definitions[start]?.$ref === 'string';
  yield {
    pointer: pointerTo('/$defs', start) + (isPlain ? '/$ref' : ''),
    message: `refers to itself for the same value (${trail.join(' → ')})`,
  };
}

/** The shortest way from a definition back to it, over references that are about the same value. */
function trailBack(start: string, definitions: Readonly<Record<string, JsonSchema>>): string[] | undefined {
  const trails: string[][] = [[start]];
  const met = new Set<string>();
  for (let trail = trails.shift(); trail !== undefined; trail = trails.shift()) {
    const schema = definitions[trail.at(-1) ?? ''];
    for (const next of schema === undefined ? [] : sameValueReferences(schema)) {
      if (next === start) return [...trail, next];
      if (met.has(next) || !Object.hasOwn(definitions, next)) continue;
      met.add(next);
      trails.push([...trail, next]);
    }
  }
  return undefined;
}

function sameValueReferences(schema: JsonSchema): string[] {
  if (!isJsonObject(schema)) return [];
  const own = typeof schema.$ref === 'string' ? referencedName(schema) : undefined;
  const nested = [schema.allOf, schema.anyOf, schema.oneOf].flatMap((list) =>
    Array.isArray(list) ? list : [],
  );
  return [...(own === undefined ? [] : [own]), ...nested.flatMap(sameValueReferences)];
}
