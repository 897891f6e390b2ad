import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { diffBundles } from './diff-bundles.js';
import { parseBundle } from './load-bundle.js';

const fixture = readFileSync(new URL('fixtures/experimental.schema.json', import.meta.url), 'utf8');

// biome-ignore lint/suspicious/noExplicitAny: a test edits the document anywhere.
type Document = any;

function changesAfter(
  edit: (document: Document) => void,
  from: (document: Document) => void = () => undefined,
) {
  const [older, newer] = [JSON.parse(fixture), JSON.parse(fixture)];
  for (const document of [older, newer]) from(document);
  edit(newer);
  return diffBundles(
    parseBundle(JSON.stringify(older), 'older.json'),
    parseBundle(JSON.stringify(newer), 'newer.json'),
  );
}

describe('a change between two bundles', () => {
  it('is none for a bundle and itself, however it is laid out', () => {
    expect(changesAfter(() => undefined)).toEqual([]);
    expect(changesAfter((b) => Object.assign(b.$defs.StartResult, { description: 'new words' }))).toEqual([]);
  });

  const params = '/$defs/StartParams/properties';
  const result = '/$defs/StartResult/properties';
  const additions: Record<string, [(b: Document) => void, string]> = {
    'a new method': [(b) => Object.assign(b.methods, { 'a/b': {} }), '/methods/a~1b'],
    'a new notification': [(b) => Object.assign(b.notifications, { 'a/b': {} }), '/notifications/a~1b'],
    'a new optional member of params': [
      (b) => Object.assign(b.$defs.StartParams.properties, { x: { type: 'string' } }),
      `${params}/x`,
    ],
    'a new required member of a result': [
      (b) => {
        b.$defs.StartResult.properties.x = { type: 'string' };
        b.$defs.StartResult.required.push('x');
      },
      `${result}/x`,
    ],
    'a required member of params that became optional': [
      (b) => Object.assign(b.$defs.StartParams, { required: [] }),
      `${params}/commandId`,
    ],
    'params that accept null as well': [
      (b) => Object.assign(b.$defs.StartParams.properties.commandId, { type: ['string', 'null'] }),
      `${params}/commandId`,
    ],
    'a new value of an open enum': [(b) => b.$defs.ErrorKind.oneOf[0].enum.push('x'), '/$defs/ErrorKind'],
    'a new experimental value of a closed enum': [
      (b) => b.$defs.Mode.oneOf.push({ const: 'x', 'x-msp-stability': 'experimental' }),
      '/$defs/Mode',
    ],
    'an experimental member that became stable': [
      (b) => {
        b.$defs.StartParams.properties.budget = { type: 'integer', minimum: 1 };
      },
      `${params}/budget`,
    ],
    'an experimental member that went away': [
      (b) => delete b.$defs.StartParams.properties.budget,
      `${params}/budget`,
    ],
    'an experimental method that went away': [(b) => delete b.methods['log/page'], '/methods/log~1page'],
    'a new error': [(b) => b.errors.push({ code: -32098, kind: 'notFound2' }), '/errors/3'],
    'a new override kind': [(b) => Object.assign(b.errors[1], { overrideKinds: ['gone'] }), '/errors/1'],
    'a new capability': [(b) => b.capabilities.grantable.push('x'), '/capabilities/grantable'],
    'a new reservation': [(b) => b.reserved.push({ identifier: 'x' }), '/reserved'],
  };
  it.each(Object.entries(additions))('%s is additive', (_, [edit, path]) => {
    expect(changesAfter(edit)).toMatchObject([{ path, breaking: false, why: expect.stringMatching(/\w/) }]);
  });

  const breaks: Record<string, [(b: Document) => void, string]> = {
    'a removed method': [(b) => delete b.methods['session/start'], '/methods/session~1start'],
    'a method that became experimental': [
      (b) => Object.assign(b.methods['session/start'], { 'x-msp-stability': 'experimental' }),
      '/methods/session~1start',
    ],
    'a new request of the server': [(b) => Object.assign(b.requests, { 'a/b': {} }), '/requests/a~1b'],
    'a new required member of params': [
      (b) => {
        b.$defs.StartParams.properties.x = { type: 'string' };
        b.$defs.StartParams.required.push('x');
      },
      `${params}/x`,
    ],
    'an optional member of params that became required': [
      (b) => b.$defs.StartParams.required.push('mode'),
      `${params}/mode`,
    ],
    'a removed member of params': [(b) => delete b.$defs.StartParams.properties.mode, `${params}/mode`],
    'a removed required member of a result': [
      (b) => {
        b.$defs.StartResult = { type: 'object', properties: {} };
      },
      `${result}/sessionId`,
    ],
    'a required member of a result that became optional': [
      (b) => Object.assign(b.$defs.StartResult, { required: [] }),
      `${result}/sessionId`,
    ],
    'a result that may be null now': [
      (b) => Object.assign(b.$defs.StartResult.properties.sessionId, { type: ['string', 'null'] }),
      `${result}/sessionId`,
    ],
    'a changed type': [
      (b) => Object.assign(b.$defs.StartParams.properties.commandId, { type: 'integer' }),
      `${params}/commandId`,
    ],
    'another definition in its place': [
      (b) => Object.assign(b.$defs.StartParams.properties.mode, { $ref: '#/$defs/ErrorKind' }),
      `${params}/mode`,
    ],
    'a new pattern on params': [
      (b) => Object.assign(b.$defs.StartParams.properties.commandId, { pattern: '^x' }),
      `${params}/commandId`,
    ],
    'a new value of a closed enum': [(b) => b.$defs.Mode.oneOf[0].enum.push('x'), '/$defs/Mode'],
    'a removed value': [(b) => b.$defs.Mode.oneOf[0].enum.pop(), '/$defs/Mode'],
    'a closed enum that became open': [
      (b) => Object.assign(b.$defs.Mode, { 'x-msp-openness': 'open' }),
      '/$defs/Mode',
    ],
    'a removed error': [(b) => b.errors.splice(1, 1), '/errors/1'],
    'another kind for a code': [(b) => Object.assign(b.errors[1], { kind: 'gone' }), '/errors/1'],
    'another retryable default': [(b) => Object.assign(b.errors[1], { retryable: true }), '/errors/1'],
    'a removed override kind': [(b) => delete b.errors[0].overrideKinds, '/errors/0'],
    'a removed capability': [(b) => b.capabilities.grantable.pop(), '/capabilities/grantable'],
    'a keyword that is not weighed': [
      (b) => Object.assign(b.$defs.StartParams, { minProperties: 2 }),
      '/$defs/StartParams',
    ],
  };
  it.each(Object.entries(breaks))('%s is breaking', (_, [edit, path]) => {
    expect(changesAfter(edit)).toMatchObject([{ path, breaking: true, why: expect.stringMatching(/\w/) }]);
  });

  it('of a limit is weighed by who writes the value', () => {
    const withLimits = (b: Document) => {
      b.$defs.StartParams.properties.size = { type: 'integer', maximum: 10 };
      b.$defs.StartResult.properties.size = { type: 'integer', maximum: 10 };
    };
    const changedTo = (maximum: number) =>
      changesAfter((b) => {
        b.$defs.StartParams.properties.size.maximum = maximum;
        b.$defs.StartResult.properties.size.maximum = maximum;
      }, withLimits).map(({ path, breaking }) => ({ path, breaking }));
    expect(changedTo(5)).toEqual([
      { path: `${params}/size`, breaking: true },
      { path: `${result}/size`, breaking: false },
    ]);
    expect(changedTo(20)).toEqual([
      { path: `${params}/size`, breaking: false },
      { path: `${result}/size`, breaking: true },
    ]);
  });

  it('inside an experimental surface is never breaking', () => {
    const changes = changesAfter((b) => {
      b.$defs.Worktree.properties = { trunk: { type: 'string' } };
      b.$defs.StartParams.properties.budget.maximum = 3;
    });
    expect(changes).toHaveLength(3);
    expect(changes.filter((change) => change.breaking)).toEqual([]);
  });

  it('is found inside arrays, maps and unions', () => {
    const withNesting = (b: Document) => {
      b.$defs.StartResult.properties.list = { type: 'array', items: { type: 'string' } };
      b.$defs.StartResult.properties.map = { type: 'object', additionalProperties: { type: 'string' } };
      b.$defs.StartResult.properties.maybe = { anyOf: [{ type: 'string' }, { type: 'null' }] };
    };
    const changes = changesAfter((b) => {
      b.$defs.StartResult.properties.list.items.type = 'integer';
      b.$defs.StartResult.properties.map.additionalProperties.type = 'integer';
      b.$defs.StartResult.properties.maybe.anyOf[0].type = 'integer';
    }, withNesting);
    expect(changes.map((change) => change.path)).toEqual([
      `${result}/list/items`,
      `${result}/map/additionalProperties`,
      `${result}/maybe/anyOf/0`,
    ]);
  });
});
