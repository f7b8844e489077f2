import { type Clock } from '../../../platform/clock.js';
import { MAX_RUNS_TOGETHER } from './share-runs.js';

/** Bytes of configs that PostgreSQL parses in some 15 ms. */
const HEAVY_BYTES = 2 ** 20;
/** Comparisons that take this process some 15 ms, too. */
const HEAVY_LOOKS = 100_000;
/** The firings of a post whose runs are not all created at once. */
const HEAVY_MATCHES = MAX_RUNS_TOGETHER;
const REMEMBERED_MS = 3_600_000;
const MAX_KNOWN = 10_000;

/** What a post has taken so far. */
export interface MatchCost {
  /** The bytes of the configs that one of its events was compared with. */
  bytes: number;
  looks: number;
  matches: number;
}

/**
 * Remembers the lanes with an event that was compared with triggers of more than 1 MiB of configs, or with a post of many
 * comparisons or firings. For an hour all events of such a lane count as heavy, since which one is next is not known
 * before it is read.
 */
export class HeavyLanes {
  /** The time of the last heavy event by lane, the oldest first. */
  private readonly heavyAt = new Map<string, number>();

  constructor(private readonly clock: Clock) {}

  has(lane: string): boolean {
    const at = this.heavyAt.get(lane);
    return at !== undefined && this.clock.now().getTime() - at < REMEMBERED_MS;
  }

  /** Records what a post of a lane has taken so far. */
  learn(lane: string, { bytes, looks, matches }: MatchCost): void {
    if (bytes <= HEAVY_BYTES && looks <= HEAVY_LOOKS && matches <= HEAVY_MATCHES) return;
    this.heavyAt.delete(lane);
    this.heavyAt.set(lane, this.clock.now().getTime());
    if (this.heavyAt.size > MAX_KNOWN) this.heavyAt.delete(this.heavyAt.keys().next().value!);
  }
}

/** The maximum number of comparisons of the posts of a heavy lane that are written together. */
const MAX_LOOKS_TOGETHER = 1_000_000;

/** Counts the comparisons of posts that are written together. */
export class LooksTogether {
  private readonly looks = new Map<number, number>();

  /** Records the comparisons of a post so far. @returns whether it may stay: the first one always. */
  hasRoom(place: number, looks: number): boolean {
    this.looks.set(place, looks);
    return place === 0 || [...this.looks.values()].reduce((sum, count) => sum + count, 0) <= MAX_LOOKS_TOGETHER;
  }
}
