import { ownCopy } from '../../wire/own-copy.js';
import type { Evidence } from '../finding.js';
import type { ObservedFrame } from './observation.js';

const FRAMES_BEFORE = 4;
/** Characters of a frame that evidence keeps; the rest is counted. */
const KEPT_CHARACTERS = 4096;

/** The last frames of a stream, kept to be shown beside a finding. */
export class RecentFrames {
  private readonly frames: ObservedFrame[] = [];

  add(frame: ObservedFrame): void {
    this.frames.push(frame);
    if (this.frames.length > FRAMES_BEFORE + 1) this.frames.shift();
  }

  /** What led to `at`, and `at` itself even when it is long past. */
  around(at: ObservedFrame | undefined): readonly Evidence[] {
    const shown = at === undefined || this.frames.includes(at) ? this.frames : [at, ...this.frames];
    return shown.map(({ dir, frame, atMs }) => ({ atMs, dir, raw: shortened(frame.raw) }));
  }
}

function shortened(raw: string): string {
  if (raw.length <= KEPT_CHARACTERS) return raw;
  return `${ownCopy(raw.slice(0, KEPT_CHARACTERS))}… (${raw.length - KEPT_CHARACTERS} more characters)`;
}
