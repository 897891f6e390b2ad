import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { writeManifest } from '../transcript/manifest.js';
import type { ConformanceSection, Manifest, Scenario } from '../transcript/scenario.js';
import { type UnplacedStep, writeTranscript } from '../transcript/write-transcript.js';
import { movedBehaviours } from './moved-behaviours.js';
import { fingerprintOf, type Tool } from './new-manifest.js';

export interface Replacement {
  readonly steps: readonly UnplacedStep[];
  readonly tool: Tool;
  /** Why it may differ in meaning from what it replaces; kept in the manifest. */
  readonly reason: string | undefined;
}

/** Puts new frames in the place of a scenario's. False, and nothing written, when they are the same bytes. */
export async function replaceRecording(
  scenario: Scenario,
  { steps, tool, reason }: Replacement,
): Promise<boolean> {
  const before = scenario.steps.map(({ line: _, ...step }) => step);
  if (JSON.stringify(before) === JSON.stringify(steps)) return false;
  const replaced = await readFile(scenario.transcriptPath);
  await writeTranscript(scenario.transcriptPath, steps);
  const digest = createHash('sha256').update(replaced).digest('hex');
  const accepted = reason === undefined ? undefined : { reason, replaced: `sha256:${digest}`, tool };
  await writeManifest(scenario.folder, manifestOf(scenario, steps, tool, accepted));
  return true;
}

function manifestOf(
  scenario: Scenario,
  steps: readonly UnplacedStep[],
  tool: Tool,
  accepted: unknown,
): Manifest {
  const fingerprint = fingerprintOf(steps);
  const conformance = conformanceOf(scenario, steps, accepted);
  return {
    ...scenario.manifest,
    provenance: 'host-generated',
    ...(fingerprint !== undefined && { fingerprint }),
    tool,
    ...(Object.keys(conformance).length > 0 && { conformance }),
  };
}

function conformanceOf(
  scenario: Scenario,
  after: readonly UnplacedStep[],
  accepted: unknown,
): ConformanceSection {
  const section: ConformanceSection & { readonly accepted?: readonly unknown[] } =
    scenario.manifest?.conformance ?? {};
  const behaviours = movedBehaviours(scenario, after);
  return {
    ...section,
    ...(behaviours && { behaviours }),
    ...(accepted !== undefined && { accepted: [...(section.accepted ?? []), accepted] }),
  };
}
