/**
 * JSON without loss. Numbers that a double holds exactly are plain numbers; any other number is an
 * `ExactNumber` that keeps its digits. Objects have no prototype, so `__proto__` is an ordinary name.
 */
export class ExactNumber {
  constructor(
    /** The number as written on the wire. */
    readonly text: string,
  ) {}
}

export type ExactJson = null | boolean | string | number | ExactNumber | ExactJson[] | ExactObject;
export interface ExactObject {
  [name: string]: ExactJson;
}

export interface ExactDocument {
  readonly value: ExactJson;
  /** JSON Pointers of members whose name occurs more than once in their object (the last value is in `value`). */
  readonly repeatedMembers: readonly string[];
}
