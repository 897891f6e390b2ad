import { parseExact } from '../wire/exact-json.js';
import { type JsonSchema, referencedName, type Stability } from './json-schema.js';
import type { BundleMembers } from './read-members.js';
import { schemasOf } from './schemas-of.js';

/** A published MSP schema bundle, checked on loading: every reference resolves and every pattern compiles. */
export interface Bundle {
  /** Where it was read from, for messages. */
  readonly path: string;
  /** `sha256:<64 hex>`; as the manifest beside the bundle states it, else the SHA-256 of the bundle's text. */
  readonly fingerprint: string;
  /** Client requests by method name. */
  readonly methods: ReadonlyMap<string, MethodEntry>;
  /** Notifications of either direction by method name. */
  readonly notifications: ReadonlyMap<string, MethodEntry>;
  /** Requests that the server sends; their `result` is the client's receipt. */
  readonly requests: ReadonlyMap<string, MethodEntry>;
  /** The error registry in the order it is written; a code may occur twice in a faulty bundle. */
  readonly errors: readonly ErrorRow[];
  /** Capability names that a client may ask for in the handshake. */
  readonly grantableCapabilities: readonly string[];
  readonly reservedCapabilities: readonly ReservedEntry[];
  /** Identifiers set aside: codes (`-32012`), code ranges (`-32060..-32069`), method names. */
  readonly reserved: readonly ReservedEntry[];
  readonly definitions: ReadonlyMap<string, JsonSchema>;
  /** Every schema at any depth, with its JSON Pointer. */
  schemas(): Iterable<readonly [JsonSchema, string]>;
  /** JSON Pointers of members whose name occurs more than once in their object; the last one is what counts. */
  repeatedMembers(): readonly string[];
  /** The method is a command: its params have a member `commandId`. False for an unknown method. */
  isCommand(method: string): boolean;
  /** Undefined when the method is unknown or takes no params. Likewise below. */
  paramsRoot(method: string): SchemaRoot | undefined;
  resultRoot(method: string): SchemaRoot | undefined;
  notificationRoot(method: string): SchemaRoot | undefined;
  requestRoot(method: string): SchemaRoot | undefined;
  receiptRoot(method: string): SchemaRoot | undefined;
  errorRoot(): SchemaRoot;
}

export interface MethodEntry {
  readonly method: string;
  readonly description?: string;
  /** Absent when the method takes no params. */
  readonly params?: JsonSchema;
  /** Absent on notifications. */
  readonly result?: JsonSchema;
  readonly stability: Stability;
  /** What `data.descriptor` of an `experimentalRequired` error names. */
  readonly descriptor?: string;
}

export interface ErrorRow {
  readonly code: number;
  readonly kind: string;
  /** Further kinds that the same code carries. */
  readonly overrideKinds: readonly string[];
  /** The default of `data.retryable`; absent where the registry gives none. */
  readonly retryable?: boolean;
  readonly stability: Stability;
  readonly descriptor?: string;
}

export interface ReservedEntry {
  readonly identifier: string;
  readonly reference?: string;
}

/** Where a walk along an instance starts. */
export interface SchemaRoot {
  /** The `$defs` name, when the schema is a reference or a definition. */
  readonly definition?: string;
  readonly schema: JsonSchema;
}

/** Where a bundle comes from. */
export interface BundleSource {
  readonly path: string;
  readonly text: string;
  readonly document: Readonly<Record<string, unknown>>;
  readonly fingerprint: string;
}

/** Puts the queries on top of a bundle's members. */
export function createBundle(members: BundleMembers, source: BundleSource): Bundle {
  const { definitions, methods, notifications, requests } = members;
  const roots = new Map<JsonSchema, SchemaRoot>();
  const rootOf = (schema: JsonSchema | undefined) => {
    if (schema === undefined) return undefined;
    const root = roots.get(schema) ?? resolveReference(definitions, { schema });
    roots.set(schema, root);
    return root;
  };
  const errorObject = definitions.get('ErrorObject') ?? {};
  return {
    ...members,
    path: source.path,
    fingerprint: source.fingerprint,
    schemas: () => schemasOf(source.document),
    repeatedMembers: () => parseExact(source.text).repeatedMembers,
    isCommand: (method) =>
      rootOf(methods.get(method)?.params)?.schema.properties?.['commandId'] !== undefined,
    paramsRoot: (method) => rootOf(methods.get(method)?.params),
    resultRoot: (method) => rootOf(methods.get(method)?.result),
    notificationRoot: (method) => rootOf(notifications.get(method)?.params),
    requestRoot: (method) => rootOf(requests.get(method)?.params),
    receiptRoot: (method) => rootOf(requests.get(method)?.result),
    errorRoot: () => ({ definition: 'ErrorObject', schema: errorObject }),
  };
}

/** Follows `$ref` until a schema that states something itself; the last definition on the way is the one that holds it. */
export function resolveReference(definitions: Bundle['definitions'], root: SchemaRoot): SchemaRoot {
  let current = root;
  for (let name = referencedName(root.schema); name !== undefined; name = referencedName(current.schema)) {
    current = { definition: name, schema: definitions.get(name) ?? {} };
  }
  return current;
}
