import { workApart } from '../../admission/work.js';
import { type Bound } from '../../admission/fair-queue.js';

/** The bytes of one write. All its members wait for the longest ones: more takes PostgreSQL tens of milliseconds. */
export const GROUP_BYTES = 2 ** 20;

/** How members are written, grouped and bounded. */
export interface GroupCommitOptions<M, R> {
  /**
   * Writes all members, or rejects without having written any; `lockMs` is for its transaction, whose last act before the
   * commit may be `mayCommit`: it throws if a member has been refused in between, and the others are written again without it.
   * @returns for each, in the same order, its result, the reason why it alone was refused, or `Postponed`.
   */
  write(members: readonly M[], lockMs: number | undefined, mayCommit: () => void): Promise<(R | Error)[]>;
  sizeOf(member: M): number;
  /** The lane of a member: its account, or one name for all whose account is not yet known. Lanes take turns. */
  laneOf(member: M): string;
  /**
   * Whether writes of a lane take long now. Such a lane shares no write with others, and one write at most of all such
   * lanes is under way, with rests in between. A lane with many bytes waiting is slow, too, while others write.
   */
  isSlow?(lane: string): boolean;
  /** Members with the same text lock the same rows; after a failure they are retried together. */
  rowOf(member: M): string;
  /** The maximum of one write. */
  group: Bound;
  /** The maximum that may wait, shared by lane; more is refused. */
  waiting: Bound;
  /** The maximum of concurrent writes. */
  lanes: number;
  /**
   * A member without a result after this time, in milliseconds, is refused; a write that is under way may store it yet.
   * Undefined: members wait for as long as it takes.
   */
  patience?: number;
  /**
   * How much longer a member waits that is being written, in milliseconds; 0 by default. Only for a `write` that calls
   * `mayCommit`: nothing is stored of a member that is refused before the commit has begun.
   */
  writing?: number;
}

/** Runs the write of a group: one that may wait for the locked rows of a lane, without `lockMs`, in the name of its account. */
export function asWriter<T>(
  lane: string,
  lockMs: number | undefined,
  write: () => T,
  others: (write: () => T) => T = (run) => run(),
): T {
  return lockMs === undefined ? workApart(lane, write) : others(write);
}

/** The result of a member that was not written because its lane has become slow. It returns to the queue. */
export class Postponed extends Error {
  override readonly name = 'Postponed';
}
