import { type Database } from '../db/database.js';
import { errorFields, type Logger } from '../logging/logger.js';
import { type Notifications } from '../notifications/notifications.js';
import { type ChangeLog, type NumberedChange } from './change-log.js';
import { type ChangeListener, ChangeTail } from './change-tail.js';

/** How often the accounts with listeners are checked for changes whose hint was lost, in milliseconds. */
const SECOND_LOOK_MS = 1_000;

/** How a feed looks at its table. */
interface Looking {
  everyMs?: number;
  /** Called before each look, for a log whose changes are numbered after their commit. */
  catchUp?: () => Promise<void>;
}

/**
 * Delivers every committed change of an account to its listeners in this process, in order, each once. One reader per
 * account follows the gapless positions of the log. NOTIFY only wakes it: the table decides, even if a NOTIFY is lost.
 */
export class ChangeFeed<C extends NumberedChange> {
  private readonly tails = new Map<string, ChangeTail<C>>();
  private readonly timer: NodeJS.Timeout;
  private readonly catchUp: Looking['catchUp'];
  private looking = false;
  private lookAgain = false;

  constructor(
    readonly log: ChangeLog<C>,
    private readonly db: Database,
    notifications: Notifications,
    private readonly logger: Logger,
    { everyMs = SECOND_LOOK_MS, catchUp }: Looking = {},
  ) {
    this.catchUp = catchUp;
    notifications.on(log.topic, ({ accountId, position }) => this.tails.get(accountId)?.wake(position));
    notifications.onResync(() => void this.look());
    this.timer = setInterval(() => void this.look(), everyMs);
    this.timer.unref();
  }

  /**
   * Calls `listener` with each change of the account that commits after this resolves. The caller reads earlier changes
   * from the table. @returns the position after which the listener starts, and the function that detaches it.
   */
  async listen(accountId: string, listener: ChangeListener<C>): Promise<{ position: number; detach: () => void }> {
    let tail = this.tails.get(accountId);
    if (tail === undefined) {
      tail = new ChangeTail(this.log, this.db, this.logger, accountId);
      this.tails.set(accountId, tail);
    }
    tail.listeners.add(listener);
    const detach = (): void => {
      tail.listeners.delete(listener);
      if (tail.listeners.size === 0 && this.tails.get(accountId) === tail) this.tails.delete(accountId);
    };
    try {
      return { position: await tail.started(), detach };
    } catch (error) {
      detach();
      throw error;
    }
  }

  /** Stops reading. */
  stop(): void {
    clearInterval(this.timer);
    this.tails.clear();
  }

  /** The number of listeners in this process. */
  get listeners(): number {
    return [...this.tails.values()].reduce((sum, { listeners }) => sum + listeners.size, 0);
  }

  /** Reads the positions of all accounts with listeners, in one statement. */
  private async look(): Promise<void> {
    this.lookAgain = true;
    if (this.looking) return;
    this.looking = true;
    try {
      while (this.lookAgain && this.tails.size > 0) {
        this.lookAgain = false;
        await this.catchUp?.();
        const counters = await this.db.query<NumberedChange>(this.log.sql.positions, [[...this.tails.keys()]]);
        for (const { accountId, position } of counters) this.tails.get(accountId)?.wake(position);
      }
    } catch (error) {
      // The next check follows: within a second while notifications are down.
      this.logger.warn(errorFields(error), 'changes: the positions could not be read');
    } finally {
      this.looking = false;
    }
  }
}
