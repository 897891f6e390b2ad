import { dirname, join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { checkManifest } from '../checks/check-manifest.js';
import { type CheckOutcome, StreamChecker } from '../checks/stream-checker.js';
import type { Bundle } from '../schema/bundle.js';
import { locateScenario } from '../transcript/locate-scenario.js';
import { MANIFEST_NAME } from '../transcript/manifest.js';
import { readTranscriptBatches } from '../transcript/read-transcript.js';
import type { ControlStep, Step } from '../transcript/scenario.js';
import { decodeFrame, decodeServerFrame } from '../wire/decode.js';
import { DEFAULT_FRAME_LIMIT_BYTES } from '../wire/line-splitter.js';

/** What was found in one transcript. */
export interface ValidatedTranscript {
  readonly scenario: string;
  /** As it is shown to people. */
  readonly file: string;
  readonly frames: number;
  readonly outcomes: readonly CheckOutcome[];
  /** The manifest, where there is one, and what is said about it. */
  readonly manifest?: { readonly file: string; readonly outcomes: readonly CheckOutcome[] };
}

/**
 * Checks one scenario offline, in memory that does not grow with its transcript.
 * @param path a scenario’s folder or a transcript file
 * @throws InputError for what cannot be read
 */
export async function validateTranscript(path: string, bundle: Bundle): Promise<ValidatedTranscript> {
  // Left to itself, the engine lets the heap grow to several times what is in use before it looks for garbage, and
  // makes room for young objects that no cache can hold.
  setFlagsFromString('--heap-growing-percent=60');
  setFlagsFromString('--semi-space-growth-factor=1');
  const { id, transcriptPath, manifest } = await locateScenario(path);
  const checker = new StreamChecker({
    bundle,
    live: false,
    frameLimitBytes: manifest?.serverConfig?.frameLimitBytes ?? DEFAULT_FRAME_LIMIT_BYTES,
    tolerant: manifest?.provenance === 'sdk-tolerance',
  });
  let frames = 0;
  let lastLine = 0;
  for await (const steps of readTranscriptBatches(transcriptPath)) {
    for (const step of steps) {
      if (step.dir !== 'control') frames += 1;
      lastLine = step.line;
      observe(checker, step);
    }
  }
  if (manifest?.conformance?.cutShort) checker.connectionClosed('abandoned');
  const found = { scenario: id, file: transcriptPath, frames, outcomes: checker.outcomes() };
  if (manifest === undefined) return found;
  const file = join(dirname(transcriptPath), MANIFEST_NAME);
  return { ...found, manifest: { file, outcomes: checkManifest(manifest, lastLine, bundle) } };
}

function observe(checker: StreamChecker, step: Step): void {
  if (step.dir === 'control') {
    control(checker, step);
    return;
  }
  const frame = step.dir === 'server' ? decodeServerFrame(step.raw) : decodeFrame(step.raw);
  checker.observe({ dir: step.dir, frame, step: step.line, atMs: 0 });
}

function control(checker: StreamChecker, { op }: ControlStep): void {
  if (op !== 'wait') checker.connectionClosed(op);
}
