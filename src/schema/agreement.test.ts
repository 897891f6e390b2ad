import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { spotlessForm, tolerantForm } from './compiled-forms.js';
import { enumChoices } from './enum-choices.js';
import { type Examiner, examine } from './examine.js';
import type { Findings } from './findings.js';
import { isJsonObject, type JsonSchema, referencedName } from './json-schema.js';
import { bundledSchemaPath, loadBundle } from './load-bundle.js';
import { otherKeywordsCheck } from './spotless-checks.js';

const bundle = await loadBundle(bundledSchemaPath());
const examiner: Examiner = {
  definitions: bundle.definitions,
  eventParams: () => null,
  otherKeywords: otherKeywordsCheck(bundle),
};

/** A page's event is compiled with a keyword of its own; `validate.test.ts` has its cases. */
const names = [...bundle.definitions.keys()].filter((name) => !/^UnframedView|^ViewPageResult$/.test(name));

/**
 * Two readings of one schema, a compiled one and an explaining one, must never part ways, or a value would be judged
 * by which of them happens to look at it.
 */
describe('the examination agrees with ajv', () => {
  const tolerant = ajvOver(tolerantForm);
  const spotless = ajvOver((schema, name) => spotlessForm(schema, name));

  it('on what is a violation, the disputed points aside', () => {
    fc.assert(
      fc.property(nearlyFittingValue(), ({ name, value }) => {
        const { violations, notes } = findingsOn(name, value);
        const isDisputed = notes.some((note) => note.rule === 'disputed');
        fc.pre(!isDisputed);
        expect({ name, value, violations }).toEqual(
          tolerant(name, value)
            ? { name, value, violations: [] }
            : { name, value, violations: expect.arrayContaining([expect.anything()]) },
        );
      }),
      { numRuns: 800 },
    );
  });

  it('and a value that the compiled check passes has neither violation nor note', () => {
    fc.assert(
      fc.property(nearlyFittingValue(), ({ name, value }) => {
        const { violations, notes } = findingsOn(name, value);
        expect({ name, value, issues: [...violations, ...notes] }).toEqual(
          spotless(name, value)
            ? { name, value, issues: [] }
            : { name, value, issues: expect.arrayContaining([expect.anything()]) },
        );
      }),
      { numRuns: 800 },
    );
  });
});

function findingsOn(name: string, value: unknown): Findings {
  const found: Findings = { violations: [], notes: [] };
  examine(examiner, { $ref: `#/$defs/${name}` }, value, { segment: name }, found);
  return found;
}

function ajvOver(form: (schema: JsonSchema, name: string) => JsonSchema) {
  const ajv = new Ajv2020({ strict: false, validateSchema: false });
  const definitions = [...bundle.definitions].map(([name, schema]) => [name, form(schema, name)]);
  ajv.addSchema({ $id: 'msp', $defs: Object.fromEntries(definitions) });
  return (name: string, value: unknown): boolean => ajv.validate(`msp#/$defs/${name}`, value);
}

function nearlyFittingValue(): fc.Arbitrary<{ name: string; value: unknown }> {
  return fc
    .constantFrom(...names)
    .chain((name) => anyValueOf({ $ref: `#/$defs/${name}` }, 4).map((value) => ({ name, value })));
}

/** Mostly what the schema asks for, now and then something else. */
function anyValueOf(schema: JsonSchema, depth: number): fc.Arbitrary<unknown> {
  const odd = fc.constantFrom<unknown>(null, 0, -1, 1.5, '', 'x', true, [], {}, ['x'], { x: 1 });
  return fc.oneof({ weight: 40, arbitrary: fittingValue(schema, depth) }, { weight: 1, arbitrary: odd });
}

function fittingValue(schema: JsonSchema, depth: number): fc.Arbitrary<unknown> {
  const name = referencedName(schema);
  if (name !== undefined) return anyValueOf(bundle.definitions.get(name) ?? {}, depth);
  const choices = enumChoices(schema);
  if (choices !== undefined) {
    return fc.oneof(
      { weight: 20, arbitrary: fc.constantFrom(...choices.values) },
      { weight: 1, arbitrary: fc.constant('new') },
    );
  }
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives !== undefined) return fc.oneof(...alternatives.map((inner) => anyValueOf(inner, depth)));
  const types = [schema.type ?? 'object'].flat();
  return fc.oneof(...types.map((type) => valueOfType(type, schema, depth)));
}

function valueOfType(type: string, schema: JsonSchema, depth: number): fc.Arbitrary<unknown> {
  if (type === 'string') return fc.constantFrom('abc', `sha256:${'0'.repeat(64)}`);
  if (type === 'integer') return fc.constantFrom(0, 1, 7, 1000, 1001, 2 ** 53);
  if (type === 'number') return fc.constantFrom(0, 0.5);
  if (type === 'boolean') return fc.boolean();
  if (type === 'null') return fc.constant(null);
  if (type === 'array')
    return fc.array(anyValueOf(schema.items ?? {}, depth - 1), { maxLength: depth > 0 ? 2 : 0 });
  return objectOf(schema, depth);
}

/** Optional members are sparse, required ones seldom missing, unknown ones rare. */
function objectOf(schema: JsonSchema, depth: number): fc.Arbitrary<unknown> {
  const members = Object.entries(schema.properties ?? {}).map(([name, member]) => {
    const isRequired = schema.required?.includes(name) ?? false;
    const weights = isRequired ? [1, 60] : [depth > 0 ? 5 : 50, 1];
    const absent = { weight: weights[0] ?? 1, arbitrary: fc.constant(ABSENT) };
    return fc
      .oneof(absent, { weight: weights[1] ?? 1, arbitrary: anyValueOf(member, depth - 1) })
      .map((value) => [name, value] as const);
  });
  const more = isJsonObject(schema.additionalProperties)
    ? anyValueOf(schema.additionalProperties, depth - 1)
    : fc.integer();
  const unknown = fc
    .oneof({ weight: 20, arbitrary: fc.constant(ABSENT) }, { weight: 1, arbitrary: more })
    .map((value) => ['notInTheSchema', value] as const);
  return fc
    .tuple(...members, unknown)
    .map((entries) => Object.fromEntries(entries.filter(([, value]) => value !== ABSENT)));
}

const ABSENT = Symbol('absent');
