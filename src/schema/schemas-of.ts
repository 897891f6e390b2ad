import { isJsonObject, type JsonSchema, pointerTo, subschemas } from './json-schema.js';

type JsonObject = Readonly<Record<string, unknown>>;

/** Every schema of a bundle, at any depth, with its pointer. */
export function* schemasOf(document: JsonObject): Generator<readonly [JsonSchema, string]> {
  const pending: (readonly [JsonSchema, string])[] = [...topSchemas(document)].reverse();
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    yield next;
    pending.push(...subschemas(...next).reverse());
  }
}

function* topSchemas(document: JsonObject): Generator<readonly [JsonSchema, string]> {
  for (const [name, schema] of Object.entries(document['$defs'] as JsonObject)) {
    if (isJsonObject(schema)) yield [schema, pointerTo('/$defs', name)];
  }
  for (const section of ['methods', 'notifications', 'requests']) {
    for (const [method, entry] of Object.entries(document[section] as JsonObject)) {
      for (const part of ['params', 'result']) {
        const schema = isJsonObject(entry) ? entry[part] : undefined;
        if (isJsonObject(schema)) yield [schema, `${pointerTo(`/${section}`, method)}/${part}`];
      }
    }
  }
}
