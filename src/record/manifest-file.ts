import { readFile } from 'node:fs/promises';
import { InputError, placeInText, unreadable } from '../transcript/errors.js';
import { manifestShape } from '../transcript/manifest-shape.js';
import type { Manifest } from '../transcript/scenario.js';
import { JsonSyntaxError, parseExact } from '../wire/exact-json.js';
import { locateValue } from '../wire/locate.js';

/** Manifest members written by hand, to be merged into a recording's. Throws `InputError` with file, line, column. */
export async function readManifestFile(file: string): Promise<Manifest> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw unreadable(file, error);
  });
  const value = parsed(file, text);
  const wrong = manifestShape(value, []);
  if (wrong === undefined) return value as Manifest;
  throw new InputError(placeInText(file, text, locateValue(text, wrong.path)?.start ?? 0), wrong.problem);
}

function parsed(file: string, text: string): unknown {
  try {
    return parseExact(text).value;
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    throw new InputError(placeInText(file, text, error.offset), `not JSON: ${error.problem}`);
  }
}
