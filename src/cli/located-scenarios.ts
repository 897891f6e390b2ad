import type { LocatedScenario } from '../transcript/locate-scenario.js';

/** The scenarios at the paths of `--scenarios`, or the bundled ones, with their manifests. Throws `InputError`. */
export async function locatedScenarios(paths: readonly string[] = []): Promise<readonly LocatedScenario[]> {
  const { bundledScenariosFolder, findScenarios } = await import('../transcript/find-scenarios.js');
  const { locateScenario } = await import('../transcript/locate-scenario.js');
  const found = await findScenarios(paths.length === 0 ? [bundledScenariosFolder()] : paths);
  return Promise.all(found.map((path) => locateScenario(path)));
}
