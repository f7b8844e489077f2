/** Counts the places that each key holds in this process. */
export class Places {
  private readonly counts = new Map<string, number>();

  /** `most`: the maximum of places of one key. */
  constructor(private readonly most: number) {}

  /** Takes a place. @returns the function that releases it, once; undefined when the key has no place left. */
  take(key: string): (() => void) | undefined {
    const count = this.of(key);
    if (count >= this.most) return undefined;
    this.counts.set(key, count + 1);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      const rest = this.of(key) - 1;
      if (rest === 0) this.counts.delete(key);
      else this.counts.set(key, rest);
    };
  }

  /** The number of places that a key holds. */
  of(key: string): number {
    return this.counts.get(key) ?? 0;
  }
}
