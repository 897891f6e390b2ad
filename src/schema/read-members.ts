import type { ErrorRow, MethodEntry, ReservedEntry } from './bundle.js';
import type { BundleFault } from './bundle-error.js';
import { describeValue } from './describe-value.js';
import { isJsonObject, type JsonSchema, pointerTo, type Stability } from './json-schema.js';

/** A bundle's members by their own types, before its references are checked. */
export interface BundleMembers {
  readonly definitions: ReadonlyMap<string, JsonSchema>;
  readonly methods: ReadonlyMap<string, MethodEntry>;
  readonly notifications: ReadonlyMap<string, MethodEntry>;
  readonly requests: ReadonlyMap<string, MethodEntry>;
  readonly errors: readonly ErrorRow[];
  readonly grantableCapabilities: readonly string[];
  readonly reservedCapabilities: readonly ReservedEntry[];
  readonly reserved: readonly ReservedEntry[];
}

type JsonObject = Readonly<Record<string, unknown>>;

/** Reads the top level of a bundle, adding each wrong or missing member to `faults`; undefined when there are any. */
export function readBundleMembers(document: JsonObject, faults: BundleFault[]): BundleMembers | undefined {
  const capabilities = objectAt(document, 'capabilities', '', faults);
  const members: BundleMembers = {
    definitions: definitionsOf(document, faults),
    methods: entriesOf(document, 'methods', faults),
    notifications: entriesOf(document, 'notifications', faults),
    requests: entriesOf(document, 'requests', faults),
    errors: listAt(document, 'errors', '', faults).flatMap((row, index) =>
      errorRow(row, `/errors/${index}`, faults),
    ),
    grantableCapabilities: listAt(capabilities, 'grantable', '/capabilities', faults).flatMap((name, index) =>
      stringOf(name, `/capabilities/grantable/${index}`, faults),
    ),
    reservedCapabilities: reservedOf(capabilities['reserved'], 'name', '/capabilities/reserved', faults),
    reserved: reservedOf(document['reserved'], 'identifier', '/reserved', faults),
  };
  if (isJsonObject(document['$defs']) && !members.definitions.has('ErrorObject')) {
    faults.push({
      pointer: '/$defs',
      message: 'expected a definition ErrorObject, which describes every error',
    });
  }
  return faults.length === 0 ? members : undefined;
}

function definitionsOf(document: JsonObject, faults: BundleFault[]): Map<string, JsonSchema> {
  const definitions = new Map<string, JsonSchema>();
  for (const [name, schema] of Object.entries(objectAt(document, '$defs', '', faults))) {
    const pointer = pointerTo('/$defs', name);
    if (isJsonObject(schema)) definitions.set(name, schema);
    else faults.push({ pointer, message: `expected a schema object, found ${describeValue(schema)}` });
  }
  return definitions;
}

function entriesOf(document: JsonObject, section: string, faults: BundleFault[]): Map<string, MethodEntry> {
  const entries = new Map<string, MethodEntry>();
  for (const [method, entry] of Object.entries(objectAt(document, section, '', faults))) {
    const pointer = pointerTo(`/${section}`, method);
    if (!isJsonObject(entry)) {
      faults.push({ pointer, message: `expected an object, found ${describeValue(entry)}` });
      continue;
    }
    for (const part of ['params', 'result']) {
      if (entry[part] !== undefined && !isJsonObject(entry[part])) {
        faults.push({
          pointer: `${pointer}/${part}`,
          message: `expected a schema object, found ${describeValue(entry[part])}`,
        });
      }
    }
    const { description, params, result } = entry;
    entries.set(method, {
      method,
      ...(typeof description === 'string' && { description }),
      ...(isJsonObject(params) && { params }),
      ...(isJsonObject(result) && { result }),
      ...stabilityOf(entry),
    });
  }
  return entries;
}

function errorRow(row: unknown, pointer: string, faults: BundleFault[]): ErrorRow[] {
  if (!isJsonObject(row) || !Number.isInteger(row['code']) || typeof row['kind'] !== 'string') {
    const message = `expected {"code": <integer>, "kind": <string>}, found ${describeValue(row)}`;
    faults.push({ pointer, message });
    return [];
  }
  const { code, kind, retryable, overrideKinds = [] } = row;
  if (!Array.isArray(overrideKinds) || overrideKinds.some((name) => typeof name !== 'string')) {
    faults.push({ pointer: `${pointer}/overrideKinds`, message: 'expected an array of strings' });
    return [];
  }
  return [
    {
      code: code as number,
      kind,
      overrideKinds,
      ...(typeof retryable === 'boolean' && { retryable }),
      ...stabilityOf(row),
    },
  ];
}

function stabilityOf(marked: JsonObject): { stability: Stability; descriptor?: string } {
  const descriptor = marked['x-msp-descriptor'];
  return {
    stability: marked['x-msp-stability'] === 'experimental' ? 'experimental' : 'stable',
    ...(typeof descriptor === 'string' && { descriptor }),
  };
}

/** Reserved entries are information only, so a bundle may leave the list out. */
function reservedOf(
  list: unknown,
  nameMember: string,
  pointer: string,
  faults: BundleFault[],
): ReservedEntry[] {
  if (list === undefined) return [];
  if (!Array.isArray(list)) {
    faults.push({ pointer, message: `expected an array, found ${describeValue(list)}` });
    return [];
  }
  return list.flatMap((entry, index): ReservedEntry[] => {
    const identifier = isJsonObject(entry) ? entry[nameMember] : undefined;
    if (typeof identifier !== 'string') {
      faults.push({
        pointer: `${pointer}/${index}/${nameMember}`,
        message: `expected a string, found ${describeValue(identifier)}`,
      });
      return [];
    }
    const reference = (entry as JsonObject)['reference'];
    return [{ identifier, ...(typeof reference === 'string' && { reference }) }];
  });
}

function stringOf(value: unknown, pointer: string, faults: BundleFault[]): string[] {
  if (typeof value === 'string') return [value];
  faults.push({ pointer, message: `expected a string, found ${describeValue(value)}` });
  return [];
}

function objectAt(parent: JsonObject, name: string, pointer: string, faults: BundleFault[]): JsonObject {
  const value = parent[name];
  if (isJsonObject(value)) return value;
  faults.push({
    pointer: pointerTo(pointer, name),
    message: `expected an object, found ${describeValue(value)}`,
  });
  return {};
}

function listAt(
  parent: JsonObject,
  name: string,
  pointer: string,
  faults: BundleFault[],
): readonly unknown[] {
  const value = parent[name];
  if (Array.isArray(value)) return value;
  faults.push({
    pointer: pointerTo(pointer, name),
    message: `expected an array, found ${describeValue(value)}`,
  });
  return [];
}
