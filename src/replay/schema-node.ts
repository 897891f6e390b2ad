import type { Bundle, SchemaRoot } from '../schema/bundle.js';
import { type JsonSchema, referencedName } from '../schema/json-schema.js';

/** A schema with its references followed: where a walk along a value stands. */
export interface SchemaNode {
  /** The nearest `$defs` name on the way here, when the schema is that definition itself. */
  readonly definition: string | undefined;
  readonly schema: JsonSchema;
  readonly required: ReadonlySet<string>;
}

/** Where a walk along a params, a result or an error begins. */
export function rootNode(bundle: Bundle, { definition, schema }: SchemaRoot): SchemaNode {
  const node = resolveNode(bundle, schema);
  return { ...node, definition: node.definition ?? definition };
}

export function resolveNode(bundle: Bundle, schema: JsonSchema): SchemaNode {
  let current = schema;
  let definition: string | undefined;
  for (let name = referencedName(current); name !== undefined; name = referencedName(current)) {
    const next = bundle.definitions.get(name);
    if (next === undefined) break;
    definition = name;
    current = next;
  }
  return { definition, schema: current, required: new Set(current.required ?? []) };
}

/** The node of a member or of an array's elements; undefined where the bundle says nothing about it. */
export function childNode(bundle: Bundle, node: SchemaNode, step: string | number): SchemaNode | undefined {
  for (const branch of branches(bundle, node)) {
    const { schema } = branch;
    if (typeof step === 'number') {
      if (schema.items !== undefined) return resolveNode(bundle, schema.items);
      continue;
    }
    const property = schema.properties;
    if (property !== undefined && Object.hasOwn(property, step)) {
      return resolveNode(bundle, property[step] as JsonSchema);
    }
    if (typeof schema.additionalProperties === 'object')
      return resolveNode(bundle, schema.additionalProperties);
  }
  return undefined;
}

/** The node and, where it is a union, its alternatives. */
function* branches(bundle: Bundle, node: SchemaNode): Generator<SchemaNode> {
  yield node;
  for (const alternative of [...(node.schema.anyOf ?? []), ...(node.schema.oneOf ?? [])]) {
    yield* branches(bundle, resolveNode(bundle, alternative));
  }
}
