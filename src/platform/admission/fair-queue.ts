/** The bytes that a lane may take in one turn; the unused rest counts towards a larger entry in its next turn. */
const TURN_BYTES = 65_536;
/** The fixed cost of an entry beside its bytes, so that lanes of many small entries take turns too. */
const ENTRY_BYTES = 1_000;

interface Entry<T> {
  value: T;
  size: number;
}

interface Lane<T> {
  entries: Entry<T>[];
  credit: number;
}

/** A maximum number of entries and of their bytes. */
export interface Bound {
  count: number;
  bytes: number;
}

/**
 * A queue with a lane for each account. Lanes take turns by bytes, and each lane keeps its order (deficit round robin,
 * Shreedhar and Varghese 1995), so the flood of one account delays the next entry of another by one turn.
 */
export class FairQueue<T> {
  /** In the order of their turns. */
  private readonly lanes = new Map<string, Lane<T>>();
  private count = 0;

  get length(): number {
    return this.count;
  }

  add(lane: string, value: T, size: number): void {
    const known = this.lanes.get(lane) ?? { entries: [], credit: 0 };
    known.entries.push({ value, size });
    this.lanes.set(lane, known);
    this.count += 1;
  }

  /** The lane whose turn is next, of those that `from` selects; undefined when none waits. */
  next(from: (lane: string) => boolean = () => true): string | undefined {
    for (const name of this.lanes.keys()) if (from(name)) return name;
    return undefined;
  }

  /**
   * Takes the next entries of the lanes that `from` selects, within the bound; the first one always, whatever its size.
   */
  take({ count, bytes }: Bound, from: (lane: string) => boolean = () => true): T[] {
    const taken: T[] = [];
    let left = bytes;
    while (this.count > 0 && taken.length < count) {
      const name = this.next(from);
      if (name === undefined) break;
      const lane = this.lanes.get(name)!;
      lane.credit += TURN_BYTES;
      this.lanes.delete(name);
      let isFull = false;
      for (let next = lane.entries[0]; next !== undefined && costOf(next) <= lane.credit; next = lane.entries[0]) {
        isFull = taken.length === count || (taken.length > 0 && next.size > left);
        if (isFull) break;
        lane.entries.shift();
        lane.credit -= costOf(next);
        left -= next.size;
        taken.push(next.value);
        this.count -= 1;
      }
      if (lane.entries.length > 0) this.endTurn(name, lane);
      if (isFull) break;
    }
    return taken;
  }

  /** Removes and returns every entry that `picks` selects, from all lanes. */
  takeWhere(picks: (value: T) => boolean): T[] {
    const taken: T[] = [];
    for (const [name, lane] of this.lanes) {
      const kept = lane.entries.filter(({ value }) => !picks(value) || !taken.push(value));
      lane.entries = kept;
      if (kept.length === 0) this.lanes.delete(name);
    }
    this.count -= taken.length;
    return taken;
  }

  /**
   * Caps the credit: it serves entries larger than a turn. A lane of small entries that saved credit would take several
   * turns at once.
   */
  private endTurn(name: string, lane: Lane<T>): void {
    lane.credit = Math.min(lane.credit, costOf(lane.entries[0]!));
    this.lanes.set(name, lane);
  }
}

function costOf({ size }: Entry<unknown>): number {
  return size + ENTRY_BYTES;
}
