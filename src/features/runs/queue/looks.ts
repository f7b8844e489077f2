import { type HeldJob } from '../../../platform/jobs/job-queue.js';
import { type RunQueue } from './run-queue.js';

/** How often an idle worker looks into the queue, besides the notifications about queued runs. */
const POLL_MS = 500;

/** The maximum of runs to take now, and the accounts to leave out. */
interface Plan {
  count: number;
  except: readonly string[];
}

/** When a worker looks into the queue. */
export class Looks {
  /** The queue had no more runs when asked to leave out these accounts. It is not asked again before `until`. */
  private dry: { except: readonly string[]; until: number } | undefined;

  constructor(private readonly queue: Pick<RunQueue, 'fetch'>) {}

  /** Runs were queued: the queue may have some now. */
  noteQueued(): void {
    this.dry = undefined;
  }

  /** How long to wait before the next look, in milliseconds; 0 if there may be runs for the plan. */
  waitFor({ except }: Plan): number {
    if (this.dry === undefined || !this.dry.except.every((account) => except.includes(account))) return 0;
    return Math.max(0, this.dry.until - performance.now());
  }

  async take(plan: Plan): Promise<HeldJob[]> {
    // Set before asking the queue: a run queued during the look resets it.
    this.dry = { except: plan.except, until: performance.now() + POLL_MS };
    const jobs = await this.queue.fetch(plan);
    if (jobs.length === plan.count) this.dry = undefined;
    return jobs;
  }
}
