import type { Finding } from '../checks/finding.js';
import { StreamChecker } from '../checks/stream-checker.js';
import type { Bundle } from '../schema/bundle.js';
import type { Scenario } from '../transcript/scenario.js';
import { decodeFrame } from '../wire/decode.js';
import { DEFAULT_FRAME_LIMIT_BYTES } from '../wire/line-splitter.js';

/** Whose fault it is that a server's frame is not what the recording has. */
export type Blame = 'server' | 'recording' | 'neither';

export interface BlamedFailure {
  readonly failure: Finding;
  readonly blame: Blame;
}

/**
 * Tells for each failure whom it blames: the server when it breaks a rule whatever was recorded, or breaks one in the
 * same method; the recording when the recorded frame breaks a rule itself; else neither, the two just differ.
 */
export function blames(
  failures: readonly Finding[],
  scenario: Scenario,
  bundle: Bundle,
): readonly BlamedFailure[] {
  const isComparison = ({ id }: Finding) => id.startsWith('replay/');
  const broken = new Set(failures.filter((failure) => !isComparison(failure)).map(({ method }) => method));
  const faulty = faultyLines(scenario, bundle);
  return failures.map((failure) => {
    if (!isComparison(failure)) return { failure, blame: 'server' };
    if (failure.step !== undefined && faulty.has(failure.step)) return { failure, blame: 'recording' };
    return {
      failure,
      blame: failure.method !== undefined && broken.has(failure.method) ? 'server' : 'neither',
    };
  });
}

/** Lines of a transcript that break a rule of the protocol. */
function faultyLines({ manifest, steps }: Scenario, bundle: Bundle): ReadonlySet<number> {
  const checker = new StreamChecker({
    bundle,
    live: false,
    frameLimitBytes: manifest?.serverConfig?.frameLimitBytes ?? DEFAULT_FRAME_LIMIT_BYTES,
    tolerant: false,
  });
  for (const step of steps) {
    if (step.dir !== 'control') {
      checker.observe({ dir: step.dir, frame: decodeFrame(step.raw), step: step.line, atMs: 0 });
    } else if (step.op !== 'wait') checker.connectionClosed(step.op);
  }
  return new Set(checker.finish().flatMap(({ status, step }) => (status === 'failed' ? (step ?? []) : [])));
}
