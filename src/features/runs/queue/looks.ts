import { type HeldJob } from '../../../platform/jobs/job-queue.js';
import { type RunQueue } from './run-queue.js';

/** How often an idle worker looks into the queue, besides the notifications about queued runs. */
const POLL_MS = 500;
/** A look that passes over the runs of some accounts has so many times its duration until the next one. */
const SPARE = 10;

/** The maximum of runs to take now, and the accounts to leave out. */
interface Plan {
  count: number;
  except: readonly string[];
}

/**
 * When a worker looks into the queue, and how far. A look that leaves out accounts passes over all their runs, which may be
 * hundreds of thousands. So it takes the runs whose turn has come first, and looks behind them only now and then.
 */
export class Looks {
  /** The queue had no more runs when asked to leave out these accounts. It is not asked again before `until`. */
  private dry: { except: readonly string[]; until: number } | undefined;
  private nextWhole = -Infinity;

  constructor(
    private readonly queue: Pick<RunQueue, 'fetch'>,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Runs were queued: the queue may have some now. */
  noteQueued(): void {
    this.dry = undefined;
  }

  /** How long to wait before the next look, in milliseconds; 0 if there may be runs for the plan. */
  waitFor({ except }: Plan): number {
    if (this.dry === undefined || !this.dry.except.every((account) => except.includes(account))) return 0;
    return Math.max(0, this.dry.until - this.now());
  }

  async take(plan: Plan): Promise<HeldJob[]> {
    // Set before asking the queue: a run queued during the look resets it.
    const dry = { except: plan.except, until: this.now() + POLL_MS };
    this.dry = dry;
    const passesOver = plan.except.length > 0;
    if (passesOver) {
      const due = await this.queue.fetch({ ...plan, isDue: true });
      if (due.length > 0) {
        this.dry = undefined;
        return due;
      }
      if (this.now() < this.nextWhole) {
        dry.until = this.nextWhole;
        return [];
      }
    }
    const began = this.now();
    const jobs = await this.queue.fetch(plan);
    const ended = this.now();
    if (jobs.length === plan.count) this.dry = undefined;
    else if (passesOver) this.nextWhole = ended + Math.min(POLL_MS, SPARE * (ended - began));
    return jobs;
  }
}
