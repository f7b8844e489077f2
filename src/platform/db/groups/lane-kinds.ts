import { Company } from '../../admission/company.js';
import { LockKeepers } from './lock-keepers.js';

/** A lane with more than this part of a write waiting would keep every writer busy. */
const MUCH = 1 / 4;
/** A lane that has met so many locked rows is `locked`: one may be a slow commit. */
const STRIKES = 2;

/**
 * How the members of a lane are written: `fast` together with other lanes, `slow` by one writer for all slow lanes,
 * `locked` by one more, which may wait for locked rows.
 */
export type LaneKind = 'fast' | 'slow' | 'locked';

/** Knows which lanes would delay the others. */
export class LaneKinds {
  private readonly company = new Company();
  private readonly keepers = new LockKeepers(STRIKES);

  /** `groupBytes`: the most bytes of a write. */
  constructor(private readonly groupBytes: number) {}

  /** Notes that a member of a lane has come. */
  note(lane: string): void {
    this.company.note(lane);
  }

  /** Notes that a row of a lane is locked. */
  lock(lane: string): void {
    this.keepers.note(lane);
  }

  /** Whether several lanes have members. */
  get isMixed(): boolean {
    return this.company.isMixed;
  }

  /** Whether any lane may be `locked`. */
  get hasLocked(): boolean {
    return this.keepers.hasAny;
  }

  /** The kind of a lane in which so many bytes wait. Alone in the queue, a lane with many may have every writer. */
  kindOf(lane: string, bytes: number): LaneKind {
    if (this.keepers.has(lane)) return 'locked';
    return this.isMixed && bytes > this.groupBytes * MUCH ? 'slow' : 'fast';
  }
}
