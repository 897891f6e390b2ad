import { ownCopy } from '../../wire/own-copy.js';
import type { Evidence } from '../finding.js';
import type { ObservedFrame } from './observation.js';

const FRAMES_BEFORE = 4;
/** Characters of a frame that evidence keeps; the rest is counted. */
const KEPT_CHARACTERS = 4096;

/** The last frames of a stream, kept to be shown beside a finding. */
export class RecentFrames {
  /** A ring: the oldest stands where the next one goes. */
  private readonly ring: ObservedFrame[] = [];
  private next = 0;

  add(frame: ObservedFrame): void {
    this.ring[this.next] = frame;
    this.next = this.next === FRAMES_BEFORE ? 0 : this.next + 1;
  }

  /** What led to `at`, and `at` itself even when it is long past. */
  around(at: ObservedFrame | undefined): readonly Evidence[] {
    const frames = [...this.ring.slice(this.next), ...this.ring.slice(0, this.next)];
    const shown = at === undefined || frames.includes(at) ? frames : [at, ...frames];
    return shown.map(({ dir, frame, atMs }) => ({ atMs, dir, raw: shortened(frame.raw) }));
  }
}

function shortened(raw: string): string {
  if (raw.length <= KEPT_CHARACTERS) return raw;
  return `${ownCopy(raw.slice(0, KEPT_CHARACTERS))}… (${raw.length - KEPT_CHARACTERS} more characters)`;
}
