/** What a value breaks and what it merely shows, against its schema. */
export interface SchemaOutcome {
  /** The value does not conform. */
  readonly violations: readonly SchemaIssue[];
  /** Conformant, yet worth telling: tolerated additions, and points on which the documents disagree. */
  readonly notes: readonly SchemaIssue[];
}

export interface SchemaIssue {
  /** JSON Pointer into the value; empty for the value itself. */
  readonly path: string;
  readonly rule: SchemaRule;
  /** One sentence: where by name, what was expected, what was found. */
  readonly message: string;
  /** On `experimental` notes: the surface's name, as `data.descriptor` of the refusal gives it. */
  readonly descriptor?: string;
}

export type SchemaRule =
  | 'required'
  | 'type'
  | 'enum'
  | 'const'
  | 'pattern'
  | 'range'
  /** A keyword beyond the ones above. */
  | 'other'
  /** The kind of an error belongs to another code, or the code is one that is never given. */
  | 'errorPair'
  /** Note: a member that the definition does not list; receivers ignore it. */
  | 'unknownMember'
  /** Note: a value outside a list that may grow. */
  | 'openEnum'
  /** Note: a method that the bundle does not list; its params are not checked. */
  | 'unknownMethod'
  /** Note: needs `experimentalApi: true`; without it a server must refuse. */
  | 'experimental'
  /** Note: the bundle says no, another document says yes. Never more than a warning. */
  | 'disputed';

export const CLEAN: SchemaOutcome = Object.freeze({
  violations: Object.freeze([]),
  notes: Object.freeze([]),
});
