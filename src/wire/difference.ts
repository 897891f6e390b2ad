/** One place where two JSON values differ. */
export interface Difference {
  /** JSON Pointer (RFC 6901) into the compared values. */
  readonly path: string;
  readonly kind: 'changed' | 'missing' | 'extra' | 'type';
  /** Absent for `extra`. Numbers that a double cannot hold are given as their text. */
  readonly expected?: unknown;
  /** Absent for `missing`. */
  readonly actual?: unknown;
}
