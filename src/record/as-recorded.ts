import type { Bindings } from '../replay/bindings.js';
import type { Script } from '../replay/script.js';
import type { Workbench } from '../target/workbench.js';
import type { UnplacedStep } from '../transcript/write-transcript.js';
import { rewriteStrings } from '../wire/rewrite.js';
import { neutralPaths } from './neutral-paths.js';

/**
 * Frames of a replay with the names of the recording: its workspace in place of the run's own, and for every UUID that
 * stands for a recorded one that one, so that two recordings of one scenario can be laid side by side.
 */
export function asRecorded(
  steps: readonly UnplacedStep[],
  script: Script,
  bindings: Bindings,
  bench: Workbench,
): readonly UnplacedStep[] {
  const neutral = neutralPaths(bench, recordedRoot(script));
  const renamed = (text: string) => text.replace(UUID, (id) => bindings.recordedOf(id) ?? id);
  return steps.map((step) => {
    if (step.dir === 'control') return step;
    const raw = rewriteStrings(neutral(step.raw), (_, value) => {
      const recorded = renamed(value);
      return recorded === value ? undefined : recorded;
    });
    return { ...step, raw };
  });
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** The first workspace of a recording is the one that a replay puts its own in the place of. */
function recordedRoot(script: Script): string | undefined {
  for (const step of script.steps) {
    if (step.kind === 'client' && typeof step.params['workspaceRoot'] === 'string')
      return step.params['workspaceRoot'];
  }
  return undefined;
}
