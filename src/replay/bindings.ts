/**
 * Which live value stands for which recorded one. Minted values pair one-to-one; the first pairing holds.
 * Offered values (menus) may be paired again and need not be one-to-one.
 */
export class Bindings {
  readonly #liveOf = new Map<string, string>();
  readonly #recordedOf = new Map<string, string>();
  readonly #offered = new Map<string, string>();
  readonly #positions = new Map<string, string>();

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

  /** An entry of a menu stands for another there, and nowhere else: a choice may be spelled like a decision. */
  offer(menu: string, recorded: string, live: string): void {
    this.#offered.set(entryKey(menu, recorded), live);
  }

  /** Notes how far something went. Several recorded positions may be one live one, which may be that of an event, too. */
  place(recorded: string, live: string): void {
    this.#positions.set(recorded, live);
  }

  /** What stands for a recorded value; `menu` names the menu that it is an entry of, if it is one. */
  liveOf(recorded: string, menu?: string): string | undefined {
    const offered = menu === undefined ? undefined : this.#offered.get(entryKey(menu, recorded));
    return offered ?? this.#liveOf.get(recorded) ?? this.#positions.get(recorded);
  }

  /** The server's number for a recorded stage of an approval, as JSON text. */
  pairStage(approvalId: unknown, recorded: unknown, live: string): void {
    this.offer('stage', `${approvalId} ${recorded}`, live);
  }

  stageOf(approvalId: unknown, recorded: unknown): string | undefined {
    return this.#offered.get(entryKey('stage', `${approvalId} ${recorded}`));
  }

  recordedOf(live: string): string | undefined {
    return this.#recordedOf.get(live);
  }
}

function entryKey(menu: string, entry: string): string {
  return `${menu} ${entry}`;
}
