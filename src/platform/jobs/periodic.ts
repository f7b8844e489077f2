import { errorFields, type Logger } from '../logging/logger.js';

/** A recurring job, e.g. one that deletes expired rows. */
export interface PeriodicJob {
  /** Words that say what it does, for the log and `docs/jobs.md`. */
  name: string;
  /** What it does, as a sentence of `docs/jobs.md`. */
  what: string;
  everyMs: number;
  /**
   * Does the due work, in batches; `signal` ends it after the current one. A rejection is logged, and the next turn
   * tries again.
   */
  run(signal?: AbortSignal): Promise<void>;
}

/**
 * Runs each job in turns that never overlap within a process. Turns of several processes may overlap, so jobs claim
 * rows before they act.
 */
export class PeriodicJobs {
  private readonly timers = new Map<PeriodicJob, NodeJS.Timeout>();
  private readonly running = new Set<Promise<void>>();
  private readonly stopped = new AbortController();

  constructor(
    private readonly jobs: readonly PeriodicJob[],
    private readonly logger: Logger,
  ) {}

  start(): void {
    for (const job of this.jobs) this.schedule(job);
  }

  /** Starts no further turn, aborts running ones and waits for them. */
  async stop(): Promise<void> {
    this.stopped.abort();
    this.timers.forEach((timer) => clearTimeout(timer));
    await Promise.all(this.running);
  }

  private schedule(job: PeriodicJob): void {
    if (this.stopped.signal.aborted) return;
    // Jitter, so that processes started together do not run at the same instant forever.
    const delay = job.everyMs * (0.9 + 0.2 * Math.random());
    this.timers.set(job, setTimeout(() => this.turn(job), delay).unref());
  }

  private turn(job: PeriodicJob): void {
    const turn = job
      .run(this.stopped.signal)
      .catch((error: unknown) => this.logger.warn({ job: job.name, ...errorFields(error) }, 'job failed'))
      .finally(() => {
        this.running.delete(turn);
        this.schedule(job);
      });
    this.running.add(turn);
  }
}
