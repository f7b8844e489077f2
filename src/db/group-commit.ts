import { AppError, isDatabaseAway } from '../errors.js';
import { sqlState } from './database.js';

/** How many members, and how many bytes of them. */
export interface Bound {
  count: number;
  bytes: number;
}

export interface GroupCommitOptions<M, R> {
  /**
   * Writes all members, or rejects and has written none. @returns for each, in the same order, what came of it, or why
   * it alone was refused.
   */
  write(members: readonly M[]): Promise<(R | Error)[]>;
  sizeOf(member: M): number;
  /** The most that one write takes. */
  group: Bound;
  /** The most that may wait; more is refused. */
  waiting: Bound;
  /** Writes under way at once. */
  lanes: number;
}

interface Entry<M, R> {
  member: M;
  size: number;
  /** When it came, by `performance.now()`. */
  since: number;
  resolve: (result: R) => void;
  reject: (error: unknown) => void;
}

/** query_canceled (a timeout) and lock_not_available: one row is busy, the database is there. */
const BUSY_ROW = new Set(['57014', '55P03']);
const ALONE_AT_ONCE = 4;
/** Who has waited so long for a database that turns out to be away doesn't wait for a second try; in milliseconds. */
const HOPE_MS = 1_000;

/**
 * Writes what comes in at the same time together: a commit costs the disk as much for one as for hundreds. Nobody waits
 * for company: whatever has come while the lanes were busy goes next.
 */
export class GroupCommit<M, R> {
  private readonly queue: Entry<M, R>[] = [];
  private waitingBytes = 0;
  private busyLanes = 0;
  private scheduled = false;
  private closed = false;
  private onIdle: (() => void) | undefined;

  constructor(private readonly options: GroupCommitOptions<M, R>) {}

  /** Resolves after the commit. @throws AppError `unavailable` when too much waits already, or after `close`. */
  add(member: M): Promise<R> {
    const size = this.options.sizeOf(member);
    const { count, bytes } = this.options.waiting;
    if (this.closed || this.queue.length >= count || this.waitingBytes + size > bytes) {
      throw new AppError('unavailable', 'Too much is waiting to be stored. Try again shortly.', { retryAfter: 1 });
    }
    this.waitingBytes += size;
    return new Promise((resolve, reject) => {
      this.queue.push({ member, size, since: performance.now(), resolve, reject });
      this.schedule();
    });
  }

  /** Takes nothing more and waits until all that was taken is answered. */
  async close(): Promise<void> {
    this.closed = true;
    if (this.queue.length === 0 && this.busyLanes === 0) return;
    await new Promise<void>((resolve) => (this.onIdle = resolve));
  }

  /** On the next turn of the loop, so that requests which arrived in this one go together. */
  private schedule(): void {
    if (this.scheduled || this.busyLanes >= this.options.lanes) return;
    this.scheduled = true;
    setImmediate(() => {
      this.scheduled = false;
      while (this.queue.length > 0 && this.busyLanes < this.options.lanes) void this.lane(this.nextGroup());
    });
  }

  private async lane(group: Entry<M, R>[]): Promise<void> {
    this.busyLanes += 1;
    await this.writeGroup(group);
    this.busyLanes -= 1;
    if (this.queue.length > 0) this.schedule();
    else if (this.busyLanes === 0) this.onIdle?.();
  }

  private nextGroup(): Entry<M, R>[] {
    const { count, bytes } = this.options.group;
    let taken = 0;
    let size = 0;
    for (const entry of this.queue) {
      // The first always goes, however large.
      if (taken === count || (taken > 0 && size + entry.size > bytes)) break;
      taken += 1;
      size += entry.size;
    }
    this.waitingBytes -= size;
    return this.queue.splice(0, taken);
  }

  private async writeGroup(group: Entry<M, R>[]): Promise<void> {
    try {
      const results = await this.options.write(group.map(({ member }) => member));
      group.forEach((entry, index) => settle(entry, results[index]!));
    } catch (error) {
      // A database that is away refuses each of them just as well, only slower.
      const hopeless = isDatabaseAway(error) && !BUSY_ROW.has(sqlState(error) ?? '');
      if (hopeless) group.push(...this.takeWaiting());
      if (group.length === 1 || hopeless) group.forEach(({ reject }) => reject(error));
      else await this.writeAlone(group);
    }
  }

  /** Those in the queue, which is in order of arrival, that have waited long enough. */
  private takeWaiting(): Entry<M, R>[] {
    const late = performance.now() - HOPE_MS;
    const firstYoung = this.queue.findIndex(({ since }) => since > late);
    const taken = this.queue.splice(0, firstYoung < 0 ? this.queue.length : firstYoung);
    this.waitingBytes -= taken.reduce((bytes, { size }) => bytes + size, 0);
    return taken;
  }

  /** One by one, so that only the bad ones fail; a few at a time, so that one that waits for a lock holds up nobody. */
  private async writeAlone(group: Entry<M, R>[]): Promise<void> {
    const entries = group.values();
    const worker = async () => {
      for (const entry of entries) await this.writeGroup([entry]);
    };
    await Promise.all(Array.from({ length: ALONE_AT_ONCE }, worker));
  }
}

function settle<M, R>({ resolve, reject }: Entry<M, R>, result: R | Error): void {
  if (result instanceof Error) reject(result);
  else resolve(result);
}
