import { readPatiently } from '../../../platform/db/patient-read.js';
import { BoundedQueue, PATIENCE_MS } from '../../../platform/notifications/bounded-queue.js';
import { type IntegrationStatusChange } from './integration-change.entity.js';

/** Maximum changes of one read from the table: fewer than a queue holds. */
export const BATCH = 100;

/** What a listener follows: the changes that match, in the order of `key`, after `cursor`. */
export interface Course {
  key: 'version' | 'position';
  cursor: number;
  matches: (change: IntegrationStatusChange) => boolean;
  /** The next `BATCH` committed changes that match, after a cursor, in order. */
  read: (cursor: number) => Promise<IntegrationStatusChange[]>;
  /** The integration is deleted: no change follows those in the table. */
  isDeleted: boolean;
}

/**
 * One listener's changes: none lost, none twice, in order. Past changes come from the table, new ones from the feed,
 * and a cursor separates the two. A listener that falls behind the feed continues from the table, so that its memory
 * stays bounded and a burst costs it no change. A listener that does not read at all is ended. While the database is
 * away, the stream waits.
 */
export class ChangeStream {
  readonly changes: BoundedQueue<IntegrationStatusChange>;
  private cursor: number;
  private deleted: boolean;
  private caughtUp = false;
  private more = true;

  constructor(
    private readonly course: Course,
    private readonly events: { onClose: () => void; onSlowReader: () => void },
    private readonly patienceMs = PATIENCE_MS,
  ) {
    this.cursor = course.cursor;
    this.deleted = course.isDeleted;
    this.changes = new BoundedQueue(events.onClose);
  }

  /** Begins with the changes in the table. The feed must be attached before. */
  start(): void {
    void this.catchUp();
  }

  /** Takes a change that was just committed, from the feed. */
  hear(change: IntegrationStatusChange): void {
    if (!this.course.matches(change)) return;
    this.noteDeletion(change);
    if (!this.caughtUp) this.more = true;
    else if (!this.push(change)) void this.catchUp();
    else if (this.deleted) this.changes.end();
  }

  /** @returns false when the queue is full and the change is left to the table. */
  private push(change: IntegrationStatusChange): boolean {
    const place = change[this.course.key];
    if (place <= this.cursor) return true;
    if (!this.changes.push(change)) return false;
    this.cursor = place;
    this.noteDeletion(change);
    return true;
  }

  /** Deletion is the last change of an integration, even for a listener whose cursor is ahead of it. */
  private noteDeletion({ reason }: IntegrationStatusChange): void {
    if (this.course.key === 'version' && reason === 'deleted') this.deleted = true;
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
        if (changes.length === BATCH) this.more = true;
      }
      this.caughtUp = true;
      if (this.deleted) this.changes.end();
    } catch (error) {
      this.changes.fail(error);
    }
  }

  private async endSlowReader(): Promise<void> {
    this.events.onSlowReader();
    await this.changes.return();
  }
}
