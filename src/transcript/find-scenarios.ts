import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { InputError, unreadable } from './errors.js';
import { isStandalone, standaloneId, TRANSCRIPT_NAMES } from './locate-scenario.js';
import { MANIFEST_NAME } from './manifest.js';

/**
 * The scenarios at these paths, as paths for `loadScenario`, sorted by id, each once. A path is a scenario's folder,
 * a transcript file, or a folder of scenario folders; other entries of that folder are passed over. Throws
 * `InputError` for a path that cannot be read or holds no scenario, and when two scenarios have the same id.
 */
export async function findScenarios(paths: readonly string[]): Promise<string[]> {
  const byId = new Map<string, { readonly path: string; readonly real: string }>();
  for (const path of paths) {
    const scenarios = await scenariosAt(path);
    const reals = await Promise.all(scenarios.map((scenario) => realpath(scenario.path)));
    for (const [index, { id, path: found }] of scenarios.entries()) {
      const real = reals[index] ?? found;
      const earlier = byId.get(id);
      if (earlier !== undefined && earlier.real !== real) {
        throw new InputError(
          { file: found },
          `has the same scenario id "${id}" as ${earlier.path}; expected each id once`,
          'rename one of them, or run them separately',
        );
      }
      byId.set(id, earlier ?? { path: found, real });
    }
  }
  const ids = [...byId.keys()].sort();
  return ids.flatMap((id) => byId.get(id)?.path ?? []);
}

/** The scenarios that come with this program. */
export function bundledScenariosFolder(): string {
  return fileURLToPath(new URL('../../scenarios', import.meta.url));
}

interface FoundScenario {
  readonly id: string;
  readonly path: string;
}

async function scenariosAt(path: string): Promise<FoundScenario[]> {
  const names = await namesIn(path);
  if (names === undefined) {
    return [scenarioOfFile(path)];
  }
  if (isScenario(names)) {
    return [scenarioOfFolder(path)];
  }
  const folders = names.filter((name) => !name.startsWith('.')).map((name) => join(path, name));
  const areScenarios = await Promise.all(folders.map(isScenarioFolder));
  const found = folders.filter((_, index) => areScenarios[index]).map(scenarioOfFolder);
  if (found.length === 0) {
    throw new InputError(
      { file: path },
      `holds no scenario; expected ${TRANSCRIPT_NAMES.join(' or ')} in it or in a folder directly below it`,
    );
  }
  return found;
}

function scenarioOfFile(path: string): FoundScenario {
  return isStandalone(path) ? { id: standaloneId(path), path } : scenarioOfFolder(dirname(path));
}

function scenarioOfFolder(path: string): FoundScenario {
  return { id: basename(resolve(path)), path };
}

/** Undefined when `path` is no folder. */
async function namesIn(path: string): Promise<string[] | undefined> {
  try {
    return (await stat(path)).isDirectory() ? await readdir(path) : undefined;
  } catch (error) {
    throw unreadable(path, error);
  }
}

async function isScenarioFolder(path: string): Promise<boolean> {
  try {
    const isFolder = (await stat(path)).isDirectory();
    return isFolder && isScenario((await namesIn(path)) ?? []);
  } catch (error) {
    if (error instanceof Error && 'code' in error && UNFOLLOWABLE.includes(String(error.code))) {
      return false;
    }
    throw error instanceof InputError ? error : unreadable(path, error);
  }
}

/** A link to nowhere or to itself is no scenario; what may not be looked into might be one, so that is an error. */
const UNFOLLOWABLE = ['ENOENT', 'ELOOP'];

/** A folder with a manifest alone is a broken scenario: loading it says so. */
function isScenario(names: readonly string[]): boolean {
  return [...TRANSCRIPT_NAMES, MANIFEST_NAME].some((name) => names.includes(name));
}
