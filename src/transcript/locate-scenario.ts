import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { describe } from './describe.js';
import { InputError, unreadable } from './errors.js';
import { MANIFEST_NAME, readManifest } from './manifest.js';
import type { Scenario } from './scenario.js';

/** The names that a scenario folder's transcript can have. */
export const TRANSCRIPT_NAMES: readonly string[] = ['transcript.ndjson', 'transcript.jsonl'];

/** A scenario whose steps have not been read: `readTranscript(transcriptPath)` streams them. */
export type LocatedScenario = Omit<Scenario, 'steps'>;

/**
 * Finds what belongs to a scenario and reads its manifest. `path` is the scenario's folder or a transcript file; a
 * file that is not named `transcript.ndjson` or `.jsonl` stands alone: its own name is the id, and it has no manifest.
 * Throws `InputError` for what is unreadable, empty, ambiguous or misnamed.
 */
export async function locateScenario(path: string): Promise<LocatedScenario> {
  const isFolder = (await statOf(path)).isDirectory();
  if (!isFolder && isStandalone(path)) {
    const id = standaloneId(path);
    requireValidId(path, id);
    return { id, folder: resolve(dirname(path)), transcriptPath: resolve(path), manifest: undefined };
  }
  const folder = isFolder ? path : dirname(path);
  const transcriptPath = await onlyTranscript(folder);
  const manifest = await readManifest(folder);
  const id = basename(resolve(folder));
  if (manifest?.scenario !== undefined && manifest.scenario !== id) {
    throw new InputError(
      { file: join(folder, MANIFEST_NAME) },
      `"scenario" is ${describe(manifest.scenario)} but the folder is ${describe(id)}; expected the same name`,
      'rename the folder or correct the manifest',
    );
  }
  requireValidId(folder, id);
  return { id, folder: resolve(folder), transcriptPath: resolve(transcriptPath), manifest };
}

/** Whether a transcript file is a scenario of its own, rather than the transcript of the folder that it is in. */
export function isStandalone(transcriptFile: string): boolean {
  return !TRANSCRIPT_NAMES.includes(basename(transcriptFile));
}

export function standaloneId(transcriptFile: string): string {
  return basename(transcriptFile, extname(transcriptFile));
}

/** Ids become file names below the folder that a run writes to, and must not lead out of it. */
const SCENARIO_ID = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;

function requireValidId(path: string, id: string): void {
  if (!SCENARIO_ID.test(id)) {
    throw new InputError(
      { file: path },
      `the scenario id ${describe(id)} is not usable; expected letters, digits, ".", "_" and "-", beginning with a letter or digit`,
      'rename it',
    );
  }
}

async function statOf(path: string): Promise<Awaited<ReturnType<typeof stat>>> {
  try {
    return await stat(path);
  } catch (error) {
    throw unreadable(path, error);
  }
}

async function onlyTranscript(folder: string): Promise<string> {
  let names: string[];
  try {
    names = await readdir(folder);
  } catch (error) {
    throw unreadable(folder, error);
  }
  const [found, second] = TRANSCRIPT_NAMES.filter((name) => names.includes(name));
  if (found === undefined) {
    const problem = names.length === 0 ? 'the folder is empty' : 'the folder has no transcript';
    throw new InputError({ file: folder }, `${problem}; expected ${TRANSCRIPT_NAMES.join(' or ')}`);
  }
  if (second !== undefined) {
    throw new InputError(
      { file: folder },
      `the folder has both ${found} and ${second}; expected one transcript`,
      'remove one of them',
    );
  }
  return join(folder, found);
}
