/** A map of bounded size: a new entry takes the place of the one whose last use is longest ago. */
export class RecentlyUsed<V> {
  private readonly values = new Map<string, V>();

  constructor(private readonly limit: number) {}

  get size(): number {
    return this.values.size;
  }

  /** The value of a key; undefined without one. */
  find(key: string): V | undefined {
    const value = this.values.get(key);
    if (value !== undefined) this.keep(key, value);
    return value;
  }

  /** Keeps a value as the one used last. */
  keep(key: string, value: V): void {
    this.values.delete(key);
    this.values.set(key, value);
    if (this.values.size > this.limit) this.values.delete(this.values.keys().next().value!);
  }

  /** The value of a key, made at its first use. What `make` throws is not kept. */
  get(key: string, make: () => V): V {
    const value = this.values.has(key) ? this.values.get(key)! : make();
    this.keep(key, value);
    return value;
  }
}
