/**
 * A map that forgets what has not been touched for long, so that streams of any length fit. It holds at most
 * `capacity` entries, and always the last `capacity / 2` that were touched. Two generations rather than one order:
 * taking the oldest key out of a large Map costs more the longer that goes on.
 */
export class BoundedMap<K, V> {
  private young = new Map<K, V>();
  private old = new Map<K, V>();

  constructor(
    private readonly capacity: number,
    private readonly onForget?: (key: K, value: V) => void,
  ) {}

  /** The value of a key, which is thereby kept from being forgotten soon. */
  get(key: K): V | undefined {
    const value = this.young.get(key);
    if (value !== undefined) return value;
    const older = this.old.size === 0 ? undefined : this.old.get(key);
    if (older !== undefined) this.set(key, older);
    return older;
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
    if (this.old.size > 0) this.old.delete(key);
    this.add(key, value);
  }

  clear(): void {
    this.young.clear();
    this.old.clear();
  }

  *values(): IterableIterator<V> {
    yield* this.old.values();
    yield* this.young.values();
  }

  /** For a key that the old generation does not hold. */
  private add(key: K, value: V): void {
    this.young.set(key, value);
    if (this.young.size * 2 < this.capacity) return;
    const forgotten = this.old;
    this.old = this.young;
    this.young = new Map();
    if (this.onForget) for (const [oldKey, oldValue] of forgotten) this.onForget(oldKey, oldValue);
  }
}
