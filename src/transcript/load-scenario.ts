import { dirname, join } from 'node:path';
import { behaviourProblem } from './behaviours.js';
import { InputError } from './errors.js';
import { locateScenario } from './locate-scenario.js';
import { MANIFEST_NAME } from './manifest.js';
import { readTranscript } from './read-transcript.js';
import type { Scenario, Step } from './scenario.js';

/**
 * A scenario whole: `path` is its folder or its transcript file, see `locateScenario`. Throws `InputError` for
 * everything that is unreadable, malformed or contradicts itself.
 */
export async function loadScenario(path: string): Promise<Scenario> {
  const located = await locateScenario(path);
  const steps: Step[] = [];
  for await (const step of readTranscript(located.transcriptPath)) {
    steps.push(step);
  }
  const scenario = { ...located, steps };
  const problem = behaviourProblem(scenario);
  if (problem !== undefined) {
    throw new InputError({ file: join(dirname(located.transcriptPath), MANIFEST_NAME) }, problem);
  }
  return scenario;
}
