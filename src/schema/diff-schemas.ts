import { describeValue } from './describe-value.js';
import { diffEnums } from './diff-enums.js';
import { enumChoices } from './enum-choices.js';
import { isJsonObject, type JsonSchema, pointerTo } from './json-schema.js';
import { additive, breaking, type SchemaChange, type Usage } from './schema-change.js';

/** What differs between two schemas of one place. References are compared by name: each definition has its own place. */
export function diffSchemas(
  older: JsonSchema,
  newer: JsonSchema,
  path: string,
  usage: Usage,
): SchemaChange[] {
  const stability = diffStability(older, newer, path);
  // What is experimental on both sides promises nothing.
  const isPromised = older['x-msp-stability'] !== 'experimental';
  const changes = [...stability, ...diffContent(older, newer, path, usage)];
  return isPromised ? changes : changes.map(asExperimental);
}

function asExperimental(change: SchemaChange): SchemaChange {
  return change.breaking
    ? { ...change, breaking: false, why: 'the surface is experimental and may change' }
    : change;
}

export function diffStability(
  older: { readonly 'x-msp-stability'?: string },
  newer: { readonly 'x-msp-stability'?: string },
  path: string,
): SchemaChange[] {
  const [was, is] = [older, newer].map((schema) => schema['x-msp-stability'] ?? 'stable');
  if (was === is) return [];
  return is === 'stable'
    ? [additive(path, 'experimental surface became stable', 'no opt-in is needed any more')]
    : [breaking(path, 'stable surface became experimental', 'clients without the opt-in are refused')];
}

function diffContent(older: JsonSchema, newer: JsonSchema, path: string, usage: Usage): SchemaChange[] {
  const [olderChoices, newerChoices] = [enumChoices(older), enumChoices(newer)];
  if (olderChoices !== undefined && newerChoices !== undefined)
    return diffEnums(olderChoices, newerChoices, path);
  return [
    ...diffReference(older, newer, path),
    ...diffTypes(older, newer, path, usage),
    ...diffLimits(older, newer, path, usage),
    ...diffMembers(older, newer, path, usage),
    ...diffInner(older, newer, path, usage),
    ...diffRemainder(older, newer, path),
  ];
}

function diffReference(older: JsonSchema, newer: JsonSchema, path: string): SchemaChange[] {
  if (older.$ref === newer.$ref) return [];
  const change = `type changed from ${older.$ref ?? 'an inline schema'} to ${newer.$ref ?? 'an inline schema'}`;
  return [breaking(path, change, 'values of the older type need not fit the newer one')];
}

function diffTypes(older: JsonSchema, newer: JsonSchema, path: string, usage: Usage): SchemaChange[] {
  const [was, is] = [typesOf(older), typesOf(newer)];
  const added = is.filter((type) => !was.includes(type));
  const removed = was.filter((type) => !is.includes(type));
  if (added.length + removed.length === 0) return [];
  const change = `type changed from ${was.join(' or ') || 'any'} to ${is.join(' or ') || 'any'}`;
  if (usage.byServer && added.length > 0)
    return [breaking(path, change, 'clients do not expect the added type')];
  if (usage.byClient && removed.length > 0)
    return [breaking(path, change, 'clients may still send the removed type')];
  return [additive(path, change, 'whatever clients send or expect still fits')];
}

/** A nullable reference is written as a union with null, so null counts as one of the types. */
function typesOf(schema: JsonSchema): string[] {
  const stated = schema.type === undefined ? [] : [schema.type].flat();
  const isNullable = schema.anyOf?.some((alternative) => alternative.type === 'null') ?? false;
  const all: string[] = isNullable ? [...stated, 'null'] : stated;
  return all.sort();
}

function diffLimits(older: JsonSchema, newer: JsonSchema, path: string, usage: Usage): SchemaChange[] {
  const bounds = (['minimum', 'maximum'] as const).flatMap((keyword) => {
    const [was, is] = [older[keyword], newer[keyword]];
    if (was === is) return [];
    const unbounded = keyword === 'minimum' ? -Infinity : Infinity;
    const isTighter = (is ?? unbounded) > (was ?? unbounded) === (keyword === 'minimum');
    return [diffLimit(keyword, was, is, isTighter, path, usage)];
  });
  const fixed = (['pattern', 'const'] as const).flatMap((keyword) => {
    const [was, is] = [older[keyword], newer[keyword]];
    if (was === is) return [];
    const isTighter = is !== undefined;
    const isLooser = was !== undefined;
    if (isTighter && isLooser) {
      const change = `${keyword} changed from ${describeValue(was)} to ${describeValue(is)}`;
      return [breaking(path, change, 'what fitted before need not fit now')];
    }
    return [diffLimit(keyword, was, is, isTighter, path, usage)];
  });
  return [...bounds, ...fixed];
}

function diffLimit(
  keyword: string,
  was: unknown,
  is: unknown,
  isTighter: boolean,
  path: string,
  usage: Usage,
): SchemaChange {
  const change = `${keyword} changed from ${describeValue(was)} to ${describeValue(is)}`;
  if (isTighter && usage.byClient)
    return breaking(path, change, 'clients may send values that are refused now');
  if (!isTighter && usage.byServer)
    return breaking(path, change, 'clients may get values that they do not expect');
  return additive(path, change, 'whatever clients send or expect still fits');
}

function diffMembers(older: JsonSchema, newer: JsonSchema, path: string, usage: Usage): SchemaChange[] {
  const [was, is] = [older.properties ?? {}, newer.properties ?? {}];
  return [...new Set([...Object.keys(was), ...Object.keys(is)])].flatMap((name) => {
    const place = pointerTo(`${path}/properties`, name);
    const [olderMember, newerMember] = [own(was, name), own(is, name)];
    const wasRequired = older.required?.includes(name) ?? false;
    const isRequired = newer.required?.includes(name) ?? false;
    if (olderMember === undefined && newerMember !== undefined) {
      return [addedMember(newerMember, isRequired, place, usage)];
    }
    if (newerMember === undefined) return [removedMember(olderMember ?? {}, wasRequired, place)];
    return [
      ...diffRequired(wasRequired, isRequired, place, usage),
      ...diffSchemas(olderMember ?? {}, newerMember, place, usage),
    ];
  });
}

function addedMember(member: JsonSchema, isRequired: boolean, path: string, usage: Usage): SchemaChange {
  const change = `${isRequired ? 'required' : 'optional'} member added`;
  if (isRequired && usage.byClient) return breaking(path, change, 'clients do not send it and are refused');
  if (member['x-msp-stability'] === 'experimental') {
    return additive(path, `experimental ${change}`, 'only connections that opted in meet it');
  }
  return additive(
    path,
    change,
    isRequired ? 'clients ignore members they do not know' : 'nobody has to send it',
  );
}

function removedMember(member: JsonSchema, wasRequired: boolean, path: string): SchemaChange {
  const change = `${wasRequired ? 'required' : 'optional'} member removed`;
  return member['x-msp-stability'] === 'experimental'
    ? additive(path, change, 'the surface is experimental and may change')
    : breaking(path, change, 'clients that send or read it are left without it');
}

function diffRequired(wasRequired: boolean, isRequired: boolean, path: string, usage: Usage): SchemaChange[] {
  if (wasRequired === isRequired) return [];
  if (isRequired) {
    return usage.byClient
      ? [breaking(path, 'optional member became required', 'clients that leave it out are refused')]
      : [
          additive(
            path,
            'optional member became required',
            'clients get it more often than they had to expect',
          ),
        ];
  }
  return usage.byServer
    ? [breaking(path, 'required member became optional', 'clients rely on its presence')]
    : [additive(path, 'required member became optional', 'clients may go on sending it')];
}

/** Elements, values of maps, and the alternatives of unions, which are compared in their order. */
function diffInner(older: JsonSchema, newer: JsonSchema, path: string, usage: Usage): SchemaChange[] {
  const single = (['items', 'additionalProperties'] as const).flatMap((keyword) => {
    const [was, is] = [older[keyword], newer[keyword]];
    return isJsonObject(was) && isJsonObject(is) ? diffSchemas(was, is, `${path}/${keyword}`, usage) : [];
  });
  const unions = (['anyOf', 'oneOf', 'allOf'] as const).flatMap((keyword) =>
    diffAlternatives(alternatives(older, keyword), alternatives(newer, keyword), `${path}/${keyword}`, usage),
  );
  return [...single, ...unions];
}

/** Null is left to `diffTypes`. */
function alternatives(schema: JsonSchema, keyword: 'anyOf' | 'oneOf' | 'allOf'): readonly JsonSchema[] {
  return (schema[keyword] ?? []).filter((alternative) => alternative.type !== 'null');
}

function diffAlternatives(
  older: readonly JsonSchema[],
  newer: readonly JsonSchema[],
  path: string,
  usage: Usage,
): SchemaChange[] {
  const both = older.slice(0, newer.length).flatMap((schema, index) => {
    return diffSchemas(schema, newer[index] ?? {}, `${path}/${index}`, usage);
  });
  if (older.length === newer.length) return both;
  const change = `alternatives changed from ${older.length} to ${newer.length}`;
  const isHarmful = newer.length > older.length ? usage.byServer : usage.byClient;
  const ofCount = isHarmful
    ? breaking(path, change, 'what fitted before need not fit now')
    : additive(path, change, 'whatever clients send or expect still fits');
  return [...both, ofCount];
}

const COMPARED = new Set([
  ...['$ref', 'type', 'enum', 'const', 'properties', 'required', 'items', 'additionalProperties'],
  ...['anyOf', 'oneOf', 'allOf', 'pattern', 'minimum', 'maximum', 'description'],
  ...['x-msp-stability', 'x-msp-openness', 'x-msp-descriptor'],
]);

/** Keywords whose meaning is not weighed here: that they changed is reported, as breaking for safety. */
function diffRemainder(older: JsonSchema, newer: JsonSchema, path: string): SchemaChange[] {
  const keywords = [...new Set([...Object.keys(older), ...Object.keys(newer)])].filter(
    (name) => !COMPARED.has(name),
  );
  const closing = [older, newer].map((schema) => JSON.stringify(typeof schema.additionalProperties));
  const isClosedOtherwise = closing[0] !== closing[1] ? ['additionalProperties'] : [];
  return [...keywords, ...isClosedOtherwise]
    .filter((name) => JSON.stringify(older[name]) !== JSON.stringify(newer[name]))
    .map((name) => breaking(path, `${name} changed`, 'what fitted before need not fit now'));
}

function own(members: Readonly<Record<string, JsonSchema>>, name: string): JsonSchema | undefined {
  return Object.hasOwn(members, name) ? members[name] : undefined;
}
