/** A JSON object as it came off the wire or goes onto it. */
export type JsonObject = { readonly [name: string]: unknown };

/** Drops members that are undefined: an optional member is absent on the wire, never null. */
export function present<T extends JsonObject>(members: T): T {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as T;
}
