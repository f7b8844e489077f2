import { setTimeout as sleep } from 'node:timers/promises';
import { Company, restAsLong } from '../../../platform/admission/company.js';
import { Lanes } from '../../../platform/admission/lanes.js';
import { OneByOne } from '../../../platform/admission/one-by-one.js';
import { workApart } from '../../../platform/admission/work.js';
import { LockKeepers } from '../../../platform/db/groups/lock-keepers.js';
import { isRowBusy } from '../../../platform/db/sql-state.js';
import { isDatabaseAway } from '../../../platform/errors.js';
import { HEARTBEAT_MS, type HeldJob } from '../../../platform/jobs/job-queue.js';
import { errorFields, type Logger } from '../../../platform/logging/logger.js';
import { partition } from '../../../platform/partition.js';
import { executeRun, type ExecutionDependencies } from './execute-run.js';
import { type Claimed, type ClaimOptions, type RunClaims } from './claim-runs.js';
import { settlesWithin } from './settles-within.js';
import { type Plan, Slots } from './slots.js';
import { HeldJobs } from '../queue/held-jobs.js';
import { Looks } from '../queue/looks.js';
import { type RunQueue } from '../queue/run-queue.js';
import { inRunSpan } from './run-trace.js';

/** Runs that a process executes at once. */
const SLOTS = 240;
const BATCH = 100;
/** The most runs of a claim while several accounts have runs: the few of one must not wait for the many of another. */
const SHARED_BATCH = 50;
/** While others have runs, an account with more runs than this begins `AT_ONCE` at a time, and rests in between. */
const FEW = 5;
const AT_ONCE = 10;
/** How long the rest waits for the end of runs that have begun, in milliseconds. Many only wait for another server. */
const BUSY_MS = 50;
/** How long a worker without a free slot waits, unless a run ends. */
const FULL_MS = 500;
const TROUBLE_MS = 1_000;
/** A run delivered again this often is claimed alone, because its claim may fail the others in a batch. */
const OFTEN = 2;
/** How long a stop waits for running steps before it aborts them, and then for their results to be saved. */
const PATIENCE_MS = 15_000;
const LAST_PATIENCE_MS = 5_000;

/** What a worker needs besides executing runs. */
export interface RunWorkerDependencies extends ExecutionDependencies {
  queue: RunQueue;
  claims: RunClaims;
  logger: Logger;
}

/** Takes runs from the queue and executes many at once. */
export class RunWorker {
  private readonly slots = new Slots(SLOTS);
  private readonly held: HeldJobs;
  private readonly company = new Company();
  /** Accounts whose next runs wait, so that the runs of others come in between. */
  private readonly resting = new Set<string>();
  /** Accounts whose claims met locked rows. */
  private readonly keepers = new LockKeepers(1);
  private readonly underWay = new Set<Promise<void>>();
  private readonly giveUp = new AbortController();
  private readonly stopping = { requested: false, signal: this.giveUp.signal };
  private loop: Promise<void> | undefined;
  private heartbeat: NodeJS.Timeout | undefined;
  private unsubscribe: (() => void) | undefined;
  private wakeUp: (() => void) | undefined;
  private stopped: Promise<void> | undefined;
  private readonly looks: Looks;
  /** Single claims of each account: of runs whose rows are locked, and of runs that could not be claimed in a batch. */
  private readonly claims = new Lanes(1);
  /** Runs that may have killed their workers. They are executed one at a time, so that no two are lost together. */
  private readonly suspects = new OneByOne();

  constructor(private readonly deps: RunWorkerDependencies) {
    this.looks = new Looks(deps.queue);
    this.held = new HeldJobs(deps.queue);
  }

  /** The number of runs that this process executes now. */
  get size(): number {
    return this.slots.inUse;
  }

  start(): void {
    this.unsubscribe = this.deps.queue.onQueued(() => {
      this.looks.noteQueued();
      this.wakeUp?.();
    });
    this.heartbeat = setInterval(() => void this.keepAlive(), HEARTBEAT_MS);
    this.loop = this.run();
  }

  /**
   * Takes no more runs, and hands running ones back before their next step, or wherever they are after 15 s. Runs that
   * can't be saved within another 5 s go to another worker, as after a crash. Further calls return the same promise.
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
      const wait = plan.count === 0 ? FULL_MS : this.looks.waitFor(plan);
      if (wait > 0) await this.idle(Math.max(1, wait));
      else await this.take(plan).catch((error: unknown) => this.pauseAfter(error));
    }
  }

  /**
   * Leaves out accounts that rest or have a step waiting for memory: their runs stay in the queue for this or another
   * worker.
   */
  private plan(): Plan {
    const { count, except } = this.slots.plan(this.company.isMixed ? SHARED_BATCH : BATCH);
    return { count, except: [...new Set([...except, ...this.resting, ...this.deps.space.waiters])] };
  }

  private async pauseAfter(error: unknown): Promise<void> {
    this.deps.logger.warn(errorFields(error), 'runs: the queue could not be read');
    await this.idle(TROUBLE_MS);
  }

  private async take(plan: Plan): Promise<void> {
    const asked = performance.now();
    const jobs = await this.looks.take(plan);
    const fresh = this.held.add(jobs, asked);
    for (const { groupId } of fresh) {
      this.company.note(groupId);
      this.slots.take(groupId);
    }
    const [often, seldom] = partition(fresh, ({ retryCount }) => retryCount >= OFTEN);
    this.claimAlone(often);
    await this.claimByAccount(seldom);
  }

  /** Claims the runs of an account with many or with locked rows beside the others, which must not wait for them. */
  private async claimByAccount(jobs: readonly HeldJob[]): Promise<void> {
    const most = this.company.isMixed ? FEW : BATCH;
    const few: HeldJob[] = [];
    for (const [account, own] of Map.groupBy(jobs, ({ groupId }) => groupId)) {
      if (own.length <= most && !this.keepers.has(account)) few.push(...own);
      else void this.track(this.claimApart(account, own));
    }
    if (few.length > 0) void (await this.claimTogether(few));
  }

  /** Executes runs of an account a few at a time. The next ones wait for as long as these took. */
  private async claimApart(account: string, jobs: readonly HeldJob[]): Promise<void> {
    this.resting.add(account);
    for (let left = jobs; left.length > 0;) {
      const began = performance.now();
      // A stopping worker hands all of them back.
      const next = left.slice(0, this.stopping.requested ? left.length : AT_ONCE);
      left = left.slice(next.length);
      const runs = this.claimTogether(next).then(all, (error: unknown) =>
        this.deps.logger.warn(errorFields(error), 'runs: a batch could not be claimed'),
      );
      await settlesWithin(runs, BUSY_MS);
      if (!this.stopping.requested) await restAsLong(began);
    }
    this.resting.delete(account);
    this.wakeUp?.();
  }

  /**
   * If the claim fails, claims the runs of each account apart, and those of a single account alone. @returns one promise per
   * run. @throws the error of an unavailable database.
   */
  private async claimTogether(jobs: readonly HeldJob[]): Promise<Promise<void>[]> {
    try {
      return await this.begin(jobs, {});
    } catch (error) {
      if (isDatabaseAway(error) && !isRowBusy(error)) {
        // The queue delivers them again when their heartbeats stop.
        for (const job of jobs) this.letGo(job);
        throw error;
      }
      this.deps.logger.warn(errorFields(error), 'runs: a batch could not be claimed');
      const accounts = [...Map.groupBy(jobs, ({ groupId }) => groupId)];
      if (accounts.length > 1) for (const [account, own] of accounts) void this.track(this.claimApart(account, own));
      else {
        if (isRowBusy(error)) this.keepers.note(jobs[0]!.groupId);
        this.claimAlone(jobs);
      }
      return [];
    }
  }

  /** Claims each run separately, so that one that can't be claimed doesn't block the others. */
  private claimAlone(jobs: readonly HeldJob[]): void {
    for (const job of jobs) {
      const begun = this.claims.run(job.groupId, () => this.beginOne(job, { busy: true }));
      void this.track(begun.then(all));
    }
  }

  /** Claims a run after the previous one has ended: if both ran, one could take the other down. */
  private executeAlone(jobs: readonly HeldJob[]): void {
    for (const job of jobs) {
      const both = { busy: true, suspects: true };
      void this.track(this.suspects.add(job.groupId, async () => all(await this.beginOne(job, both))));
    }
  }

  /** Like `begin`, for one job. Returns early during a stop. After a failed claim the queue delivers the job again. */
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

  /** Claims runs and starts executing each. @returns one promise per run. */
  private async begin(jobs: readonly HeldJob[], options: ClaimOptions): Promise<Promise<void>[]> {
    const { going, busy, suspects } = await this.claim(jobs, options);
    const kept = new Set([...going.map(({ job }) => job), ...busy, ...suspects]);
    for (const job of jobs) if (!kept.has(job)) this.letGo(job);
    this.claimAlone(busy);
    this.executeAlone(suspects);
    return going.map((run) =>
      this.track(
        inRunSpan(this.deps.tracing, run, () => executeRun(run, this.deps, this.stopping))
          .catch((error: unknown) =>
            this.deps.logger.warn(errorFields(error), 'runs: a run was abandoned to another worker'),
          )
          .finally(() => this.letGo(run.job)),
      ),
    );
  }

  /** Skips jobs that another worker, or a later delivery, may have by now: a claim would take their runs away from it. */
  private async claim(jobs: readonly HeldJob[], options: ClaimOptions): Promise<Claimed> {
    const sure = this.held.sure(jobs);
    if (sure.length === 0) return { going: [], busy: [], suspects: [] };
    const claim = () => this.deps.claims.claim(sure, options, this.deps);
    return options.busy === true ? workApart(sure[0]!.groupId, claim) : claim();
  }

  private track(work: Promise<void>): Promise<void> {
    this.underWay.add(work);
    return work.finally(() => this.underWay.delete(work));
  }

  private letGo(job: HeldJob): void {
    this.held.letGo(job);
    this.slots.release(job.groupId);
    this.wakeUp?.();
  }

  private async keepAlive(): Promise<void> {
    await this.held
      .keepAlive()
      .catch((error: unknown) => this.deps.logger.warn(errorFields(error), 'runs: the heartbeat failed'));
  }

  private async idle(milliseconds: number): Promise<void> {
    if (this.stopping.requested) return;
    const woken = new AbortController();
    this.wakeUp = () => woken.abort();
    await sleep(milliseconds, undefined, { signal: woken.signal }).catch(() => undefined);
    this.wakeUp = undefined;
  }
}

async function all(works: readonly Promise<void>[]): Promise<void> {
  await Promise.all(works);
}
