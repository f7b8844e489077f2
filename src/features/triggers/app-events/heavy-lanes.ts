import { type Clock } from '../../../platform/clock.js';

/** Bytes of configs that PostgreSQL parses in some 15 ms. */
const HEAVY_BYTES = 2 ** 20;
const REMEMBERED_MS = 3_600_000;
const MAX_KNOWN = 10_000;

/**
 * Remembers the lanes with an event that was compared with triggers of more than 1 MiB of configs. For an hour all
 * events of such a lane count as heavy, since which one is next is not known before it is read.
 */
export class HeavyLanes {
  /** The time of the last heavy event by lane, the oldest first. */
  private readonly heavyAt = new Map<string, number>();

  constructor(private readonly clock: Clock) {}

  has(lane: string): boolean {
    const at = this.heavyAt.get(lane);
    return at !== undefined && this.clock.now().getTime() - at < REMEMBERED_MS;
  }

  /** Records the bytes of the configs with which an event has been compared so far. */
  learn(lane: string, bytes: number): void {
    if (bytes <= HEAVY_BYTES) return;
    this.heavyAt.delete(lane);
    this.heavyAt.set(lane, this.clock.now().getTime());
    if (this.heavyAt.size > MAX_KNOWN) this.heavyAt.delete(this.heavyAt.keys().next().value!);
  }
}
