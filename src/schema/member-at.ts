import { type Bundle, resolveReference, type SchemaRoot } from './bundle.js';
import { isEvent } from './events.js';
import { isJsonObject, type JsonSchema } from './json-schema.js';

/** Which member of which definition a place in an instance is. */
export interface MemberPlace {
  /** The `$defs` entry that holds the member. */
  readonly definition: string;
  /** The member's name there. An element of an array is the array's own member, a value of a map is the map's. */
  readonly member: string;
  readonly required: boolean;
  /** What the place itself holds, references followed; for an element, the element's schema. */
  readonly schema: JsonSchema;
}

type Segment = string | number;

/**
 * Walks from a root (`bundle.resultRoot(method)` and the like) along an instance path, through references, arrays,
 * maps and unions.
 * @param instance the root's value, where at hand: it decides between the variants of a union, and an event of a page
 * continues with its own notification's definition (`events/0/params/item` becomes `ItemCompletedParams.item`)
 * @returns undefined for the root itself, and where the path leads to nothing that the bundle describes
 */
export function describePath(
  bundle: Bundle,
  root: SchemaRoot,
  segments: readonly Segment[],
  instance?: unknown,
): MemberPlace | undefined {
  let standing: Standing = { at: resolveReference(bundle.definitions, root), value: instance };
  for (const segment of segments) {
    const next = step(bundle, standing, segment);
    if (next === undefined) return undefined;
    standing = next;
  }
  const { holder, at } = standing;
  return holder && { ...holder, schema: at.schema };
}

/** A place on the way, and the member that it is part of. */
interface Standing {
  readonly at: SchemaRoot;
  readonly value: unknown;
  readonly holder?: Omit<MemberPlace, 'schema'>;
}

function step(bundle: Bundle, standing: Standing, segment: Segment): Standing | undefined {
  const { at, value } = standing;
  const { schema, definition } = at;
  const inner = innerValue(value, segment);
  const enter = (next: JsonSchema, holder: Standing['holder'] = standing.holder): Standing => {
    const into = { schema: next, ...(definition !== undefined && { definition }) };
    return { at: resolveReference(bundle.definitions, into), value: inner, ...(holder && { holder }) };
  };
  const members = schema.properties ?? {};
  if (typeof segment === 'string' && Object.hasOwn(members, segment)) {
    const required = schema.required?.includes(segment) ?? false;
    const entered = enter(members[segment] ?? {}, {
      definition: definition ?? '',
      member: segment,
      required,
    });
    const ofEvent = segment === 'params' && isEvent(definition) ? eventParams(bundle, value) : undefined;
    return ofEvent === undefined ? entered : { ...entered, at: ofEvent };
  }
  if (typeof segment === 'number' && schema.items !== undefined) return enter(schema.items);
  if (typeof segment === 'string' && isJsonObject(schema.additionalProperties) && !Array.isArray(value)) {
    return enter(schema.additionalProperties);
  }
  return stepIntoVariant(bundle, standing, segment);
}

function stepIntoVariant(bundle: Bundle, standing: Standing, segment: Segment): Standing | undefined {
  const { at } = standing;
  const variants = [...(at.schema.anyOf ?? []), ...(at.schema.oneOf ?? []), ...(at.schema.allOf ?? [])].map(
    (schema) => resolveReference(bundle.definitions, { ...at, schema }),
  );
  const meant = variants.filter((variant) => hasFixedMembersOf(variant.schema, standing.value));
  for (const variant of meant.length > 0 ? meant : variants) {
    const next = step(bundle, { ...standing, at: variant }, segment);
    if (next !== undefined) return next;
  }
  return undefined;
}

/** The value carries the constants by which this variant is told from the others. */
function hasFixedMembersOf(schema: JsonSchema, value: unknown): boolean {
  const fixed = Object.entries(schema.properties ?? {}).filter(([, member]) => member.const !== undefined);
  return (
    isJsonObject(value) && fixed.length > 0 && fixed.every(([name, { const: only }]) => value[name] === only)
  );
}

function eventParams(bundle: Bundle, event: unknown): SchemaRoot | undefined {
  const method = isJsonObject(event) ? event['method'] : undefined;
  return typeof method === 'string' ? bundle.notificationRoot(method) : undefined;
}

function innerValue(value: unknown, segment: Segment): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, segment)) return undefined;
  return (value as Readonly<Record<Segment, unknown>>)[segment];
}
