/**
 * A map that forgets what has not been touched for long, so that streams of any length fit. It always holds the last
 * `kept` entries that were touched, as a rule at most a quarter more, and never three times as many. Generations rather
 * than one order: taking the oldest key out of a large Map costs more the longer that goes on.
 */
export class BoundedMap<K, V> {
  private young = new Map<K, V>();
  /** Generations before the young one, the latest first. */
  private old: Map<K, V>[] = [];
  private readonly generationSize: number;

  constructor(
    private readonly kept: number,
    private readonly onForget?: (key: K, value: V) => void,
  ) {
    this.generationSize = Math.ceil(kept / 4);
  }

  /** The value of a key, which is thereby kept from being forgotten soon. */
  get(key: K): V | undefined {
    const value = this.young.get(key);
    if (value !== undefined) return value;
    for (const generation of this.old) {
      const older = generation.get(key);
      if (older === undefined) continue;
      generation.delete(key);
      this.add(key, older);
      return older;
    }
    return undefined;
  }

  /** The value of a key, made by `create` when there is none. */
  getOr(key: K, create: () => V): V {
    const known = this.get(key);
    if (known !== undefined) return known;
    const value = create();
    this.add(key, value);
    return value;
  }

  set(key: K, value: V): void {
    for (const generation of this.old) generation.delete(key);
    this.add(key, value);
  }

  clear(): void {
    this.young.clear();
    this.old = [];
  }

  *values(): IterableIterator<V> {
    for (const generation of this.old.toReversed()) yield* generation.values();
    yield* this.young.values();
  }

  /** For a key that no old generation holds. */
  private add(key: K, value: V): void {
    this.young.set(key, value);
    if (this.young.size < this.generationSize) return;
    this.old = [this.young, ...this.old.filter(({ size }) => size > 0)];
    this.young = new Map();
    this.forgetOldest();
    this.joinOldest();
  }

  private forgetOldest(): void {
    const oldest = this.old.at(-1);
    if (oldest === undefined || this.old.reduce((sum, { size }) => sum + size, -oldest.size) < this.kept)
      return;
    this.old.pop();
    if (this.onForget) for (const [key, value] of oldest) this.onForget(key, value);
    this.forgetOldest();
  }

  /** Keys that are touched again leave thin generations behind, each of which every look-up has to ask. */
  private joinOldest(): void {
    if (this.old.length <= GENERATIONS) return;
    const oldest = this.old.pop() ?? new Map<K, V>();
    for (const [key, value] of this.old.pop() ?? []) oldest.set(key, value);
    this.old.push(oldest);
  }
}

const GENERATIONS = 8;
