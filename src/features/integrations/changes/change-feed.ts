import { nextTurn } from '../../../platform/admission/pace.js';
import { workFor } from '../../../platform/admission/work.js';
import { columnsOf } from '../../../platform/db/columns.js';
import { type Database } from '../../../platform/db/database.js';
import { type Notifications } from '../../../platform/notifications/notifications.js';
import { errorFields, type Logger } from '../../../platform/logging/logger.js';
import { IntegrationStatusChange } from './integration-change.entity.js';
import { integrationChanged } from './integration.events.js';

type Listener = (change: IntegrationStatusChange) => void;

const COLUMNS = columnsOf(IntegrationStatusChange, 'c');
const BATCH = 500;
/** How often an account with listeners is checked even without a notification, in milliseconds. */
const SECOND_LOOK_MS = 10_000;
const RETRY_MS = 500;
/** Listeners called in one turn of the event loop. */
const AT_ONCE = 100;

/**
 * Delivers every committed change of an account to its listeners in this process, in order, each once. One reader per
 * account follows the gapless positions. NOTIFY only wakes the reader: the table decides, even if a NOTIFY is lost.
 */
export class ChangeFeed {
  private readonly tails = new Map<string, Tail>();
  private readonly timer: NodeJS.Timeout;
  private looking = false;
  private lookAgain = false;

  constructor(
    private readonly db: Database,
    notifications: Notifications,
    private readonly logger: Logger,
  ) {
    notifications.on(integrationChanged, ({ accountId, position }) => this.tails.get(accountId)?.wake(position));
    notifications.onResync(() => void this.look());
    this.timer = setInterval(() => void this.look(), SECOND_LOOK_MS);
    this.timer.unref();
  }

  /**
   * Calls `listener` with each change of the account that commits after this resolves. The caller reads earlier changes
   * from the table. @returns the position after which the listener starts, and the function that detaches it.
   */
  async listen(accountId: string, listener: Listener): Promise<{ position: number; detach: () => void }> {
    let tail = this.tails.get(accountId);
    if (tail === undefined) {
      tail = new Tail(this.db, this.logger, accountId);
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
        const accounts = await this.db.query<{ id: string; position: number }>(
          `SELECT id, change_position AS position FROM accounts WHERE id = ANY($1)`,
          [[...this.tails.keys()]],
        );
        for (const { id, position } of accounts) this.tails.get(id)?.wake(position);
      }
    } catch (error) {
      // The next check follows: within a second while notifications are down.
      this.logger.warn(errorFields(error), 'changes: the positions could not be read');
    } finally {
      this.looking = false;
    }
  }
}

/** The reader of one account. */
class Tail {
  readonly listeners = new Set<Listener>();
  private position: number | undefined;
  private starting: Promise<number> | undefined;
  private reading = false;
  private again = false;

  constructor(
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
    const [account] = await this.db.query<{ position: number }>(
      `SELECT change_position AS position FROM accounts WHERE id = $1`,
      [this.accountId],
    );
    this.position = account?.position ?? 0;
    // A notification that arrived while the position was read had no effect.
    this.wake();
    return this.position;
  }

  private async read(): Promise<void> {
    this.reading = true;
    try {
      while (this.again && this.listeners.size > 0) {
        this.again = false;
        const changes = await this.db.select(
          IntegrationStatusChange,
          `SELECT ${COLUMNS} FROM integration_changes c WHERE c.account_id = $1 AND c.position > $2
           ORDER BY c.position LIMIT ${BATCH}`,
          [this.accountId, this.position],
        );
        for (const change of changes) await this.deliver(change);
        if (changes.length === BATCH) this.again = true;
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
  private async deliver(change: IntegrationStatusChange): Promise<void> {
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
