import { nextTurn } from '../admission/pace.js';
import { workFor } from '../admission/work.js';
import { type Database } from '../db/database.js';
import { errorFields, type Logger } from '../logging/logger.js';
import { type ChangeLog, FEED_BATCH, type NumberedChange } from './change-log.js';

/** Called with a change that was just committed. */
export type ChangeListener<C> = (change: C) => void;

const RETRY_MS = 500;
/** Listeners called in one turn of the event loop. */
const AT_ONCE = 100;

/** The reader of one account in a log. */
export class ChangeTail<C extends NumberedChange> {
  readonly listeners = new Set<ChangeListener<C>>();
  private position: number | undefined;
  private starting: Promise<number> | undefined;
  private reading = false;
  private again = false;

  constructor(
    private readonly log: ChangeLog<C>,
    private readonly db: Database,
    private readonly logger: Logger,
    private readonly accountId: string,
  ) {}

  /**
   * The position after which listeners receive changes. A failure goes to the callers that wait; the next call retries.
   */
  async started(): Promise<number> {
    if (this.position !== undefined) return this.position;
    // Charged to the account, not to the first listener: others wait for it too, and it continues if that one leaves.
    this.starting ??= workFor(this.accountId, () => this.start()).finally(() => (this.starting = undefined));
    return this.starting;
  }

  /** Reads on, unless `position` was delivered already. */
  wake(position = Infinity): void {
    if (this.position === undefined || position <= this.position) return;
    this.again = true;
    if (!this.reading) void workFor(this.accountId, () => this.read());
  }

  private async start(): Promise<number> {
    const [counter] = await this.db.query<{ position: number }>(this.log.sql.position, [this.accountId]);
    this.position = counter?.position ?? 0;
    // A notification that arrived while the position was read had no effect.
    this.wake();
    return this.position;
  }

  private async read(): Promise<void> {
    this.reading = true;
    try {
      while (this.again && this.listeners.size > 0) {
        this.again = false;
        const { entity, sql } = this.log;
        const changes = await this.db.select(entity, sql.forFeed, [this.accountId, this.position]);
        for (const change of changes) await this.deliver(change);
        if (changes.length === FEED_BATCH) this.again = true;
      }
    } catch (error) {
      this.logger.warn(errorFields(error), 'changes could not be read, trying again');
      setTimeout(() => this.wake(), RETRY_MS).unref();
    } finally {
      this.reading = false;
    }
  }

  /**
   * A listener attached during delivery reads this change from the table: it is committed, and the position is past it.
   */
  private async deliver(change: C): Promise<void> {
    this.position = change.position;
    let delivered = 0;
    for (const listener of [...this.listeners]) {
      if (delivered++ === AT_ONCE) {
        delivered = 1;
        await nextTurn();
      }
      if (!this.listeners.has(listener)) continue;
      try {
        listener(change);
      } catch (error) {
        this.logger.error(errorFields(error), 'a listener failed; the others received the change');
      }
    }
  }
}
