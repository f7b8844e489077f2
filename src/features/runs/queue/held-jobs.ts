import { type HeldJob } from '../../../platform/jobs/job-queue.js';
import { partition } from '../../../platform/partition.js';
import { type RunQueue } from './run-queue.js';

/** After this long without a heartbeat, another worker may have the job. Half of the queue's own timeout. */
const SURE_MS = 5_000;
/**
 * How many heartbeats may be under way: a second one, because the connection of the first may be dead. More would take the
 * connections of the queue from the fetch.
 */
const BEATS = 2;

interface Held {
  job: HeldJob;
  /** Time of the last heartbeat, or of the fetch before the first one; -Infinity once another process has the job. */
  heardAt: number;
}

/** The jobs that a worker has fetched and not settled. */
export class HeldJobs {
  private readonly held = new Map<string, Held>();
  private beats = 0;

  constructor(private readonly queue: Pick<RunQueue, 'keepAlive'>) {}

  /** Holds the jobs of a fetch that began at `asked`. @returns those that the worker does not hold already. */
  add(jobs: readonly HeldJob[], asked: number): HeldJob[] {
    // A job that is delivered again counts up. Any other job of a held run was queued after the run had been saved: it
    // arrives here before the promise of the save resolves.
    const [again, fresh] = partition(jobs, ({ id, retryCount }) => {
      const held = this.held.get(id);
      return held !== undefined && retryCount > held.job.retryCount;
    });
    // Delivered again because heartbeats were late. They are still running here and belong to this worker again.
    for (const { id, retryCount } of again) {
      const held = this.held.get(id)!;
      held.job.retryCount = retryCount;
      held.heardAt = asked;
    }
    for (const job of fresh) this.held.set(job.id, { job, heardAt: asked });
    return fresh;
  }

  letGo(job: HeldJob): void {
    if (this.held.get(job.id)?.job === job) this.held.delete(job.id);
  }

  /** Leaves out jobs that another worker, or a later delivery, may have by now. */
  sure(jobs: readonly HeldJob[]): HeldJob[] {
    const since = performance.now() - SURE_MS;
    return jobs.filter((job) => {
      const held = this.held.get(job.id);
      return held?.job === job && held.heardAt >= since;
    });
  }

  /** Sends a heartbeat, unless two are under way. */
  async keepAlive(): Promise<void> {
    if (this.beats >= BEATS) return;
    this.beats += 1;
    try {
      const [now, held] = [performance.now(), [...this.held.values()]];
      const { ours, locked } = await this.queue.keepAlive(held.map(({ job }) => job));
      for (const one of held) {
        if (ours.has(one.job.id)) one.heardAt = now;
        else if (!locked.has(one.job.id)) one.heardAt = -Infinity;
      }
    } finally {
      this.beats -= 1;
    }
  }
}
