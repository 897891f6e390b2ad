/**
 * Which live value stands for which recorded one. Minted values pair one-to-one; the first pairing holds.
 * Offered values (menus) may be paired again and need not be one-to-one.
 */
export class Bindings {
  readonly #liveOf = new Map<string, string>();
  readonly #recordedOf = new Map<string, string>();
  readonly #offered = new Map<string, string>();

  /** Pairs two minted values. Returns what the recorded value is paired with when that is another one. */
  pair(recorded: string, live: string): { readonly expected: string } | undefined {
    const known = this.#liveOf.get(recorded);
    if (known !== undefined) return known === live ? undefined : { expected: known };
    const taken = this.#recordedOf.get(live);
    if (taken !== undefined) return { expected: `a value of its own (this one stands for ${taken})` };
    this.#liveOf.set(recorded, live);
    this.#recordedOf.set(live, recorded);
    return undefined;
  }

  offer(recorded: string, live: string): void {
    this.#offered.set(recorded, live);
  }

  liveOf(recorded: string): string | undefined {
    return this.#liveOf.get(recorded) ?? this.#offered.get(recorded);
  }

  recordedOf(live: string): string | undefined {
    return this.#recordedOf.get(live);
  }
}
