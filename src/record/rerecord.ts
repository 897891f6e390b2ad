import { loadScenario } from '../transcript/load-scenario.js';
import { type BlamedFailure, blames } from './blame.js';
import type { Tool } from './new-manifest.js';
import { type RehearsalSetup, rehearse } from './rehearse.js';
import { replaceRecording } from './replace-recording.js';

export interface RerecordOptions {
  readonly setup: RehearsalSetup;
  readonly tool: Tool;
  /** Writes even what means something else, and why. */
  readonly accept: string | undefined;
  readonly redact: (raw: string) => string;
}

export interface Rerecorded {
  /** `refused`: the frames mean something else, and nothing was written. */
  readonly outcome: 'unchanged' | 'rewritten' | 'refused';
  readonly failures: readonly BlamedFailure[];
}

/** Records a scenario anew, in its place, by playing its client side to a server. Throws as `rehearse` does. */
export async function rerecord(path: string, options: RerecordOptions): Promise<Rerecorded> {
  const scenario = await loadScenario(path);
  const rehearsal = await rehearse(scenario, options.setup);
  const failures = blames(rehearsal.failures, scenario, options.setup.bundle);
  if (failures.length > 0 && options.accept === undefined) return { outcome: 'refused', failures };
  const steps = rehearsal.steps.map((step) =>
    step.dir === 'control' ? step : { ...step, raw: options.redact(step.raw) },
  );
  const { tool, accept } = options;
  const reason = failures.length > 0 ? accept : undefined;
  const isChanged = await replaceRecording(scenario, { steps, tool, reason });
  return { outcome: isChanged ? 'rewritten' : 'unchanged', failures };
}
