import { readFile } from 'node:fs/promises';
import { examine } from '../schema/examine.js';
import { fingerprintInManifest } from '../schema/fingerprint.js';
import type { JsonSchema } from '../schema/json-schema.js';
import type { SchemaOutcome } from '../schema/outcome.js';

/** The params of every method, as the shipped bundle states them. */
export interface Contract {
  validateParams(method: string, params: unknown): SchemaOutcome;
}

/** The path is the same seen from `src/reference` and from `dist/reference`. */
const FOLDER = new URL('../../schema/', import.meta.url);

/** The fingerprint of the shipped bundle. */
export async function readFingerprint(): Promise<string> {
  const manifest = await readFile(new URL('manifest.json', FOLDER), 'utf8');
  const fingerprint = fingerprintInManifest(manifest);
  if (fingerprint === undefined) throw new Error('schema/manifest.json states no fingerprint');
  return fingerprint;
}

/**
 * Reads the shipped bundle. It is examined as it is: a server that is started for a few requests would spend more time on
 * compiling validators than on everything else, and the bundle was checked before it was shipped.
 */
export async function loadContract(): Promise<Contract> {
  const text = await readFile(new URL('msp.schema.json', FOLDER), 'utf8');
  const { $defs, methods } = JSON.parse(text) as {
    $defs: Record<string, JsonSchema>;
    methods: Record<string, { params?: JsonSchema }>;
  };
  const by = {
    definitions: new Map(Object.entries($defs)),
    eventParams: () => undefined,
    otherKeywords: () => [],
  };
  return {
    validateParams: (method, params) => {
      const found = { violations: [], notes: [] };
      examine(by, methods[method]?.params ?? { type: 'object' }, params, { segment: method }, found);
      return found;
    },
  };
}
