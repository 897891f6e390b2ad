import { isUtf8 } from 'node:buffer';
import { access, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type ExactDocument,
  type ExactJson,
  JsonSyntaxError,
  parseExact,
  stringifyExact,
} from '../wire/exact-json.js';
import { locateValue } from '../wire/locate.js';
import { fromPointer } from '../wire/pointer.js';
import { firstInvalidUtf8 } from '../wire/utf8.js';
import { InputError, placeInText, unreadable } from './errors.js';
import { manifestShape } from './manifest-shape.js';
import { openInput } from './open-input.js';
import type { Manifest } from './scenario.js';
import { writeAside } from './write-aside.js';

export const MANIFEST_NAME = 'manifest.json';

/** Far above any real manifest; keeps a wrong file from being read whole. */
const MANIFEST_LIMIT_BYTES = 16 * 1024 * 1024;

/**
 * The manifest in a scenario's folder, undefined when there is none. Unknown members are kept. Throws `InputError`
 * when it cannot be read, is no JSON object, repeats a member, or a member that this program reads has the wrong type.
 */
export async function readManifest(folder: string): Promise<Manifest | undefined> {
  const file = join(folder, MANIFEST_NAME);
  if (!(await exists(file))) {
    return undefined;
  }
  const text = await readText(file);
  const { value, repeatedMembers } = parse(file, text);
  const shapeProblem = manifestShape(value, []);
  if (shapeProblem !== undefined) {
    const offset = locateValue(text, shapeProblem.path)?.start ?? 0;
    throw new InputError(placeInText(file, text, offset), shapeProblem.problem);
  }
  const [repeated] = repeatedMembers;
  if (repeated !== undefined) {
    const offset = locateValue(text, fromPointer(repeated))?.memberStart ?? 0;
    throw new InputError(
      placeInText(file, text, offset),
      `the member ${repeated} occurs twice; expected it once`,
    );
  }
  return value as Manifest;
}

/** Writes the manifest of a scenario's folder, unknown members included, whole or not at all. */
export async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  const text = `${stringifyExact(manifest as unknown as ExactJson, 2)}\n`;
  await writeAside(join(folder, MANIFEST_NAME), async (handle) => handle.writeFile(text));
}

async function exists(file: string): Promise<boolean> {
  try {
    await access(file);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      return false;
    }
    throw unreadable(file, error);
  }
}

async function readText(file: string): Promise<string> {
  const handle = await openInput(file);
  try {
    const bytes = await readWhole(file, handle);
    if (!isUtf8(bytes)) {
      const offset = firstInvalidUtf8(bytes);
      const before = bytes.subarray(0, offset).toString('utf8');
      throw new InputError(
        placeInText(file, before, before.length),
        `byte ${offset} of the file is not valid UTF-8; expected UTF-8 text`,
      );
    }
    const text = bytes.toString('utf8');
    return text.startsWith('\uFEFF') ? text.slice(1) : text;
  } finally {
    await handle.close();
  }
}

async function readWhole(file: string, handle: FileHandle): Promise<Buffer> {
  try {
    const { size } = await handle.stat();
    if (size > MANIFEST_LIMIT_BYTES) {
      throw new InputError({ file }, `has ${size} bytes; expected at most ${MANIFEST_LIMIT_BYTES}`);
    }
    return await handle.readFile();
  } catch (error) {
    throw error instanceof InputError ? error : unreadable(file, error);
  }
}

function parse(file: string, text: string): ExactDocument {
  try {
    return parseExact(text);
  } catch (error) {
    if (error instanceof JsonSyntaxError) {
      throw new InputError(placeInText(file, text, error.offset), `not JSON: ${error.problem}`);
    }
    throw error;
  }
}
