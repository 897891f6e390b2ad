import type { Bundle, ErrorRow, MethodEntry } from './bundle.js';
import { definitionsUsedFrom } from './definition-usage.js';
import { describeValue } from './describe-value.js';
import { diffSchemas, diffStability } from './diff-schemas.js';
import { type JsonSchema, pointerTo } from './json-schema.js';
import { additive, breaking, type SchemaChange, type Usage } from './schema-change.js';

/**
 * What changed between an older bundle and a newer one, and whether a client of the older one may fail against a
 * server of the newer one. Descriptions and the order of things are not compared.
 */
export function diffBundles(older: Bundle, newer: Bundle): readonly SchemaChange[] {
  return [
    ...diffEntries(older.methods, newer.methods, '/methods', 'clients call it'),
    ...diffEntries(older.notifications, newer.notifications, '/notifications', 'clients wait for it'),
    ...diffServerRequests(older, newer),
    ...diffDefinitions(older, newer),
    ...diffErrors(older.errors, newer.errors),
    ...diffCapabilities(older.grantableCapabilities, newer.grantableCapabilities),
    ...diffReserved(older, newer),
  ];
}

type Entries = ReadonlyMap<string, MethodEntry>;

function diffEntries(older: Entries, newer: Entries, path: string, whyMissed: string): SchemaChange[] {
  const methods = new Set([...older.keys(), ...newer.keys()]);
  return [...methods].flatMap((method) => {
    const place = pointerTo(path, method);
    const [was, is] = [older.get(method), newer.get(method)];
    if (was === undefined) return [additive(place, 'added', 'clients do not know it and lose nothing')];
    if (is === undefined) {
      return was.stability === 'experimental'
        ? [additive(place, 'removed', 'the surface is experimental and may change')]
        : [breaking(place, 'removed', whyMissed)];
    }
    return [...diffStability(marked(was), marked(is), place), ...diffParts(was, is, place)];
  });
}

function marked(entry: { readonly stability: string }): { readonly 'x-msp-stability': string } {
  return { 'x-msp-stability': entry.stability };
}

function diffParts(older: MethodEntry, newer: MethodEntry, path: string): SchemaChange[] {
  return (['params', 'result'] as const).flatMap((part) => {
    const [was, is] = [older[part], newer[part]];
    if (was === undefined && is === undefined) return [];
    const usage = { byClient: part === 'params', byServer: part === 'result' };
    if (was !== undefined && is !== undefined) return diffSchemas(was, is, `${path}/${part}`, usage);
    const change = was === undefined ? 'now has a definition' : 'has no definition any more';
    return [breaking(`${path}/${part}`, change, 'what fitted before need not fit now')];
  });
}

/** A new request of the server is no gift: clients that do not know it cannot answer it. */
function diffServerRequests(older: Bundle, newer: Bundle): SchemaChange[] {
  return diffEntries(older.requests, newer.requests, '/requests', 'clients wait for it').map((change) =>
    change.change === 'added'
      ? breaking(change.path, 'added', 'clients cannot answer a request they do not know')
      : change,
  );
}

function diffDefinitions(older: Bundle, newer: Bundle): SchemaChange[] {
  const usageOf = definitionUsage(older, newer);
  const names = new Set([...older.definitions.keys(), ...newer.definitions.keys()]);
  return [...names].flatMap((name) => {
    const place = pointerTo('/$defs', name);
    const [was, is] = [older.definitions.get(name), newer.definitions.get(name)];
    if (was === undefined) return [additive(place, 'definition added', 'its uses are listed where they are')];
    if (is === undefined)
      return [additive(place, 'definition removed', 'names of definitions are not on the wire')];
    return diffSchemas(was, is, place, usageOf(name));
  });
}

/** A definition that no method leads to (the envelopes) is written by both sides. */
function definitionUsage(older: Bundle, newer: Bundle): (name: string) => Usage {
  const writtenBy = (roots: (bundle: Bundle) => readonly (JsonSchema | undefined)[]) =>
    new Set([older, newer].flatMap((bundle) => [...definitionsUsedFrom(bundle, roots(bundle))]));
  const client = writtenBy((bundle) => [...paramsOf(bundle.methods), ...resultsOf(bundle.requests)]);
  const server = writtenBy((bundle) => [
    ...resultsOf(bundle.methods),
    ...paramsOf(bundle.notifications),
    ...paramsOf(bundle.requests),
    { $ref: '#/$defs/ErrorObject' },
  ]);
  return (name) => {
    const usage = { byClient: client.has(name), byServer: server.has(name) };
    return usage.byClient || usage.byServer ? usage : { byClient: true, byServer: true };
  };
}

function paramsOf(entries: Entries): (JsonSchema | undefined)[] {
  return [...entries.values()].map((entry) => entry.params);
}

function resultsOf(entries: Entries): (JsonSchema | undefined)[] {
  return [...entries.values()].map((entry) => entry.result);
}

function diffErrors(older: readonly ErrorRow[], newer: readonly ErrorRow[]): SchemaChange[] {
  const codes = new Set([...older, ...newer].map((row) => row.code));
  return [...codes].flatMap((code) => {
    const [was, is] = [older, newer].map((rows) => rows.find((row) => row.code === code));
    if (was === undefined) {
      const change = `${code} ${is?.kind ?? ''} added`;
      return [additive(rowPath(newer, code), change, 'clients tolerate kinds they do not know')];
    }
    if (is === undefined) {
      const change = `${code} ${was.kind} removed`;
      return [breaking(rowPath(older, code), change, 'clients that branch on it do not meet it any more')];
    }
    return diffErrorRow(was, is, rowPath(newer, code));
  });
}

function rowPath(rows: readonly ErrorRow[], code: number): string {
  return `/errors/${rows.findIndex((row) => row.code === code)}`;
}

function diffErrorRow(was: ErrorRow, is: ErrorRow, path: string): SchemaChange[] {
  const kind = was.kind === is.kind ? [] : [`kind changed from ${was.kind} to ${is.kind}`];
  const retryable =
    was.retryable === is.retryable
      ? []
      : [`retryable changed from ${describeValue(was.retryable)} to ${describeValue(is.retryable)}`];
  const removed = was.overrideKinds.filter((name) => !is.overrideKinds.includes(name));
  const added = is.overrideKinds.filter((name) => !was.overrideKinds.includes(name));
  return [
    ...diffStability(marked(was), marked(is), path),
    ...[...kind, ...retryable].map((change) =>
      breaking(path, `${was.code}: ${change}`, 'clients branch on it'),
    ),
    ...removed.map((name) =>
      breaking(path, `${was.code}: override kind ${name} removed`, 'clients branch on it'),
    ),
    ...added.map((name) =>
      additive(path, `${was.code}: override kind ${name} added`, 'clients tolerate kinds they do not know'),
    ),
  ];
}

function diffCapabilities(older: readonly string[], newer: readonly string[]): SchemaChange[] {
  const path = '/capabilities/grantable';
  return [
    ...older
      .filter((name) => !newer.includes(name))
      .map((name) => breaking(path, `${name} removed`, 'clients that ask for it are not granted it')),
    ...newer
      .filter((name) => !older.includes(name))
      .map((name) => additive(path, `${name} added`, 'clients that do not ask for it are not affected')),
  ];
}

function diffReserved(older: Bundle, newer: Bundle): SchemaChange[] {
  const [was, is] = [older, newer].map((bundle) => bundle.reserved.map((entry) => entry.identifier));
  const moved = (names: readonly string[] = [], others: readonly string[] = [], change: string) =>
    names
      .filter((name) => !others.includes(name))
      .map((name) => additive('/reserved', `${name} ${change}`, 'reserved identifiers are not on the wire'));
  return [...moved(is, was, 'added'), ...moved(was, is, 'removed')];
}
