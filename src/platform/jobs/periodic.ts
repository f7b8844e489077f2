import { errorFields, type Logger } from '../logging/logger.js';

/** Work that is looked for again and again, e.g. what has passed its time. */
export interface PeriodicJob {
  name: string;
  everyMs: number;
  /** Does what is due, in batches that `signal` ends. A rejection is logged, and the next turn tries again. */
  run(signal?: AbortSignal): Promise<void>;
}

/** Runs jobs in turns that never overlap; turns of several processes may, so jobs claim rows before they act. */
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

  /** Starts no further turn, ends those under way and waits for them. */
  async stop(): Promise<void> {
    this.stopped.abort();
    this.timers.forEach((timer) => clearTimeout(timer));
    await Promise.all(this.running);
  }

  private schedule(job: PeriodicJob): void {
    if (this.stopped.signal.aborted) return;
    // Jitter, so that processes started together don't look at the same instant for ever.
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
