import { setTimeout as sleep } from 'node:timers/promises';
import { OneByOne } from '../../../platform/admission/one-by-one.js';
import { isRowBusy } from '../../../platform/db/database.js';
import { isDatabaseAway } from '../../../platform/errors.js';
import { HEARTBEAT_MS, type HeldJob } from '../../../platform/jobs/job-queue.js';
import { errorFields, type Logger } from '../../../platform/logging/logger.js';
import { partition } from '../../../platform/partition.js';
import { executeRun, type ExecutionDependencies } from './execute-run.js';
import { type Claimed, type ClaimOptions, type RunClaims } from './claim-runs.js';
import { type Plan, Slots } from './slots.js';
import { type RunQueue } from '../queue/run-queue.js';

/** Runs that a process carries out at once. */
const SLOTS = 240;
const BATCH = 100;
/** How often an idle worker looks; whoever queues says so besides. */
const POLL_MS = 500;
const TROUBLE_MS = 1_000;
/** A run given out again so often is claimed alone: its claim may be what ends or fails those of others. */
const OFTEN = 2;
/** Who was not heard of for longer may have lost a job without knowing it: half of what the queue waits. */
const SURE_MS = 5_000;
/** How long a stop waits for steps under way before it gives them up, and then for what is left to be saved. */
const PATIENCE_MS = 15_000;
const LAST_PATIENCE_MS = 5_000;

interface Held {
  job: HeldJob;
  /** When this process last said that it lives, or before it was given the job; -Infinity once another one has it. */
  heardAt: number;
}

export interface RunWorkerDependencies extends ExecutionDependencies {
  queue: RunQueue;
  claims: RunClaims;
  logger: Logger;
}

/** Takes runs from the queue and carries them out, many at once. */
export class RunWorker {
  private readonly slots = new Slots(SLOTS);
  private readonly held = new Map<string, Held>();
  private readonly underWay = new Set<Promise<void>>();
  private readonly giveUp = new AbortController();
  private readonly stopping = { requested: false, signal: this.giveUp.signal };
  private loop: Promise<void> | undefined;
  private heartbeat: NodeJS.Timeout | undefined;
  private unsubscribe: (() => void) | undefined;
  private wakeUp: (() => void) | undefined;
  private stopped: Promise<void> | undefined;
  /** The queue had nothing more for a plan that left these accounts out, and is not asked again until then. */
  private dry: { except: readonly string[]; until: number } | undefined;
  /** Claims of runs that another session holds, or that could not be claimed with others. */
  private readonly claims = new OneByOne();
  /** Runs that may be what their workers died of: one under way at a time, or the others would be lost with it. */
  private readonly suspects = new OneByOne();

  constructor(private readonly deps: RunWorkerDependencies) {}

  /** How many runs this process carries out now. */
  get size(): number {
    return this.slots.inUse;
  }

  start(): void {
    this.unsubscribe = this.deps.queue.onQueued(() => {
      this.dry = undefined;
      this.wakeUp?.();
    });
    this.heartbeat = setInterval(() => void this.keepAlive(), HEARTBEAT_MS);
    this.loop = this.run();
  }

  /**
   * Takes no more runs; those under way are handed back at their next step, or where they are after 15 s. What can't be
   * saved 5 s later goes to another worker as if this one had died. Again: waits for the same end.
   */
  stop(): Promise<void> {
    return (this.stopped ??= this.end());
  }

  private async end(): Promise<void> {
    this.stopping.requested = true;
    this.deps.space.close();
    this.unsubscribe?.();
    this.wakeUp?.();
    const done = (async () => {
      await this.loop;
      await Promise.all(this.underWay);
    })();
    if (!(await settlesWithin(done, PATIENCE_MS))) {
      this.giveUp.abort();
      await settlesWithin(done, LAST_PATIENCE_MS);
    }
    clearInterval(this.heartbeat);
  }

  private async run(): Promise<void> {
    while (!this.stopping.requested) {
      const plan = this.plan();
      if (plan.count === 0) await this.idle(POLL_MS);
      else if (this.isDry(plan)) await this.idle(Math.max(1, this.dry!.until - performance.now()));
      else await this.look(plan);
    }
  }

  /** The further runs of an account of which a step waits for space wait in the queue, for this worker or another. */
  private plan(): Plan {
    const { count, except } = this.slots.plan(BATCH);
    return { count, except: [...new Set([...except, ...this.deps.space.waiters])] };
  }

  /** True when the queue was empty a moment ago for the same accounts: the look that found it so skipped no other account. */
  private isDry({ except }: Plan): boolean {
    if (this.dry === undefined || performance.now() >= this.dry.until) return false;
    return this.dry.except.every((account) => except.includes(account));
  }

  private async look(plan: Plan): Promise<void> {
    // Before the queue is asked: who queues meanwhile makes it untrue.
    this.dry = { except: plan.except, until: performance.now() + POLL_MS };
    try {
      const taken = await this.take(plan);
      if (taken === plan.count) this.dry = undefined;
    } catch (error) {
      this.deps.logger.warn(errorFields(error), 'runs: the queue could not be read');
      await this.idle(TROUBLE_MS);
    }
  }

  private async take(plan: Plan): Promise<number> {
    const asked = performance.now();
    const jobs = await this.deps.queue.fetch(plan);
    const [again, fresh] = partition(jobs, ({ id }) => this.held.has(id));
    // The database did not hear from us for a while: they are still under way, and ours again.
    for (const { id, retryCount } of again) {
      const held = this.held.get(id)!;
      held.job.retryCount = retryCount;
      held.heardAt = asked;
    }
    for (const job of fresh) this.hold(job, asked);
    const [often, seldom] = partition(fresh, ({ retryCount }) => retryCount >= OFTEN);
    this.claimAlone(often);
    if (seldom.length > 0) await this.claimTogether(seldom);
    return jobs.length;
  }

  /** @throws what the database throws where it is away; otherwise the runs of a claim that fails are claimed alone. */
  private async claimTogether(jobs: readonly HeldJob[]): Promise<void> {
    try {
      void (await this.begin(jobs, {}));
    } catch (error) {
      if (isDatabaseAway(error) && !isRowBusy(error)) {
        // Given out again once their heartbeat fails.
        for (const job of jobs) this.letGo(job);
        throw error;
      }
      this.deps.logger.warn(errorFields(error), 'runs: some could not be claimed together');
      this.claimAlone(jobs);
    }
  }

  /** Claims one after the other, so that a run that can't be claimed keeps no other from it. */
  private claimAlone(jobs: readonly HeldJob[]): void {
    for (const job of jobs) {
      const begun = this.claims.add(job.groupId, () => this.beginOne(job, { busy: true }));
      void this.track(begun.then(all));
    }
  }

  /** Claims a run once the one before has ended: one under way would be lost with it. */
  private executeAlone(jobs: readonly HeldJob[]): void {
    for (const job of jobs) {
      const both = { busy: true, suspects: true };
      void this.track(this.suspects.add(job.groupId, async () => all(await this.beginOne(job, both))));
    }
  }

  /** As `begin`; left to others where a stop was asked for, and given out again later where it can't be claimed. */
  private async beginOne(job: HeldJob, options: ClaimOptions): Promise<Promise<void>[]> {
    if (this.stopping.requested) return [];
    try {
      return await this.begin([job], options);
    } catch (error) {
      this.letGo(job);
      this.deps.logger.warn(errorFields(error), 'runs: a run could not be claimed');
      return [];
    }
  }

  /** Claims runs and carries each of them out. @returns when they have begun. */
  private async begin(jobs: readonly HeldJob[], options: ClaimOptions): Promise<Promise<void>[]> {
    const { going, busy, suspects } = await this.claim(jobs, options);
    const kept = new Set([...going.map(({ job }) => job), ...busy, ...suspects]);
    for (const job of jobs) if (!kept.has(job)) this.letGo(job);
    this.claimAlone(busy);
    this.executeAlone(suspects);
    return going.map((run) =>
      this.track(
        executeRun(run, this.deps, this.stopping)
          .catch((error: unknown) => this.deps.logger.warn(errorFields(error), 'runs: a run was let go'))
          .finally(() => this.letGo(run.job)),
      ),
    );
  }

  /** Not the runs of jobs that another worker may have been given meanwhile: their claims would take them from it. */
  private async claim(jobs: readonly HeldJob[], options: ClaimOptions): Promise<Claimed> {
    const since = performance.now() - SURE_MS;
    const sure = jobs.filter(({ id }) => this.held.get(id)!.heardAt >= since);
    if (sure.length === 0) return { going: [], busy: [], suspects: [] };
    return this.deps.claims.claim(sure, options, this.deps);
  }

  private track(work: Promise<void>): Promise<void> {
    this.underWay.add(work);
    return work.finally(() => this.underWay.delete(work));
  }

  private hold(job: HeldJob, heardAt: number): void {
    this.held.set(job.id, { job, heardAt });
    this.slots.take(job.groupId);
  }

  private letGo(job: HeldJob): void {
    this.held.delete(job.id);
    this.slots.release(job.groupId);
    this.wakeUp?.();
  }

  private async keepAlive(): Promise<void> {
    const [now, held] = [performance.now(), [...this.held.values()]];
    await this.deps.queue.keepAlive(held.map(({ job }) => job)).then(
      (ours) => held.forEach((one) => (one.heardAt = ours.has(one.job.id) ? now : -Infinity)),
      (error: unknown) => this.deps.logger.warn(errorFields(error), 'runs: no sign of life could be given'),
    );
  }

  private async idle(milliseconds: number): Promise<void> {
    if (this.stopping.requested) return;
    const woken = new AbortController();
    this.wakeUp = () => woken.abort();
    await sleep(milliseconds, undefined, { signal: woken.signal }).catch(() => undefined);
    this.wakeUp = undefined;
  }
}

async function settlesWithin(work: Promise<void>, withinMs: number): Promise<boolean> {
  const late = new AbortController();
  const over = await Promise.race([
    work.then(() => true),
    sleep(withinMs, false, { signal: late.signal }).catch(() => false),
  ]);
  late.abort();
  return over;
}

async function all(works: readonly Promise<void>[]): Promise<void> {
  await Promise.all(works);
}
