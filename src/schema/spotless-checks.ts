import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { Bundle } from './bundle.js';
import { BundleError } from './bundle-error.js';
import { EVENT_KEYWORD, spotlessForm, tolerantForm } from './compiled-forms.js';
import { isJsonObject, type JsonSchema } from './json-schema.js';

/** True when the value conforms and earns no note. */
export type SpotlessCheck = (value: unknown) => boolean;

const BUNDLE_ID = 'msp';

/** Compiles a schema of the bundle into a check for spotless values. Definitions are compiled once, on first use. */
export function spotlessCompiler(bundle: Bundle): (schema: JsonSchema) => SpotlessCheck {
  const ajv = newAjv({ messages: false });
  const events = new Map<string, SpotlessCheck>();
  ajv.addKeyword({ keyword: EVENT_KEYWORD, schema: false, validate: isSpotlessEvent });
  ajv.addSchema({ $id: BUNDLE_ID, $defs: formsOf(bundle, spotlessForm) });
  return compile;

  function compile(schema: JsonSchema): SpotlessCheck {
    return compileOrExplain(bundle, () => ajv.compile(anchored(spotlessForm(schema))));
  }

  function isSpotlessEvent(event: unknown): boolean {
    if (!isJsonObject(event) || typeof event['method'] !== 'string') return false;
    let check = events.get(event['method']);
    if (check === undefined) {
      const params = bundle.notifications.get(event['method'])?.params;
      check = params === undefined ? () => false : compile(params);
      events.set(event['method'], check);
    }
    return check(event['params']);
  }
}

/**
 * Evaluates the keywords that `examine` leaves over (`not`, `dependentRequired`, `format`, ...), each set compiled
 * on first use. The answer is ajv's sentences.
 */
export function otherKeywordsCheck(
  bundle: Bundle,
): (schema: JsonSchema, value: unknown) => readonly string[] {
  const compiled = new WeakMap<JsonSchema, ReturnType<Ajv2020['compile']> | null>();
  let ajv: Ajv2020 | undefined;
  return (schema, value) => {
    let check = compiled.get(schema);
    if (check === undefined) {
      check = compileRest(schema);
      compiled.set(schema, check);
    }
    if (check === null || check(value)) return [];
    return (check.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message ?? ''}`.trim());
  };

  function compileRest(schema: JsonSchema) {
    const rest = otherKeywords(schema);
    if (Object.keys(rest).length === 0) return null;
    if (ajv === undefined) {
      ajv = newAjv({ messages: true });
      ajv.addSchema({ $id: BUNDLE_ID, $defs: formsOf(bundle, tolerantForm) });
    }
    const engine = ajv;
    return compileOrExplain(bundle, () => engine.compile(anchored(tolerantForm(rest))));
  }
}

/** Keywords that `examine` reads itself, and annotations. */
const EXAMINED = new Set([
  ...['$ref', 'type', 'properties', 'required', 'additionalProperties', 'items', 'anyOf', 'oneOf'],
  ...[
    'pattern',
    'minimum',
    'maximum',
    'description',
    'title',
    'default',
    'examples',
    '$comment',
    'deprecated',
  ],
]);

function otherKeywords(schema: JsonSchema): JsonSchema {
  const left = Object.entries(schema).filter(([name]) => !EXAMINED.has(name) && !name.startsWith('x-'));
  return Object.fromEntries(left) as JsonSchema;
}

/**
 * The loader has checked the keywords that bundles use; holding each schema to the meta-schema would cost every start.
 * Optimising the generated code costs more than a run gains by it.
 */
function newAjv(options: { readonly messages: boolean }): Ajv2020 {
  const ajv = new Ajv2020({
    ...options,
    strict: false,
    validateSchema: false,
    logger: false,
    code: { optimize: false },
  });
  formats.default(ajv);
  return ajv;
}

function formsOf(bundle: Bundle, form: (schema: JsonSchema, definition?: string) => JsonSchema) {
  return Object.fromEntries([...bundle.definitions].map(([name, schema]) => [name, form(schema, name)]));
}

/** The same schema with references that find the bundle from outside it. */
function anchored(schema: JsonSchema): JsonSchema {
  const text = JSON.stringify(schema, (key, value) =>
    key === '$ref' && typeof value === 'string' && value.startsWith('#') ? `${BUNDLE_ID}${value}` : value,
  );
  return JSON.parse(text) as JsonSchema;
}

function compileOrExplain<T>(bundle: Bundle, compile: () => T): T {
  try {
    return compile();
  } catch (error) {
    throw new BundleError(bundle.path, [
      { pointer: '', message: `does not compile: ${(error as Error).message}` },
    ]);
  }
}
