import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { BundleError } from './bundle-error.js';
import { loadBundle, parseBundle } from './load-bundle.js';

const published = fileURLToPath(new URL('../../../shared/msp/msp.schema.json', import.meta.url));

describe.skipIf(!existsSync(published))('the published bundle', () => {
  it('loads with every method, notification, request and error row', async () => {
    const bundle = await loadBundle(published);
    expect(bundle.methods.size).toBe(57);
    expect(bundle.notifications.size).toBe(35);
    expect(bundle.requests.size).toBe(2);
    expect(bundle.errors).toHaveLength(33);
    expect(bundle.definitions.size).toBe(301);
    expect(bundle.isCommand('turn/start')).toBe(true);
    expect(bundle.isCommand('view/page')).toBe(false);
  });

  it('has the fingerprint that the manifest beside it states', async () => {
    const manifest = JSON.parse(readFileSync(new URL('manifest.json', `file://${published}`), 'utf8'));
    expect((await loadBundle(published)).fingerprint).toBe(manifest.fingerprint);
  });
});

/** A bundle of the smallest shape that loads, with `change` applied to it. */
function smallBundle(
  change: (document: Record<string, unknown> & { $defs: Record<string, unknown> }) => void,
): string {
  const document = {
    $defs: { ErrorObject: { type: 'object', properties: { code: { type: 'integer' } } } } as Record<
      string,
      unknown
    >,
    methods: { 'a/b': { params: { $ref: '#/$defs/P' } } },
    notifications: {},
    requests: {},
    errors: [{ code: -32600, kind: 'invalidRequest' }],
    capabilities: { grantable: [] },
  };
  document.$defs['P'] = { type: 'object', properties: { commandId: { type: 'string' } } };
  change(document);
  return JSON.stringify(document);
}

describe('a bundle that cannot be used', () => {
  const faulty: Record<string, [Parameters<typeof smallBundle>[0], string]> = {
    'a missing section': [(b) => delete b['methods'], '/methods'],
    'a section of the wrong type': [(b) => Object.assign(b, { errors: {} }), '/errors'],
    'an error row without a code': [(b) => Object.assign(b, { errors: [{ kind: 'x' }] }), '/errors/0'],
    'a dangling reference': [(b) => Object.assign(b.$defs, { P: { $ref: '#/$defs/Gone' } }), '/$defs/P/$ref'],
    'a reference inside a member': [
      (b) => Object.assign(b.$defs, { P: { properties: { 'a/b': { $ref: 'elsewhere' } } } }),
      '/$defs/P/properties/a~1b/$ref',
    ],
    'definitions that only refer to each other': [
      (b) => Object.assign(b.$defs, { P: { $ref: '#/$defs/Q' }, Q: { $ref: '#/$defs/P' } }),
      '/$defs/P/$ref',
    ],
    'definitions that come back to themselves over alternatives': [
      (b) =>
        Object.assign(b.$defs, {
          P: { anyOf: [{ type: 'string' }, { allOf: [{ $ref: '#/$defs/Q' }] }] },
          Q: { oneOf: [{ $ref: '#/$defs/P' }] },
        }),
      '/$defs/P',
    ],
    'a pattern that may match for ever': [
      (b) => Object.assign(b.$defs, { P: { type: 'string', pattern: '^(a+)+$' } }),
      '/$defs/P/pattern',
    ],
    'a pattern that does not compile': [
      (b) => Object.assign(b.$defs, { P: { type: 'string', pattern: '(' } }),
      '/$defs/P/pattern',
    ],
    'an unknown type': [(b) => Object.assign(b.$defs, { P: { type: 'text' } }), '/$defs/P/type'],
    'no ErrorObject': [(b) => delete b.$defs['ErrorObject'], '/$defs'],
  };

  it.each(Object.entries(faulty))('%s is refused with its place', (_, [change, pointer]) => {
    const error = faultOf(smallBundle(change));
    expect(error.faults.map((fault) => fault.pointer)).toContain(pointer);
    expect(error.message).toContain('some.json');
    expect(error.message).toContain('--schema');
  });

  it('is refused with the line and column at which it stops being JSON', () => {
    expect(faultOf('{\n  "methods": {,}\n}').message).toMatch(/line 2, column 15/);
  });

  it.each(['', '[1]', '{"a":', 'null'])('%j is refused', (text) => {
    expect(faultOf(text).message).toContain('some.json');
  });

  it('is refused when the file does not exist', async () => {
    await expect(loadBundle('no/such/file.json')).rejects.toThrow(/no\/such\/file\.json.*\n.*ENOENT/);
  });

  it('still loads untouched, so that the cases above prove something', () => {
    const bundle = parseBundle(
      smallBundle(() => undefined),
      'some.json',
    );
    expect(bundle.isCommand('a/b')).toBe(true);
    expect(bundle.fingerprint).toMatch(/^sha256:[0-9a-f]{64}$/);
  });
});

function faultOf(text: string): BundleError {
  try {
    parseBundle(text, 'some.json');
  } catch (error) {
    if (error instanceof BundleError) return error;
    throw error;
  }
  throw new Error('expected a BundleError');
}
