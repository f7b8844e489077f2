import { Company } from '../../admission/company.js';

/** A lane with more than this part of a write waiting would keep every writer busy. */
const MUCH = 1 / 4;
/** How long a lane that had a locked row has a writer of its own, in milliseconds. */
const LOCKED_MS = 10_000;

/**
 * How the members of a lane are written: `fast` together with other lanes, `slow` by one writer for all slow lanes,
 * `locked` by one more, which may wait for locked rows.
 */
export type LaneKind = 'fast' | 'slow' | 'locked';

/** Knows which lanes would delay the others. */
export class LaneKinds {
  private readonly company = new Company();
  /** Until when lanes are `locked`, by `performance.now()`. */
  private readonly lockedUntil = new Map<string, number>();

  /** `groupBytes`: the most bytes of a write. */
  constructor(private readonly groupBytes: number) {}

  /** Notes that a member of a lane has come. */
  note(lane: string): void {
    this.company.note(lane);
  }

  /** Notes that a row of a lane is locked. */
  lock(lane: string): void {
    const now = performance.now();
    for (const [name, until] of this.lockedUntil) if (until <= now) this.lockedUntil.delete(name);
    this.lockedUntil.set(lane, now + LOCKED_MS);
  }

  /** Whether several lanes have members. */
  get isMixed(): boolean {
    return this.company.isMixed;
  }

  /** Whether any lane may be `locked`. */
  get hasLocked(): boolean {
    return this.lockedUntil.size > 0;
  }

  /** The kind of a lane in which so many bytes wait. Alone in the queue, a lane with many may have every writer. */
  kindOf(lane: string, bytes: number): LaneKind {
    const until = this.lockedUntil.get(lane);
    if (until !== undefined && performance.now() < until) return 'locked';
    if (until !== undefined) this.lockedUntil.delete(lane);
    return this.isMixed && bytes > this.groupBytes * MUCH ? 'slow' : 'fast';
  }
}
