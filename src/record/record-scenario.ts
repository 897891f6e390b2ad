import { readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { transportOf } from '../target/spec.js';
import { unreadable } from '../transcript/errors.js';
import { loadScenario } from '../transcript/load-scenario.js';
import { writeManifest } from '../transcript/manifest.js';
import type { Manifest } from '../transcript/scenario.js';
import { writeTranscript } from '../transcript/write-transcript.js';
import { DEFAULT_FRAME_LIMIT_BYTES } from '../wire/line-splitter.js';
import { type BlamedFailure, blames } from './blame.js';
import { RecordingError } from './errors.js';
import { movedBehaviours } from './moved-behaviours.js';
import { fingerprintOf, newManifest, type Tool } from './new-manifest.js';
import { type RehearsalSetup, rehearse } from './rehearse.js';
import { requireFree, requireScenarioId, UnfinishedScenario } from './scenario-folder.js';

export interface RecordScenarioOptions {
  readonly out: string;
  readonly id: string;
  readonly force: boolean;
  readonly manifest: Manifest | undefined;
  readonly tool: Tool;
  readonly redact: (raw: string) => string;
}

/**
 * Plays the client side of an existing scenario to a server and writes what came of it as another scenario; returns
 * its folder, and how the server's answers differ from the existing ones. Throws as `rehearse` and `recordScript` do.
 */
export async function recordScenario(
  path: string,
  setup: RehearsalSetup,
  { out, id, force, manifest, tool, redact }: RecordScenarioOptions,
): Promise<{ readonly folder: string; readonly failures: readonly BlamedFailure[] }> {
  requireScenarioId(id);
  requireFree(out, id, force);
  const scenario = await loadScenario(path);
  const { steps, failures } = await rehearse(scenario, setup);
  const early = failures.find((failure) => failure.id === 'replay/scenario-completed');
  if (early !== undefined) throw new RecordingError(`${scenario.id} came to no end: ${early.message}`);
  const recorded = steps.map((step) => (step.dir === 'control' ? step : { ...step, raw: redact(step.raw) }));
  const behaviours = movedBehaviours(scenario, recorded);
  const facts = {
    scenario: id,
    fingerprint: fingerprintOf(recorded),
    frameLimitBytes: scenario.manifest?.serverConfig?.frameLimitBytes ?? DEFAULT_FRAME_LIMIT_BYTES,
    transport: transportOf(setup.target),
    tool,
    ...(behaviours && { conformance: { behaviours } }),
  };
  const unfinished = await UnfinishedScenario.begin(resolve(out), id);
  try {
    await writeTranscript(join(unfinished.folder, 'transcript.ndjson'), recorded);
    await writeManifest(unfinished.folder, newManifest(facts, manifest));
    return { folder: await unfinished.publish(force), failures: blames(failures, scenario, setup.bundle) };
  } catch (error) {
    await unfinished.discard();
    throw error;
  }
}

/** Whether a path is a scenario, with what the server said, rather than a script of client lines. */
export async function isScenario(path: string): Promise<boolean> {
  try {
    if ((await stat(path)).isDirectory()) return true;
    return /^\s*\{\s*"dir"\s*:\s*"server"/m.test(await readFile(path, 'utf8'));
  } catch (error) {
    throw unreadable(path, error);
  }
}
