import { bundledScenariosFolder, findScenarios } from './find-scenarios.js';
import { type LocatedScenario, locateScenario } from './locate-scenario.js';

/** The scenarios at some paths, or the bundled ones, with their manifests, sorted by id. Throws `InputError`. */
export async function locatedScenarios(paths: readonly string[] = []): Promise<readonly LocatedScenario[]> {
  const found = await findScenarios(paths.length === 0 ? [bundledScenariosFolder()] : paths);
  const located = await Promise.all(found.map((path) => locateScenario(path)));
  return located.sort((a, b) => (a.id < b.id ? -1 : 1));
}
