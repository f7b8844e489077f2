import { Company } from '../../admission/company.js';

/** A lane with more than this part of a write waiting would keep every writer busy. */
const MUCH = 1 / 4;
/** How long a lane that had a locked row has a writer of its own, in milliseconds. */
const LOCKED_MS = 10_000;
/** A lane that meets a locked row so often within that time is `locked`: once may be a slow commit. */
const STRIKES = 2;

/**
 * How the members of a lane are written: `fast` together with other lanes, `slow` by one writer for all slow lanes,
 * `locked` by one more, which may wait for locked rows.
 */
export type LaneKind = 'fast' | 'slow' | 'locked';

/** Knows which lanes would delay the others. */
export class LaneKinds {
  private readonly company = new Company();
  /** The lanes that have met a locked row, with how often, and until when that counts, by `performance.now()`. */
  private readonly met = new Map<string, { times: number; until: number }>();

  /** `groupBytes`: the most bytes of a write. */
  constructor(private readonly groupBytes: number) {}

  /** Notes that a member of a lane has come. */
  note(lane: string): void {
    this.company.note(lane);
  }

  /** Notes that a row of a lane is locked. */
  lock(lane: string): void {
    const now = performance.now();
    for (const [name, { until }] of this.met) if (until <= now) this.met.delete(name);
    this.met.set(lane, { times: (this.met.get(lane)?.times ?? 0) + 1, until: now + LOCKED_MS });
  }

  /** Notes that a write of a lane did not wait for a locked row. */
  unlock(lane: string): void {
    this.met.delete(lane);
  }

  /** Whether several lanes have members. */
  get isMixed(): boolean {
    return this.company.isMixed;
  }

  /** Whether any lane may be `locked`. */
  get hasLocked(): boolean {
    return this.met.size > 0;
  }

  /** The kind of a lane in which so many bytes wait. Alone in the queue, a lane with many may have every writer. */
  kindOf(lane: string, bytes: number): LaneKind {
    const { times = 0, until = 0 } = this.met.get(lane) ?? {};
    if (times >= STRIKES && performance.now() < until) return 'locked';
    return this.isMixed && bytes > this.groupBytes * MUCH ? 'slow' : 'fast';
  }
}
