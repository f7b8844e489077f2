import { type Database, type Transaction } from '../db/database.js';
import { defineTopic, type Notifications } from '../events/notifications.js';
import { type HeldJob, type JobQueues, type Queue } from '../jobs/job-queue.js';

/** What a job of the queue carries. */
export interface RunJob {
  run: string;
}

/** A run that is to be carried out now. */
export interface DueRun {
  uuid: string;
  accountId: string;
}

/** One that loses its worker three times is given up. */
export const RUN_QUEUE: Queue = { name: 'runs', redeliveries: 2 };

/** Says that runs were queued. Only a hint, so that idle workers look at once: no transaction waits for it. */
const runsQueued = defineTopic<null>('runs.queued');
/** Other processes hear of it at most so often: a NOTIFY takes a lock of the whole database. */
const ANNOUNCE_MS = 50;

/** The runs that are to be carried out now. */
export class RunQueue {
  private announced: NodeJS.Timeout | undefined;

  constructor(
    private readonly queues: JobQueues,
    private readonly notifications: Notifications,
    private readonly db: Database,
  ) {}

  /** Queues runs with the transaction that makes them due; `announce` once it is committed. */
  add(tx: Transaction, runs: readonly DueRun[]): Promise<void> {
    return this.queues.add(
      tx,
      RUN_QUEUE,
      runs.map(({ uuid, accountId }) => ({ data: { run: uuid } satisfies RunJob, group: accountId })),
    );
  }

  /** Wakes the workers: this process's at once, those of others within 50 ms. */
  announce(): void {
    this.notifications.tellHere(runsQueued, null);
    this.announced ??= setTimeout(() => {
      this.announced = undefined;
      // Lost with the database away, or unheard: they look by themselves twice a second.
      this.notifications.publish(this.db, runsQueued, null).catch(() => undefined);
    }, ANNOUNCE_MS).unref();
  }

  /** Calls `handler` when runs were queued, here or elsewhere. @returns the function that stops it. */
  onQueued(handler: () => void): () => void {
    return this.notifications.on(runsQueued, handler);
  }

  fetch(count: number, exceptAccounts: readonly string[]): Promise<HeldJob<RunJob>[]> {
    return this.queues.fetch<RunJob>(RUN_QUEUE, { count, except: exceptAccounts });
  }

  /** Runs that took their workers with them too often. */
  fetchLost(count: number): Promise<HeldJob<RunJob>[]> {
    return this.queues.fetchLost<RunJob>(RUN_QUEUE, count);
  }

  keepAlive(jobs: readonly HeldJob<RunJob>[]): Promise<void> {
    return this.queues.keepAlive(RUN_QUEUE, jobs);
  }

  done(tx: Transaction, jobs: readonly HeldJob<RunJob>[]): Promise<void> {
    return this.queues.done(tx, RUN_QUEUE, jobs);
  }

  lostDone(tx: Transaction, jobs: readonly HeldJob<RunJob>[]): Promise<void> {
    return this.queues.lostDone(tx, RUN_QUEUE, jobs);
  }
}
