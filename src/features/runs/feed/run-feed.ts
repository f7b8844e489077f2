import { setTimeout as sleep } from 'node:timers/promises';
import { type Clock } from '../../../platform/clock.js';
import { type Database } from '../../../platform/db/database.js';
import { type Notifications } from '../../../platform/notifications/notifications.js';
import { errorFields, type Logger } from '../../../platform/logging/logger.js';
import { HandingOut } from '../queue/handing-out.js';
import { changeOf, changesOf, inOrder, RUN_HISTORY, type RunHistory, type RunStatusChange } from './run-change.js';
import { isStored, readLateChangesOf, type WantedChanges } from './late-changes.js';
import { missedChanges } from './missed-changes.js';
import { type RunQueue } from '../queue/run-queue.js';
import { runsChanged } from '../queue/runs-changed.js';
import { RunGaps } from './run-gaps.js';
import { readNewRuns } from './new-runs.js';
import { type FeedScope, type Follower, RunFollowers, type RunListener } from './run-followers.js';
import { type FoundVersion, LOOK_AT, RunVersions, WIDE_BACK_MS } from './run-versions.js';
import { SeenVersions } from './seen-versions.js';

/** The maximum number of changes that wait during a read. */
const WAITING = 10_000;
/** How far back the first read after a lost connection goes, which is noticed within 7 s. */
const BLIND_MS = 10_000;
/** Wait before a failed read is repeated. */
const RETRY_MS = 1_000;
/** Reads further apart than this belong to different lost connections. */
const ANOTHER_LOSS_MS = 10_000;
/**
 * Wait before new runs are read, and how far back. Runs of slower transactions are delivered with their next change.
 */
const NEWS_MS = 200;
const NEWS_BACK_MS = 2_000;

const RUNS = `SELECT ${RUN_HISTORY} FROM runs r WHERE r.id = ANY($1)`;
/** How often the feed looks for changes whose hint was lost, in milliseconds. */
const SECOND_LOOK_MS = 1_000;

/**
 * Delivers the changes of runs to the listeners of this process: once each, and in order per run. Workers hint at
 * changes by NOTIFY after their commits; each second, and after a lost connection, the feed reads the tables. The creation of a run is not published, because
 * a NOTIFY would slow every hook: the feed reads new runs when runs are queued, and delivers the creation before the
 * run's next change at the latest.
 */
export class RunFeed {
  private readonly followers = new RunFollowers();
  private readonly versions: RunVersions;
  private readonly seen = new SeenVersions();
  private readonly handingOut = new HandingOut();
  private readonly gaps = new RunGaps((runs) => this.fill(runs));
  private readonly secondLook: NodeJS.Timeout;
  private comparing = false;
  private moment = 0;
  private readonly unsubscribe: () => void;
  private news: NodeJS.Timeout | undefined;
  private readingNews = false;
  /** When runs were queued that no read of new runs covers; undefined if there are none. */
  private newsAt: number | undefined;
  private looking = false;
  private lookAgain = false;
  private stopped = false;
  /** Changes received during a read. They wait, because the missed changes come first. */
  private heard: RunStatusChange[] = [];
  private lastLook = -Infinity;
  private blindSince = 0;

  constructor(
    private readonly db: Pick<Database, 'query'>,
    private readonly clock: Clock,
    notifications: Pick<Notifications, 'on' | 'onResync'>,
    queue: Pick<RunQueue, 'onQueued'>,
    private readonly logger: Logger,
  ) {
    this.versions = new RunVersions(db);
    notifications.on(runsChanged, (changes) => {
      this.heard.push(...changes.map(changeOf));
      if (!this.looking) this.handOut();
      else if (this.heard.length > WAITING) this.readInstead();
    });
    notifications.onResync(() => void this.look());
    this.secondLook = setInterval(() => void this.compare(), SECOND_LOOK_MS);
    this.secondLook.unref();
    this.unsubscribe = queue.onQueued(() => this.expectNews());
  }

  /**
   * Delivers each change that is committed from now on, unless it happened before `since` (milliseconds since 1970).
   * @returns the function that detaches the listener.
   */
  listen(scope: FeedScope, uuid: string, listener: RunListener, since = this.clock.now().getTime()): () => void {
    return this.followers.add(scope, uuid, { ...listener, since, joined: this.moment });
  }

  /** The number of listeners in this process. */
  get listeners(): number {
    return this.followers.count;
  }

  stop(): void {
    this.stopped = true;
    this.unsubscribe();
    clearTimeout(this.news);
    clearInterval(this.secondLook);
    this.handingOut.stop();
    this.followers.clear();
  }

  private readInstead(): void {
    this.heard = [];
    this.lookAgain = true;
  }

  private handOut(): void {
    for (const change of this.heard.splice(0)) {
      if (this.followers.isFollowed(change) && this.gaps.isNext(change)) this.hear(change, true);
    }
  }

  /** Queues a change for delivery. `isNew`: received by NOTIFY; otherwise derived from a row. */
  private hear(change: RunStatusChange, isNew: boolean): void {
    const moment = (this.moment += 1);
    this.gaps.note(change);
    this.handingOut.add(change.accountId, {
      steps: () => this.steps(change, isNew, moment),
      lose: () => {
        for (const listener of this.followers.all(change)) listener.lose();
      },
    });
  }

  /** Notifies one listener per step. Listeners of a workflow or account get each change once, and in order per run. */
  private *steps(change: RunStatusChange, isNew: boolean, moment: number): Iterable<void> {
    for (const listener of this.followers.of.run.get(change.runUuid) ?? []) {
      if (listener.joined < moment) yield this.tell(listener, change);
    }
    const wide = this.followers.wide(change);
    if (wide.length === 0) return;
    for (const each of this.seen.upTo(change)) {
      const isFor = ({ joined, since }: Follower): boolean =>
        joined < moment && ((isNew && each === change) || each.at.getTime() >= since);
      for (const listeners of wide) {
        for (const listener of listeners) if (isFor(listener)) yield this.tell(listener, each);
      }
    }
  }

  private tell(listener: Follower, change: RunStatusChange): void {
    try {
      listener.tell(change);
    } catch (error) {
      this.logger.error(errorFields(error), 'a listener failed; the others got the change');
    }
  }

  /** Reads new runs soon, in one read at a time: a slow database must not have ever more of them. */
  private expectNews(): void {
    if (this.followers.of.workflow.size === 0 && this.followers.of.account.size === 0) return;
    this.newsAt ??= this.clock.now().getTime();
    if (this.readingNews) return;
    this.news ??= setTimeout(() => {
      this.news = undefined;
      void this.readNews();
    }, NEWS_MS).unref();
  }

  /**
   * Reads changes that may have been missed. A call during a read starts another one, as this one may have read too
   * early.
   */
  private async look(): Promise<void> {
    this.lookAgain = true;
    if (this.looking) return;
    this.looking = true;
    while (this.lookAgain && !this.stopped) {
      this.lookAgain = false;
      await this.readMissed().catch(async (error: unknown) => {
        this.logger.warn(errorFields(error), 'changes of runs could not be read, trying again');
        this.lookAgain = true;
        await sleep(RETRY_MS, undefined, { ref: false });
      });
    }
    this.looking = false;
    this.handOut();
  }

  private async readMissed(): Promise<void> {
    const started = performance.now();
    if (started - this.lastLook > ANOTHER_LOSS_MS) this.blindSince = this.clock.now().getTime() - BLIND_MS;
    this.lastLook = started;
    const since = this.blindSince;
    const now = this.clock.now().getTime();
    // Before single runs: a listener of an account gets the changes of all runs in order.
    for (const accountId of [...this.followers.of.account.keys()]) {
      await this.readWide({ accountId, workflowUuid: null }, since);
    }
    for (const workflowUuid of [...this.followers.of.workflow.keys()]) {
      await this.readWide({ accountId: null, workflowUuid }, since);
    }
    for (const change of await this.changesOfRuns([...this.followers.of.run.keys()], since)) this.hear(change, false);
    this.blindSince = now;
  }

  /** Looks for runs whose hint was lost. A failure is repaired by the next look. */
  private async compare(): Promise<void> {
    if (this.comparing) return;
    this.comparing = true;
    const { followers, versions, gaps } = this;
    const compare = (found: FoundVersion[]): void => gaps.compare(found.filter((run) => followers.isFollowed(run)));
    try {
      compare(await versions.ofRuns(followers.nextRuns(LOOK_AT)));
      const accounts = followers.wideAccounts();
      if (accounts.size > 0) {
        // The times of changes are those of the database.
        const [clock] = await this.db.query<{ now: Date }>('SELECT clock_now() AS now');
        for await (const found of versions.ofAccounts(accounts, clock!.now.getTime())) compare(found);
      }
    } catch {
      // The next look continues there.
    }
    this.comparing = false;
  }

  /** Delivers the changes of these runs that were not heard; the versions are of those that hints told of. */
  private async fill(runs: ReadonlyMap<string, ReadonlySet<number>>): Promise<void> {
    try {
      const changes = await this.changesOfRuns([...runs.keys()], this.clock.now().getTime() - WIDE_BACK_MS);
      for (const change of changes) {
        if (!this.gaps.isHeard(change)) this.hear(change, runs.get(change.runUuid)!.has(change.version));
      }
    } catch {
      void this.look();
    }
  }

  /** Reads what the listeners of an account or a workflow may have missed. */
  private async readWide(wanted: WantedChanges, at: number): Promise<void> {
    for await (const changes of missedChanges(this.db, wanted, { at, horizon: 0n })) {
      for (const { change } of changes) this.hear(change, false);
    }
  }

  /** The changes of single runs, in order. Stored ones are younger than `since`. */
  private async changesOfRuns(uuids: readonly string[], since: number): Promise<RunStatusChange[]> {
    const changes: RunStatusChange[] = [];
    for (let from = 0; from < uuids.length; from += LOOK_AT) {
      const some = uuids.slice(from, from + LOOK_AT);
      const runs = await this.db.query<RunHistory & Record<string, unknown>>(RUNS, [some]);
      const isElsewhere = (change: RunStatusChange): boolean => isStored(change) && change.at.getTime() >= since;
      const late = runs.filter((run) => run.waitChangedAt !== null || changesOf(run).some(isElsewhere));
      const stored = await readLateChangesOf(this.db, late, new Date(since));
      const told = runs.flatMap(changesOf).filter((change) => !isElsewhere(change));
      changes.push(...told, ...stored.map(({ change }) => change));
    }
    return changes.sort(inOrder);
  }

  /** Reads the creations of runs. Other changes of theirs come by NOTIFY, in the order of their commits. */
  private async readNews(): Promise<void> {
    const { account, workflow } = this.followers.of;
    const since = this.newsAt! - NEWS_BACK_MS;
    this.newsAt = undefined;
    this.readingNews = true;
    // If the database is unavailable, new runs are delivered with their next change.
    const runs = await readNewRuns(this.db, [...account.keys()], [...workflow.keys()], since).catch(() => []);
    for (const run of runs) this.hear(changesOf(run)[0]!, false);
    this.readingNews = false;
    if ((this.newsAt as number | undefined) !== undefined && !this.stopped) this.expectNews();
  }
}
