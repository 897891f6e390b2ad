import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { checkBundle } from './check-bundle.js';
import { diffBundles } from './diff-bundles.js';
import { isJsonObject, pointerTo } from './json-schema.js';
import { bundledSchemaPath, loadBundle } from './load-bundle.js';

const publishedPath = fileURLToPath(new URL('../../../shared/msp/msp.schema.json', import.meta.url));
const isPublishedThere = existsSync(publishedPath);
if (!isPublishedThere) console.warn('skipped: no published bundle at ../shared/msp to compare schema/ with');

const own = JSON.parse(readFileSync(bundledSchemaPath(), 'utf8'));
const published = isPublishedThere ? JSON.parse(readFileSync(publishedPath, 'utf8')) : {};

describe('schema/msp.schema.json', () => {
  it('loads, and contradicts itself nowhere', async () => {
    const bundle = await loadBundle(bundledSchemaPath());
    expect(checkBundle(bundle).filter((problem) => problem.severity === 'error')).toEqual([]);
  });

  it('describes every definition, method, notification and request', () => {
    const sections = ['$defs', 'methods', 'notifications', 'requests'];
    const entries = sections.flatMap((section) => Object.entries<{ description?: string }>(own[section]));
    expect(entries.filter(([, entry]) => !entry.description).map(([name]) => name)).toEqual([]);
  });

  it('holds no reference to a ticket or to another document', () => {
    const texts = [...textsOf(own)];
    expect(texts.filter((text) => /#\d|§|\bSS\d|\btdd\b|\bADR\b|\bspec \d/i.test(text))).toEqual([]);
  });
});

describe.skipIf(!isPublishedThere)('schema/ beside the published bundle', () => {
  it('differs in the two newer members of TurnStartParams and nowhere else', () => {
    expect(differencesOf(published, own, '')).toEqual([
      '/$defs/TurnStartParams/properties/tokenBudget added',
      '/$defs/TurnStartParams/properties/userShell added',
      '/$defs/TurnUserShell added',
    ]);
  });

  it('breaks no client of the published bundle', async () => {
    const changes = diffBundles(await loadBundle(publishedPath), await loadBundle(bundledSchemaPath()));
    expect(changes.map(({ path, breaking }) => ({ path, breaking }))).toEqual([
      { path: '/$defs/TurnStartParams/properties/tokenBudget', breaking: false },
      { path: '/$defs/TurnStartParams/properties/userShell', breaking: false },
      { path: '/$defs/TurnUserShell', breaking: false },
    ]);
  });

  it('has the fingerprint of the protocol version that it states', async () => {
    const [stated, ours] = [await loadBundle(publishedPath), await loadBundle(bundledSchemaPath())];
    expect(ours.fingerprint).toBe(stated.fingerprint);
  });

  it('repeats no published sentence', () => {
    const theirs = new Set([...textsOf(published)].flatMap(sentencesOf));
    const ours = [...textsOf(own)].flatMap(sentencesOf);
    expect(ours.filter((sentence) => theirs.has(sentence))).toEqual([]);
    const longer = [...theirs].filter((sentence) => sentence.split(' ').length > 3);
    expect(ours.filter((sentence) => longer.some((other) => sentence.includes(other)))).toEqual([]);
  });
});

/** Prose: descriptions of schemas, and what reserved entries refer to. */
function* textsOf(value: unknown, isNameMap = false): Generator<string> {
  if (Array.isArray(value)) for (const item of value) yield* textsOf(item);
  if (!isJsonObject(value)) return;
  for (const [name, inner] of Object.entries(value)) {
    const isProse = !isNameMap && (name === 'description' || name === 'reference');
    if (isProse && typeof inner === 'string') yield inner;
    else yield* textsOf(inner, !isNameMap && name === 'properties');
  }
}

function sentencesOf(text: string): string[] {
  const plain = text
    .toLowerCase()
    .replaceAll(/[`*"()]/g, '')
    .replaceAll(/\s+/g, ' ');
  return plain
    .split(/[.;:](?: |$)/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '');
}

/** Every place where two documents differ in something else than prose. Order counts in arrays that are not sets. */
function differencesOf(older: unknown, newer: unknown, path: string, isNameMap = false): string[] {
  if (isJsonObject(older) && isJsonObject(newer)) {
    const names = [...new Set([...Object.keys(older), ...Object.keys(newer)])].sort();
    return names
      .filter((name) => isNameMap || !['description', 'reference'].includes(name))
      .flatMap((name) => {
        const place = pointerTo(path, name);
        if (!Object.hasOwn(older, name)) return [`${place} added`];
        if (!Object.hasOwn(newer, name)) return [`${place} removed`];
        return differencesOf(older[name], newer[name], place, !isNameMap && name === 'properties');
      });
  }
  if (Array.isArray(older) && Array.isArray(newer) && older.length === newer.length) {
    return older.flatMap((item, index) => differencesOf(item, newer[index], `${path}/${index}`));
  }
  return JSON.stringify(older) === JSON.stringify(newer) ? [] : [`${path} changed`];
}
