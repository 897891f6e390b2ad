/** Where times come from, so that a run can be repeated to the byte. */
export interface Clock {
  /** Unix milliseconds. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** A clock that does not look at the world: each reading is one millisecond after the one before. */
export function countingClock(startMs: number): Clock {
  let next = startMs;
  return { now: () => next++ };
}

/** RFC 3339, UTC, milliseconds. */
export function timestamp(ms: number): string {
  return new Date(ms).toISOString();
}
