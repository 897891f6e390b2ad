/** Live values that a client made up, held one-to-one with the recorded ones for the whole scenario. */
export class ClientValues {
  readonly #liveOf: Map<string, string>;
  readonly #recordedOf: Map<string, string>;

  constructor(pairs: readonly (readonly [recorded: string, live: string])[] = []) {
    this.#liveOf = new Map(pairs);
    this.#recordedOf = new Map(pairs.map(([recorded, live]) => [live, recorded]));
  }

  /** The live value that must stand for the recorded one when the client says `live`: `live` itself if it fits. */
  unify(recorded: string, live: string): string | undefined {
    const known = this.#liveOf.get(recorded);
    if (known !== undefined) return known;
    if (this.#recordedOf.has(live)) return undefined;
    this.#liveOf.set(recorded, live);
    this.#recordedOf.set(live, recorded);
    return live;
  }

  liveOf(recorded: string): string | undefined {
    return this.#liveOf.get(recorded);
  }

  /** For a later life of the server. */
  pairs(): [recorded: string, live: string][] {
    return [...this.#liveOf];
  }
}
