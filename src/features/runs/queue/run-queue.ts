import { type StoredBytes, unlimitedBytes } from '../../../platform/admission/daily/stored-bytes.js';
import { type Clock } from '../../../platform/clock.js';
import { RecentTexts } from '../../../platform/caches/recent-texts.js';
import { type Database, type Transaction } from '../../../platform/db/database.js';
import { defineTopic, type Notifications } from '../../../platform/notifications/notifications.js';
import {
  type FetchLimits,
  type Heard,
  type HeldJob,
  type JobQueues,
  type Queue,
} from '../../../platform/jobs/job-queue.js';
import { timeOf } from '../../../platform/ids/ids.js';
import { type RunChange } from './runs-changed.js';
import { sendRunChanges } from './runs-changed.js';
import { FairOrder } from './fair-order.js';

/** A run to execute now. */
export interface DueRun {
  uuid: string;
  accountId: string;
}

/** How a run is placed in the queue: in the fair order of accounts, or behind it. */
export type RunOrder = 'fresh' | 'background';

/** The job queue of runs. A job has the id of its run, and its group is the account. */
export const RUN_QUEUE: Queue = { name: 'runs' };

/** Runs were queued. Only a hint that makes idle workers look at once. */
const runsQueued = defineTopic<null>('runs_queued');
/** The minimum interval of hints to other processes: a NOTIFY takes a lock on the whole database. */
const ANNOUNCE_MS = 50;
const LOOK_MS = 1_000;

/** The queue of the runs to execute. */
export class RunQueue {
  private announced: NodeJS.Timeout | undefined;
  private readonly order: FairOrder;
  private nextLook = 0;

  constructor(
    private readonly queues: JobQueues,
    private readonly notifications: Notifications,
    private readonly db: Database,
    clock: Clock,
    /** Counts the bytes of runs: whatever creates or executes them has the queue. */
    readonly stored: StoredBytes = unlimitedBytes(clock),
    /** The large inputs that this process has just stored, for its worker. */
    readonly inputs = new RecentTexts(0),
  ) {
    this.order = new FairOrder(clock);
  }

  /**
   * Queues runs in the transaction that makes them due; call `announce` after the commit. A job has the id of its run,
   * so that no run is in the queue twice. `order`: `background` for runs that yield to all others.
   */
  add(tx: Transaction, runs: readonly DueRun[], order: RunOrder = 'fresh'): Promise<void> {
    return this.queues.add(
      tx,
      RUN_QUEUE,
      runs.map(({ uuid, accountId }) => ({
        id: uuid,
        group: accountId,
        priority: order === 'fresh' ? this.order.next(accountId) : this.order.background(),
      })),
    );
  }

  /** Tells listeners of skipped runs after the commit. Unlike queued runs, they have no later change that would. */
  publishSkipped(tx: Transaction, runs: readonly Omit<RunChange, 'from' | 'to' | 'version' | 'at'>[]): void {
    const changes = runs.map((run): RunChange => {
      const at = timeOf(run.run).getTime();
      return { ...run, from: null, to: 'skipped', version: 1, at };
    });
    sendRunChanges(this.notifications, tx, changes);
  }

  /** Wakes the worker of this process at once, and those of other processes within 50 ms. */
  announce(): void {
    this.notifications.notifyLocally(runsQueued, null);
    this.announced ??= setTimeout(() => {
      this.announced = undefined;
      void this.lookForBacklog();
      // The hint may get lost: workers poll twice a second anyway.
      this.notifications.hint(runsQueued, null);
    }, ANNOUNCE_MS).unref();
  }

  /**
   * Resets the fair order when the queue is empty. Checks at most once a second, and only while runs are being queued.
   */
  private async lookForBacklog(): Promise<void> {
    if (this.order.isEven || performance.now() < this.nextLook) return;
    this.nextLook = performance.now() + LOOK_MS;
    const isEmpty = await this.queues.isEmpty(this.db, RUN_QUEUE).catch(() => false);
    if (isEmpty) this.order.reset();
  }

  /** Calls `handler` when any process has queued runs. @returns the function that unsubscribes. */
  onQueued(handler: () => void): () => void {
    return this.notifications.on(runsQueued, handler);
  }

  /** Fetches jobs for this process. Each has the id of its run, and the account as its group. */
  fetch(limits: FetchLimits): Promise<HeldJob[]> {
    return this.queues.fetch(RUN_QUEUE, limits);
  }

  /** Sends a heartbeat. */
  keepAlive(jobs: readonly HeldJob[]): Promise<Heard> {
    return this.queues.keepAlive(RUN_QUEUE, jobs);
  }

  /**
   * Settles jobs in the transaction that saves their runs. Call it last: while the transaction waits for rows of an account,
   * the queue must not wait for its jobs.
   */
  done(tx: Transaction, jobs: readonly HeldJob[]): Promise<void> {
    return this.queues.done(tx, RUN_QUEUE, jobs);
  }

  /** The number of waiting and of fetched jobs, over all processes. */
  depth(): Promise<{ waiting: number; held: number }> {
    return this.queues.depth(this.db, RUN_QUEUE);
  }
}
