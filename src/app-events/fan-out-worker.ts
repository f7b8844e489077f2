import { setTimeout as sleep } from 'node:timers/promises';
import { type Clock } from '../clock.js';
import { type Database } from '../db/database.js';
import { type Worker } from '../feature.js';
import { errorFields, type Logger } from '../logger.js';
import { type RunQueue } from '../runs/run-queue.js';
import { fanOutBatch, waitingAccounts } from './fan-outs.js';

const POLL_MS = 500;

export interface FanOutDependencies {
  db: Database;
  clock: Clock;
  queue: RunQueue;
  logger: Logger;
}

/**
 * Makes the runs that are left of events which fire many triggers. Accounts take turns, a batch each, so that one with
 * much to do holds up none. Any number of processes may do it at once.
 */
export class FanOutWorker implements Worker {
  private readonly stopping = new AbortController();
  private loop: Promise<void> | undefined;

  constructor(private readonly its: FanOutDependencies) {}

  start(): void {
    this.loop = this.run();
  }

  /** Ends the batch under way and begins no other. Again: waits for the same end. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.loop;
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      if (!(await this.round())) await sleep(POLL_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  /** @returns whether anything was done. */
  private async round(): Promise<boolean> {
    const accounts = await this.attempt(() => waitingAccounts(this.its.db), []);
    let isDone = false;
    for (const account of accounts) {
      if (this.stopping.signal.aborted) break;
      isDone = (await this.attempt(() => fanOutBatch(this.its, account), false)) || isDone;
    }
    return isDone;
  }

  /** What fails is tried again in the next round: a row that another session holds, or the database is away. */
  private async attempt<T>(work: () => Promise<T>, otherwise: T): Promise<T> {
    try {
      return await work();
    } catch (error) {
      this.its.logger.warn(errorFields(error), 'events: runs could not be made');
      return otherwise;
    }
  }
}
