import { readPatiently } from '../db/patient-read.js';
import { BoundedQueue, PATIENCE_MS } from '../notifications/bounded-queue.js';
import { STREAM_BATCH } from './change-log.js';

/** What a listener follows: the changes that match, in the order of `placeOf`, after `cursor`. */
export interface Course<C> {
  cursor: number;
  /** The number by which the changes that match are ordered: in the account, or in the object that is followed. */
  placeOf: (change: C) => number;
  matches: (change: C) => boolean;
  /** The next `STREAM_BATCH` committed changes that match, after a cursor, in order. */
  read: (cursor: number) => Promise<C[]>;
  /** Whether no change follows those in the table. */
  isOver: boolean;
  /** Whether no change that matches follows this one. */
  isLast: (change: C) => boolean;
}

/**
 * One listener's changes: none lost, none twice, in order. Past changes come from the table, new ones from the feed,
 * and a cursor separates the two. A listener that falls behind the feed continues from the table, so that its memory
 * stays bounded and a burst costs it no change. A listener that does not read at all is ended. While the database is
 * away, the stream waits.
 */
export class ChangeStream<C> {
  readonly changes: BoundedQueue<C>;
  private cursor: number;
  private over: boolean;
  private caughtUp = false;
  private more = true;

  constructor(
    private readonly course: Course<C>,
    private readonly events: { onClose: () => void; onSlowReader: () => void },
    private readonly patienceMs = PATIENCE_MS,
  ) {
    this.cursor = course.cursor;
    this.over = course.isOver;
    this.changes = new BoundedQueue(events.onClose);
  }

  /** Begins with the changes in the table. The feed must be attached before. */
  start(): void {
    void this.catchUp();
  }

  /** Takes a change that was just committed, from the feed. */
  hear(change: C): void {
    if (!this.course.matches(change)) return;
    this.noteEnd(change);
    if (!this.caughtUp) this.more = true;
    else if (!this.push(change)) void this.catchUp();
    else if (this.over) this.changes.end();
  }

  /** @returns false when the queue is full and the change is left to the table. */
  private push(change: C): boolean {
    const place = this.course.placeOf(change);
    if (place <= this.cursor) return true;
    if (!this.changes.push(change)) return false;
    this.cursor = place;
    this.noteEnd(change);
    return true;
  }

  /** The last change ends the stream even if the cursor is ahead of it. */
  private noteEnd(change: C): void {
    if (this.course.isLast(change)) this.over = true;
  }

  /**
   * Reads from the table into the queue, as fast as the listener takes. Changes that commit in between are in it, too.
   */
  private async catchUp(): Promise<void> {
    this.caughtUp = false;
    this.more = true;
    try {
      while (this.more && !this.changes.isEnded) {
        if (!(await this.changes.drained(this.patienceMs))) return await this.endSlowReader();
        this.more = false;
        const changes = await readPatiently(
          () => this.course.read(this.cursor),
          () => this.changes.isEnded,
        );
        for (const change of changes) this.push(change);
        if (changes.length === STREAM_BATCH) this.more = true;
      }
      this.caughtUp = true;
      if (this.over) this.changes.end();
    } catch (error) {
      this.changes.fail(error);
    }
  }

  private async endSlowReader(): Promise<void> {
    this.events.onSlowReader();
    await this.changes.return();
  }
}
