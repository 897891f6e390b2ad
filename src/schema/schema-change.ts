/** One difference between two bundles that can be seen on the wire or in the registry. */
export interface SchemaChange {
  /** JSON Pointer into the bundle (the newer one, except for what was removed). */
  readonly path: string;
  /** What changed, from what to what. */
  readonly change: string;
  /** A client written against the older bundle may fail against a server of the newer one. */
  readonly breaking: boolean;
  readonly why: string;
}

/** Who writes the values that a definition describes. */
export interface Usage {
  readonly byClient: boolean;
  readonly byServer: boolean;
}

export function additive(path: string, change: string, why: string): SchemaChange {
  return { path, change, breaking: false, why };
}

export function breaking(path: string, change: string, why: string): SchemaChange {
  return { path, change, breaking: true, why };
}
