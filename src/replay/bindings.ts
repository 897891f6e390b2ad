/**
 * Which live value stands for which recorded one. Minted values pair one-to-one among ids of their kind, since one
 * server may call a task and its item by the same id where another does not; the first pairing holds. Offered values
 * (menus) may be paired again and need not be one-to-one.
 */
export class Bindings {
  readonly #liveOf = new Map<string, string>();
  readonly #recordedOf = new Map<string, string>();
  readonly #firstLiveOf = new Map<string, string>();
  readonly #offered = new Map<string, string>();
  readonly #positions = new Map<string, string>();

  /** Pairs two minted values of one kind. Returns what the recorded value is paired with when that is another one. */
  pair(recorded: string, live: string, kind = ''): { readonly expected: string } | undefined {
    const known = this.#liveOf.get(entryKey(kind, recorded));
    if (known !== undefined) return known === live ? undefined : { expected: known };
    const taken = this.#recordedOf.get(entryKey(kind, live));
    if (taken !== undefined) return { expected: `a value of its own (this one stands for ${taken})` };
    this.#liveOf.set(entryKey(kind, recorded), live);
    this.#recordedOf.set(entryKey(kind, live), recorded);
    if (!this.#firstLiveOf.has(recorded)) this.#firstLiveOf.set(recorded, live);
    return undefined;
  }

  /** The live id that a recorded one of this kind is paired with. */
  pairedWith(recorded: string, kind: string): string | undefined {
    return this.#liveOf.get(entryKey(kind, recorded));
  }

  /** True when a live id of this kind stands for a recorded one already. */
  isTaken(live: string, kind: string): boolean {
    return this.#recordedOf.has(entryKey(kind, live));
  }

  /** An entry of a menu stands for another there, and nowhere else: a choice may be spelled like a decision. */
  offer(menu: string, recorded: string, live: string): void {
    this.#offered.set(entryKey(menu, recorded), live);
  }

  /** Notes how far something went. Several recorded positions may be one live one, which may be that of an event, too. */
  place(recorded: string, live: string): void {
    this.#positions.set(recorded, live);
  }

  /** What stands for a recorded value; `menu` names the menu that it is an entry of, `kind` the kind of id, if it is one. */
  liveOf(recorded: string, menu?: string, kind?: string): string | undefined {
    const offered = menu === undefined ? undefined : this.#offered.get(entryKey(menu, recorded));
    const paired = kind === undefined ? undefined : this.#liveOf.get(entryKey(kind, recorded));
    return offered ?? paired ?? this.#firstLiveOf.get(recorded) ?? this.#positions.get(recorded);
  }

  /** The server's number for a recorded stage of an approval, as JSON text. */
  pairStage(approvalId: unknown, recorded: unknown, live: string): void {
    this.offer('stage', `${approvalId} ${recorded}`, live);
  }

  stageOf(approvalId: unknown, recorded: unknown): string | undefined {
    return this.#offered.get(entryKey('stage', `${approvalId} ${recorded}`));
  }

  /** The recorded value that a live one stands for, whatever its kind. */
  recordedOf(live: string): string | undefined {
    for (const [recorded, first] of this.#firstLiveOf) if (first === live) return recorded;
    return undefined;
  }
}

function entryKey(menu: string, entry: string): string {
  return `${menu} ${entry}`;
}
