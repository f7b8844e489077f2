import { type Clock } from '../../../platform/clock.js';
import { type Database, type Transaction } from '../../../platform/db/database.js';
import { defineTopic, type Notifications } from '../../../platform/notifications/notifications.js';
import { type FetchLimits, type HeldJob, type JobQueues, type Queue } from '../../../platform/jobs/job-queue.js';
import { FairOrder } from './fair-order.js';

/** A run that is to be carried out now. */
export interface DueRun {
  uuid: string;
  accountId: string;
}

export const RUN_QUEUE: Queue = { name: 'runs' };

/** Says that runs were queued. Only a hint, so that idle workers look at once: no transaction waits for it. */
const runsQueued = defineTopic<null>('runs.queued');
/** Other processes hear of it at most so often: a NOTIFY takes a lock of the whole database. */
const ANNOUNCE_MS = 50;
const LOOK_MS = 1_000;

/** The runs that are to be carried out now. */
export class RunQueue {
  private announced: NodeJS.Timeout | undefined;
  private readonly order: FairOrder;
  private nextLook = 0;

  constructor(
    private readonly queues: JobQueues,
    private readonly notifications: Notifications,
    private readonly db: Database,
    clock: Clock,
  ) {
    this.order = new FairOrder(clock);
  }

  /**
   * Queues runs with the transaction that makes them due; `announce` once it is committed. A job has the id of its run,
   * so that no run is ever in the queue twice.
   */
  add(tx: Transaction, runs: readonly DueRun[]): Promise<void> {
    return this.queues.add(
      tx,
      RUN_QUEUE,
      runs.map(({ uuid, accountId }) => ({
        id: uuid,
        group: accountId,
        priority: this.order.next(accountId),
      })),
    );
  }

  /** Wakes the workers: this process's at once, those of others within 50 ms. */
  announce(): void {
    this.notifications.tellHere(runsQueued, null);
    this.announced ??= setTimeout(() => {
      this.announced = undefined;
      void this.lookForBacklog();
      // Lost with the database away, or unheard: they look by themselves twice a second.
      this.notifications.publish(this.db, runsQueued, null).catch(() => undefined);
    }, ANNOUNCE_MS).unref();
  }

  /** Where nothing waits, accounts start even again; asked once a second at most, and only while runs are queued. */
  private async lookForBacklog(): Promise<void> {
    if (this.order.isEven || performance.now() < this.nextLook) return;
    this.nextLook = performance.now() + LOOK_MS;
    const isEmpty = await this.queues.isEmpty(this.db, RUN_QUEUE).catch(() => false);
    if (isEmpty) this.order.reset();
  }

  /** Calls `handler` when runs were queued, here or elsewhere. @returns the function that stops it. */
  onQueued(handler: () => void): () => void {
    return this.notifications.on(runsQueued, handler);
  }

  /** Jobs of runs, with the ids of those; each one's group is its account. */
  fetch(limits: FetchLimits): Promise<HeldJob[]> {
    return this.queues.fetch(RUN_QUEUE, limits);
  }

  /** @returns the ids of the runs that are still this worker's. */
  keepAlive(jobs: readonly HeldJob[]): Promise<ReadonlySet<string>> {
    return this.queues.keepAlive(RUN_QUEUE, jobs);
  }

  done(tx: Transaction, jobs: readonly HeldJob[]): Promise<void> {
    return this.queues.done(tx, RUN_QUEUE, jobs);
  }

  /** How many runs wait to be taken, and how many workers hold, in all processes. */
  depth(): Promise<{ waiting: number; held: number }> {
    return this.queues.depth(this.db, RUN_QUEUE);
  }
}
