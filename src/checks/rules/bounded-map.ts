/** A map that forgets its least recently touched entries beyond `capacity`, so that streams of any length fit. */
export class BoundedMap<K, V> {
  private readonly entries = new Map<K, V>();

  constructor(
    private readonly capacity: number,
    private readonly onForget: (key: K, value: V) => void = () => {},
  ) {}

  /** The value of a key, which is thereby kept from being forgotten soon. */
  get(key: K): V | undefined {
    const value = this.entries.get(key);
    // While nothing is near being forgotten, the order does not matter and moving costs.
    if (value !== undefined && this.entries.size * 2 > this.capacity) {
      this.entries.delete(key);
      this.entries.set(key, value);
    }
    return value;
  }

  /** The value of a key, made by `create` when there is none. */
  getOr(key: K, create: () => V): V {
    const known = this.get(key);
    if (known !== undefined) return known;
    const value = create();
    this.set(key, value);
    return value;
  }

  set(key: K, value: V): void {
    if (this.entries.size * 2 > this.capacity) this.entries.delete(key);
    this.entries.set(key, value);
    if (this.entries.size <= this.capacity) return;
    for (const [oldest, forgotten] of this.entries) {
      this.entries.delete(oldest);
      this.onForget(oldest, forgotten);
      return;
    }
  }

  delete(key: K): void {
    this.entries.delete(key);
  }

  clear(): void {
    this.entries.clear();
  }

  /** Oldest first. */
  values(): IterableIterator<V> {
    return this.entries.values();
  }
}
