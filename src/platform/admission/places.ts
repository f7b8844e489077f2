import { type PlaceLeases } from '../processes/siblings.js';

/** Releases a place, once. */
type Release = () => void;

/** Counts the places that each key holds: in this process, or on the machine if its processes share them. */
export class Places {
  private readonly counts = new Map<string, number>();

  /** `most`: the maximum of places of one key. */
  constructor(
    private readonly most: number,
    private readonly leases?: PlaceLeases,
  ) {}

  /**
   * Takes a place. @returns the function that releases it; undefined when the key has no place left. A promise only if
   * the processes of the machine share the places.
   */
  take(key: string): Release | undefined | Promise<Release | undefined> {
    if (this.leases !== undefined) return this.lease(key, this.leases);
    return this.of(key) >= this.most ? undefined : this.hold(key);
  }

  /** The number of places that a key holds in this process. */
  of(key: string): number {
    return this.counts.get(key) ?? 0;
  }

  private async lease(key: string, leases: PlaceLeases): Promise<Release | undefined> {
    if (!(await leases.take(key, this.most))) return undefined;
    return this.hold(key, () => leases.release(key));
  }

  private hold(key: string, onRelease?: () => void): Release {
    this.counts.set(key, this.of(key) + 1);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      const rest = this.of(key) - 1;
      if (rest === 0) this.counts.delete(key);
      else this.counts.set(key, rest);
      onRelease?.();
    };
  }
}
