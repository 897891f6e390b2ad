import { escapeSegment } from '../wire/pointer.js';

/** A JSON Schema object as MSP bundles write it. Keywords that are not listed here are kept and given to ajv as they are. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: JsonSchema | boolean;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly not?: JsonSchema;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly 'x-msp-openness'?: Openness;
  readonly 'x-msp-stability'?: Stability;
  readonly 'x-msp-descriptor'?: string;
  readonly [keyword: string]: unknown;
}

/** `open`: receivers tolerate values that are not listed. Unmarked enums are as strict as `closed` ones. */
export type Openness = 'open' | 'closed';

/** `experimental` surfaces need `experimentalApi: true` in the handshake. */
export type Stability = 'stable' | 'experimental';

/** A plain JSON object: neither null nor an array. */
export function isJsonObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The definition that a `$ref` of the form `#/$defs/Name` names, or undefined for a reference of another form. */
export function referencedName(schema: JsonSchema): string | undefined {
  const name = schema.$ref === undefined ? undefined : /^#\/\$defs\/([^/]+)$/.exec(schema.$ref)?.[1];
  return name?.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** One more step of a JSON Pointer (RFC 6901). */
export function pointerTo(parent: string, member: string | number): string {
  return `${parent}/${escapeSegment(member)}`;
}

/** A schema without properties is a free-form object, and one with combinators may list members elsewhere. */
export function listsItsMembers(schema: JsonSchema): boolean {
  const combinators = ['allOf', 'anyOf', 'oneOf', 'if', 'patternProperties', 'dependentSchemas', '$ref'];
  return (
    Object.keys(schema.properties ?? {}).length > 0 &&
    schema.additionalProperties === undefined &&
    combinators.every((keyword) => schema[keyword] === undefined)
  );
}

/** Keywords that hold schemas: a map by name, a list, or a single one. */
export const SCHEMA_KEYWORDS: ReadonlyMap<string, 'named' | 'listed' | 'single'> = new Map([
  ...(['properties', 'patternProperties', 'dependentSchemas'] as const).map(
    (name) => [name, 'named'] as const,
  ),
  ...(['anyOf', 'oneOf', 'allOf', 'prefixItems'] as const).map((name) => [name, 'listed'] as const),
  ...['items', 'additionalProperties', 'not', 'if', 'then', 'else', 'contains', 'propertyNames'].map(
    (name) => [name, 'single'] as const,
  ),
]);

/** The schemas directly inside a schema, each with its pointer. */
export function subschemas(schema: JsonSchema, pointer: string): (readonly [JsonSchema, string])[] {
  const found: (readonly [JsonSchema, string])[] = [];
  for (const keyword of Object.keys(schema)) {
    const role = SCHEMA_KEYWORDS.get(keyword);
    const value = schema[keyword];
    if (role === undefined || typeof value !== 'object' || value === null) continue;
    const place = `${pointer}/${keyword}`;
    if (role === 'single') found.push([value as JsonSchema, place]);
    else
      for (const [name, inner] of Object.entries(value))
        if (isJsonObject(inner)) found.push([inner, pointerTo(place, name)]);
  }
  return found.filter(([inner]) => isJsonObject(inner));
}
