import type { Bundle, MethodEntry, SchemaRoot } from './bundle.js';
import { describeValue } from './describe-value.js';
import { type Examiner, examine } from './examine.js';
import { type Findings, note } from './findings.js';
import type { JsonSchema } from './json-schema.js';
import { CLEAN, type SchemaOutcome } from './outcome.js';
import { otherKeywordsCheck, type SpotlessCheck, spotlessCompiler } from './spotless-checks.js';

/**
 * Holds the values of frames to the bundle. `value` is the frame's `params`, `result` or `error` as `JSON.parse` read it;
 * absent params are `undefined`. A method that the bundle does not list gives the note `unknownMethod` and no verdict.
 */
export interface Validator {
  readonly bundle: Bundle;
  /** Params of a client request. */
  validateParams(method: string, value: unknown): SchemaOutcome;
  /** The result of a client request. */
  validateResult(method: string, value: unknown): SchemaOutcome;
  /** Params of a notification of either side. */
  validateNotification(method: string, value: unknown): SchemaOutcome;
  /** Params of a request that the server sends. */
  validateServerRequest(method: string, value: unknown): SchemaOutcome;
  /** The client's answer to a request of the server. */
  validateReceipt(method: string, value: unknown): SchemaOutcome;
  /** The `error` member of an error response. For code and kind together see `checkErrorPair`. */
  validateErrorObject(value: unknown): SchemaOutcome;
}

const validators = new WeakMap<Bundle, Validator>();

/** The validator of a bundle, one for each bundle, so that every method is compiled once in a process. */
export function validatorFor(bundle: Bundle): Validator {
  const known = validators.get(bundle) ?? createValidator(bundle);
  validators.set(bundle, known);
  return known;
}

type ValidateByMethod = (method: string, value: unknown) => SchemaOutcome;

function createValidator(bundle: Bundle): Validator {
  const compile = lazily(() => spotlessCompiler(bundle));
  const examiner: Examiner = {
    definitions: bundle.definitions,
    eventParams: (method) => {
      const entry = bundle.notifications.get(method);
      return entry && (entry.params ?? null);
    },
    otherKeywords: otherKeywordsCheck(bundle),
  };
  const errorRoot = bundle.errorRoot();
  const validateError = validateAgainst(errorRoot, 'error');
  return {
    bundle,
    validateParams: byMethod(bundle.methods, 'params'),
    validateResult: byMethod(bundle.methods, 'result'),
    validateNotification: byMethod(bundle.notifications, 'params'),
    validateServerRequest: byMethod(bundle.requests, 'params'),
    validateReceipt: byMethod(bundle.requests, 'result'),
    validateErrorObject: validateError,
  };

  function byMethod(entries: ReadonlyMap<string, MethodEntry>, part: 'params' | 'result'): ValidateByMethod {
    const compiled = new Map<string, (value: unknown) => SchemaOutcome>();
    return (method, value) => {
      let validate = compiled.get(method);
      if (validate === undefined) {
        const entry = entries.get(method);
        if (entry === undefined) return unknownMethod(method);
        validate = validateAgainst({ schema: entry[part] ?? NO_MEMBERS }, `${method} ${part}`);
        compiled.set(method, validate);
      }
      // Params without members may be left out; a result is always there.
      return validate(value === undefined && part === 'params' ? {} : value);
    };
  }

  function validateAgainst(root: SchemaRoot, name: string): (value: unknown) => SchemaOutcome {
    const isSpotless = lazily((): SpotlessCheck => compile()(root.schema));
    return (value) => {
      if (isSpotless()(value)) return CLEAN;
      const found: Findings = { violations: [], notes: [] };
      examine(examiner, root.schema, value, { segment: name, definition: root.definition }, found);
      return found;
    };
  }
}

/** What a method without a params definition takes: an object, of which no member is known. */
const NO_MEMBERS: JsonSchema = { type: 'object' };

function unknownMethod(method: string): SchemaOutcome {
  const found: Findings = { violations: [], notes: [] };
  note(found, { segment: 'method' }, 'unknownMethod', `${describeValue(method)} is not in the bundle`);
  return found;
}

function lazily<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
