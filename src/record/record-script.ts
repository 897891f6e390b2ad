import { resolve } from 'node:path';
import type { TargetSpec } from '../target/spec.js';
import { openWorkbench } from '../target/workbench.js';
import type { Manifest } from '../transcript/scenario.js';
import type { Tool } from './new-manifest.js';
import { requireFree, requireScenarioId, UnfinishedScenario } from './scenario-folder.js';
import { readClientScript } from './script.js';
import { ScriptRecorder } from './script-recorder.js';

export interface RecordScriptOptions {
  readonly scriptFile: string;
  /** The folder that the scenario's folder is made in. */
  readonly out: string;
  readonly id: string;
  readonly force: boolean;
  /** Members for the manifest, `conformance` among them. */
  readonly manifest: Manifest | undefined;
  readonly tool: Tool;
  /** Rewrites each frame before it reaches the disk, after the run's own folders have been renamed. */
  readonly redact: (raw: string) => string;
}

/**
 * Plays a client script to a server and writes a scenario; returns its folder. The scenario appears whole or not at
 * all. Throws `InputError` for a script or an id that cannot be used, `HostStartError` and `RecordingError` when the
 * server does not start or does not play its part.
 */
export async function recordScript(spec: TargetSpec, options: RecordScriptOptions): Promise<string> {
  requireScenarioId(options.id);
  requireFree(options.out, options.id, options.force);
  const lines = await readClientScript(options.scriptFile);
  const unfinished = await UnfinishedScenario.begin(resolve(options.out), options.id);
  try {
    const bench = await openWorkbench({ scenarioDir: unfinished.folder, keep: false });
    try {
      await new ScriptRecorder(spec, bench, options, unfinished.folder).record(lines);
    } finally {
      await bench.dispose();
    }
    return await unfinished.publish(options.force);
  } catch (error) {
    await unfinished.discard();
    throw error;
  }
}
