import { setTimeout as sleep } from 'node:timers/promises';
import { HEARTBEAT_MS, type HeldJob } from '../jobs/job-queue.js';
import { errorFields, type Logger } from '../logger.js';
import { carryOut, type CarryOutDependencies } from './execution/carry-out.js';
import { type RunClaims } from './execution/claim-runs.js';
import { type RunJob, type RunQueue } from './run-queue.js';

/** Runs that a process carries out at once, and how many of them one account may have while others wait. */
const SLOTS = 200;
const SLOTS_PER_ACCOUNT = 150;
const BATCH = 100;
/** How often an idle worker looks; whoever queues says so besides. */
const POLL_MS = 500;
const TROUBLE_MS = 1_000;
/** How long a stop waits for steps under way before it gives them up, and then for what is left to be saved. */
const PATIENCE_MS = 15_000;

export interface RunWorkerDependencies extends CarryOutDependencies {
  queue: RunQueue;
  claims: RunClaims;
  logger: Logger;
}

/** Takes runs from the queue and carries them out, many at once. */
export class RunWorker {
  private readonly held = new Map<string, { job: HeldJob<RunJob>; accountId: string }>();
  private readonly underWay = new Set<Promise<void>>();
  private readonly giveUp = new AbortController();
  private readonly stopping = { requested: false, signal: this.giveUp.signal };
  private loop: Promise<void> | undefined;
  private heartbeat: NodeJS.Timeout | undefined;
  private unsubscribe: (() => void) | undefined;
  private wakeUp: (() => void) | undefined;

  constructor(private readonly its: RunWorkerDependencies) {}

  start(): void {
    this.unsubscribe = this.its.queue.onQueued(() => this.wake());
    this.heartbeat = setInterval(() => void this.keepAlive(), HEARTBEAT_MS);
    this.loop = this.run();
  }

  /** Takes no more runs; those under way are handed back at their next step, or where they are after 15 s. */
  async stop(): Promise<void> {
    this.stopping.requested = true;
    this.unsubscribe?.();
    this.wake();
    await this.loop;
    const timer = setTimeout(() => this.giveUp.abort(), PATIENCE_MS);
    await Promise.all(this.underWay);
    clearTimeout(timer);
    clearInterval(this.heartbeat);
  }

  /** Looks into the queue at once. */
  wake(): void {
    this.wakeUp?.();
  }

  private async run(): Promise<void> {
    while (!this.stopping.requested) {
      const asked = Math.min(BATCH, SLOTS - this.held.size);
      let pause = POLL_MS;
      let taken = 0;
      try {
        if (asked > 0) taken = await this.take(asked);
      } catch (error) {
        this.its.logger.warn(errorFields(error), 'runs: the queue could not be read');
        pause = TROUBLE_MS;
      }
      if (taken < asked || asked === 0) await this.idle(pause);
    }
  }

  private async take(count: number): Promise<number> {
    const jobs = await this.its.queue.fetch(count, this.busyAccounts());
    if (jobs.length === 0) return 0;
    for (const job of jobs) this.held.set(job.id, { job, accountId: '' });
    const runs = await this.its.claims.claim(jobs).catch((error: unknown) => {
      // Given out again once their heartbeat fails.
      for (const job of jobs) this.held.delete(job.id);
      throw error;
    });
    const claimed = new Set(runs.map(({ job }) => job.id));
    for (const job of jobs) if (!claimed.has(job.id)) this.held.delete(job.id);
    for (const run of runs) {
      this.held.set(run.job.id, { job: run.job, accountId: run.accountId });
      const work = carryOut(run, this.its, this.stopping)
        .catch((error: unknown) => this.its.logger.warn(errorFields(error), 'runs: a run was let go'))
        .finally(() => {
          this.held.delete(run.job.id);
          this.underWay.delete(work);
          this.wake();
        });
      this.underWay.add(work);
    }
    return jobs.length;
  }

  private busyAccounts(): string[] {
    const counts = new Map<string, number>();
    for (const { accountId } of this.held.values()) counts.set(accountId, (counts.get(accountId) ?? 0) + 1);
    return [...counts].filter(([, count]) => count >= SLOTS_PER_ACCOUNT).map(([accountId]) => accountId);
  }

  private async keepAlive(): Promise<void> {
    const jobs = [...this.held.values()].map(({ job }) => job);
    await this.its.queue
      .keepAlive(jobs)
      .catch((error: unknown) => this.its.logger.warn(errorFields(error), 'runs: no sign of life could be given'));
  }

  private async idle(milliseconds: number): Promise<void> {
    const woken = new AbortController();
    this.wakeUp = () => woken.abort();
    await sleep(milliseconds, undefined, { signal: woken.signal }).catch(() => undefined);
    this.wakeUp = undefined;
  }
}
