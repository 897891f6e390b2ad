import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { checkErrorPair } from './error-registry.js';
import { bundledSchemaPath, loadBundle } from './load-bundle.js';
import type { SchemaIssue, SchemaOutcome } from './outcome.js';
import { type Validator, validatorFor } from './validate.js';

const corpus = fileURLToPath(new URL('../../../shared/corpus/', import.meta.url));
const published = fileURLToPath(new URL('../../../shared/msp/msp.schema.json', import.meta.url));
const scenarios = existsSync(corpus) ? readdirSync(corpus) : [];

if (scenarios.length === 0) console.warn('skipped: no golden transcripts at ../shared/corpus');

/** The golden transcripts are known to be valid, so whatever a validator says against one of them is a false alarm. */
describe.skipIf(scenarios.length === 0)('golden transcripts', () => {
  const bundles = [bundledSchemaPath(), published].filter(existsSync);
  const cases = bundles.flatMap((path) =>
    scenarios.map((scenario) => ({ scenario, path, bundle: basename(dirname(path)) })),
  );

  it.each(cases)('$scenario breaks nothing, by the bundle in $bundle/', async ({ scenario, path }) => {
    const validator = await validatorOf(path);
    const { provenance } = JSON.parse(readFileSync(`${corpus}${scenario}/manifest.json`, 'utf8'));
    const { violations, notes } = transcriptIssues(validator, scenario);
    expect(violations).toEqual([]);
    if (provenance === 'sdk-tolerance') expect(notes).not.toEqual([]);
  });
});

const loading = new Map<string, Promise<Validator>>();

function validatorOf(path: string): Promise<Validator> {
  const validator = loading.get(path) ?? loadBundle(path).then(validatorFor);
  loading.set(path, validator);
  return validator;
}

function transcriptIssues(validator: Validator, scenario: string) {
  const violations: SchemaIssue[] = [];
  const notes: SchemaIssue[] = [];
  const pending = new Map<string, string>();
  for (const line of readFileSync(`${corpus}${scenario}/transcript.ndjson`, 'utf8').split('\n')) {
    if (line.trim() === '') continue;
    const { dir, raw } = JSON.parse(line);
    const outcomes = frameOutcomes(validator, dir, raw, pending);
    violations.push(...outcomes.flatMap((outcome) => outcome.violations));
    notes.push(...outcomes.flatMap((outcome) => outcome.notes));
  }
  return { violations, notes };
}

function frameOutcomes(
  validator: Validator,
  dir: string,
  raw: string,
  pending: Map<string, string>,
): readonly SchemaOutcome[] {
  const frame = JSON.parse(raw);
  const key = (side: string) => `${side} ${JSON.stringify(frame.id)}`;
  if (frame.method !== undefined && frame.id === undefined) {
    return [validator.validateNotification(frame.method, frame.params)];
  }
  if (frame.method !== undefined) {
    pending.set(key(dir), frame.method);
    return dir === 'client'
      ? [validator.validateParams(frame.method, frame.params)]
      : [validator.validateServerRequest(frame.method, frame.params)];
  }
  if (frame.error !== undefined) {
    const pair = checkErrorPair(validator.bundle, frame.error.code, frame.error.data?.kind);
    return [validator.validateErrorObject(frame.error), pair];
  }
  const method = pending.get(key(dir === 'client' ? 'server' : 'client')) ?? '?';
  return dir === 'client'
    ? [validator.validateReceipt(method, frame.result)]
    : [validator.validateResult(method, frame.result)];
}
