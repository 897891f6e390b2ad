import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { JsonSyntaxError, parseExact } from '../wire/exact-json.js';
import { isNestedBeyond } from '../wire/nesting.js';
import { type Bundle, createBundle } from './bundle.js';
import { BundleError, type BundleFault } from './bundle-error.js';
import { fingerprintInManifest, fingerprintOfText } from './fingerprint.js';
import { isJsonObject } from './json-schema.js';
import { readBundleMembers } from './read-members.js';
import { referenceFaults } from './reference-faults.js';

/** The bundle that ships with the package. The path is the same seen from `src/schema` and from `dist/schema`. */
export function bundledSchemaPath(): string {
  return fileURLToPath(new URL('../../schema/msp.schema.json', import.meta.url));
}

/**
 * Reads a bundle and, where one lies beside it, its `manifest.json` for the fingerprint.
 * @throws BundleError when the file cannot be read or is no usable bundle.
 */
export async function loadBundle(path: string): Promise<Bundle> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new BundleError(path, [
      { pointer: '', message: `cannot be read (${error.code ?? error.message})` },
    ]);
  });
  const manifest = await readFile(join(dirname(path), 'manifest.json'), 'utf8').catch(() => undefined);
  return parseBundle(text, path, manifest);
}

/**
 * Turns a bundle's text into a checked `Bundle`.
 * @param path only for messages
 * @param manifest the text of the `manifest.json` published beside the bundle, if there is one
 * @throws BundleError with every fault found: not JSON (line:column), missing or mistyped members, dangling or
 * circular references, patterns that do not compile.
 */
export function parseBundle(text: string, path: string, manifest?: string): Bundle {
  const content = text.replace(/^\uFEFF/, '');
  const document = parseJson(content, path);
  const faults: BundleFault[] = [];
  const members = readBundleMembers(document, faults);
  if (members !== undefined) faults.push(...referenceFaults(document));
  if (members === undefined || faults.length > 0) throw new BundleError(path, faults);
  const fingerprint = fingerprintInManifest(manifest) ?? fingerprintOfText(text);
  return createBundle(members, { path, text: content, document, fingerprint });
}

function parseJson(text: string, path: string): Readonly<Record<string, unknown>> {
  if (isNestedBeyond(text, NESTING_LIMIT)) {
    throw new BundleError(path, [{ pointer: '', message: `is nested more than ${NESTING_LIMIT} deep` }]);
  }
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    throw new BundleError(path, [{ pointer: '', message: `not JSON, ${syntaxProblem(text)}` }]);
  }
  if (!isJsonObject(document)) {
    throw new BundleError(path, [
      { pointer: '', message: 'expected a JSON object with $defs, methods and the like' },
    ]);
  }
  return document;
}

/** Schemas are walked by recursion; published ones are some ten deep. */
const NESTING_LIMIT = 500;

/** `JSON.parse` does not reliably say where it stopped. */
function syntaxProblem(text: string): string {
  try {
    parseExact(text);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    const before = text.slice(0, error.offset).split('\n');
    return `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}: ${error.problem}`;
  }
  return 'for a reason that could not be located';
}
