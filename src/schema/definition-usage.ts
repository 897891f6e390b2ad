import type { Bundle } from './bundle.js';
import { type JsonSchema, referencedName, subschemas } from './json-schema.js';

/** The names of all definitions that the given schemas lead to. */
export function definitionsUsedFrom(bundle: Bundle, roots: readonly (JsonSchema | undefined)[]): Set<string> {
  const used = new Set<string>();
  const pending = roots.filter((schema) => schema !== undefined);
  for (let schema = pending.pop(); schema !== undefined; schema = pending.pop()) {
    const name = referencedName(schema);
    const definition = name === undefined || used.has(name) ? undefined : bundle.definitions.get(name);
    if (name !== undefined && definition !== undefined) {
      used.add(name);
      pending.push(definition);
    }
    pending.push(...subschemas(schema, '').map(([inner]) => inner));
  }
  return used;
}
