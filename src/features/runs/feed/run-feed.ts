import { setTimeout as sleep } from 'node:timers/promises';
import { type Clock } from '../../../platform/clock.js';
import { type Database } from '../../../platform/db/database.js';
import { type Notifications } from '../../../platform/notifications/notifications.js';
import { errorFields, type Logger } from '../../../platform/logging/logger.js';
import { HandingOut } from '../queue/handing-out.js';
import { changeOf, changesOf, type RunHistory, type RunStatusChange } from './run-change.js';
import { type RunQueue } from '../queue/run-queue.js';
import { runsChanged } from './run.events.js';
import { SeenVersions } from './seen-versions.js';
import { lowestUuidAt } from '../../../platform/ids/uuid-range.js';

/** What a listener follows: one run, or all of a workflow or an account. */
export type FeedScope = 'run' | 'workflow' | 'account';

/** Who follows runs. */
export interface RunListener {
  tell: (change: RunStatusChange) => void;
  /** It can't be told of all: too much waits for the listeners of its account. */
  lose: () => void;
}

interface Listener extends RunListener {
  /** Milliseconds since 1970: what happened before is not for it. */
  since: number;
  /** Nor is what was heard before it came; counts what is heard. */
  joined: number;
}

/** Listeners by the uuid of what they follow. */
type Followers = Map<string, Set<Listener>>;

/** Runs of one scope that a look reads: the newest. */
const LOOK_AT = 10_000;
/** A lost connection is noticed within 7 s; what happened in the time before the first look may not have been heard. */
const BLIND_MS = 30_000;
/** A look that failed is made again. */
const RETRY_MS = 1_000;
/** Looks that lie further apart belong to different losses. */
const ANOTHER_LOSS_MS = 10_000;
/** How often new runs are looked for, and how far back: runs of slower transactions are told with their next change. */
const NEWS_MS = 200;
const NEWS_BACK_MS = 2_000;

const HISTORY = `r.id AS uuid, r.account_id AS "accountId", r.workflow_id AS "workflowUuid", r.status, r.version,
  r.started_at AS "startedAt", r.finished_at AS "finishedAt"`;

const MADE_SINCE = (column: string): string => `SELECT * FROM (
  SELECT ${HISTORY} FROM runs r WHERE r.${column} = $1 AND r.id >= $2 ORDER BY r.id DESC LIMIT ${LOOK_AT}) newest
  ORDER BY uuid`;
const CHANGED_SINCE = (column: string): string => `SELECT * FROM (
  SELECT ${HISTORY} FROM runs r WHERE r.${column} = $1 ORDER BY r.id DESC LIMIT ${LOOK_AT}) newest
  WHERE coalesce("finishedAt", "startedAt") >= $2 OR uuid >= $3 ORDER BY uuid`;

/**
 * Hands the changes of runs to their listeners in this process, of each run in order and each once. Workers tell of them
 * by NOTIFY; while that can't be heard the tables are read. That a run was made is told by nobody, since a NOTIFY would
 * slow every hook: it is read when something was queued, and comes before the run's next change at the latest.
 */
export class RunFeed {
  private readonly followers: Record<FeedScope, Followers> = {
    run: new Map(),
    workflow: new Map(),
    account: new Map(),
  };
  private readonly seen = new SeenVersions();
  private readonly handingOut = new HandingOut();
  private moment = 0;
  private readonly unsubscribe: () => void;
  private news: NodeJS.Timeout | undefined;
  private looking = false;
  private lookAgain = false;
  private stopped = false;
  /** Heard during a look: it waits, since what was missed comes before it. */
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
    notifications.on(runsChanged, (changes) => {
      this.heard.push(...changes.map(changeOf));
      if (!this.looking || this.heard.length > LOOK_AT) this.handOut();
    });
    notifications.onResync(() => void this.look());
    this.unsubscribe = queue.onQueued(() => this.expectNews());
  }

  /** Tells of each change from now on. @returns the function that detaches. */
  listen(scope: FeedScope, uuid: string, { tell, lose }: RunListener): () => void {
    const followers = this.followers[scope];
    const listeners = followers.get(uuid) ?? new Set();
    const listener = { tell, lose, since: this.clock.now().getTime(), joined: this.moment };
    followers.set(uuid, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && followers.get(uuid) === listeners) followers.delete(uuid);
    };
  }

  /** How many listen in this process. */
  get listeners(): number {
    const sets = Object.values(this.followers).flatMap((followers) => [...followers.values()]);
    return sets.reduce((sum, { size }) => sum + size, 0);
  }

  stop(): void {
    this.stopped = true;
    this.unsubscribe();
    clearTimeout(this.news);
    this.handingOut.stop();
    Object.values(this.followers).forEach((followers) => followers.clear());
  }

  private handOut(): void {
    for (const change of this.heard.splice(0)) this.hear(change, true);
  }

  /** A change that was told just now, or that a row shows to have been. */
  private hear(change: RunStatusChange, isNew: boolean): void {
    const moment = (this.moment += 1);
    this.handingOut.add(change.accountId, {
      steps: () => this.steps(change, isNew, moment),
      lose: () => {
        for (const listener of this.listenersOf(change)) listener.lose();
      },
    });
  }

  /**
   * Tells a listener with each step. To who follows more than this run a change comes after the one before it, and once.
   */
  private *steps(change: RunStatusChange, isNew: boolean, moment: number): Iterable<void> {
    for (const listener of this.followers.run.get(change.runUuid) ?? []) {
      if (listener.joined < moment) yield this.tell(listener, change);
    }
    const { workflow, account } = this.followers;
    const wide = [workflow.get(change.workflowUuid), account.get(change.accountId)].filter((set) => set !== undefined);
    if (wide.length === 0) return;
    for (const each of this.seen.upTo(change)) {
      const isFor = ({ joined, since }: Listener): boolean =>
        joined < moment && ((isNew && each === change) || each.at.getTime() >= since);
      for (const listeners of wide) {
        for (const listener of listeners) if (isFor(listener)) yield this.tell(listener, each);
      }
    }
  }

  private listenersOf({ runUuid, workflowUuid, accountId }: RunStatusChange): Listener[] {
    const { run, workflow, account } = this.followers;
    return [run.get(runUuid), workflow.get(workflowUuid), account.get(accountId)].flatMap((set) => [...(set ?? [])]);
  }

  private tell(listener: Listener, change: RunStatusChange): void {
    try {
      listener.tell(change);
    } catch (error) {
      this.logger.error(errorFields(error), 'a listener failed; the others heard the change');
    }
  }

  private expectNews(): void {
    if (this.followers.workflow.size === 0 && this.followers.account.size === 0) return;
    this.news ??= setTimeout(() => {
      this.news = undefined;
      const since = lowestUuidAt(this.clock.now().getTime() - NEWS_BACK_MS);
      // Lost with the database away: told with the next change.
      void this.readWide(MADE_SINCE, since).catch(() => undefined);
    }, NEWS_MS).unref();
  }

  /** Reads what nobody may have told; once more where that is asked for meanwhile, as parts may have been read before. */
  private async look(): Promise<void> {
    this.lookAgain = true;
    if (this.looking) return;
    this.looking = true;
    while (this.lookAgain && !this.stopped) {
      this.lookAgain = false;
      await this.readMissed().catch(async (error: unknown) => {
        this.logger.warn(errorFields(error), 'changes of runs could not be looked for, trying again');
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
    await this.readRuns();
    await this.readWide(CHANGED_SINCE, new Date(since), lowestUuidAt(since));
    this.blindSince = now - NEWS_BACK_MS;
  }

  /** Every run that somebody follows by itself. */
  private async readRuns(): Promise<void> {
    const uuids = [...this.followers.run.keys()];
    for (let from = 0; from < uuids.length; from += LOOK_AT) {
      await this.read(`SELECT ${HISTORY} FROM runs r WHERE r.id = ANY($1)`, [uuids.slice(from, from + LOOK_AT)]);
    }
  }

  /** Runs of every workflow and account that somebody follows. */
  private async readWide(statement: (column: string) => string, ...since: unknown[]): Promise<void> {
    for (const scope of ['workflow', 'account'] as const) {
      for (const uuid of [...this.followers[scope].keys()]) await this.read(statement(`${scope}_id`), [uuid, ...since]);
    }
  }

  private async read(text: string, values: readonly unknown[]): Promise<void> {
    const rows = await this.db.query<RunHistory & Record<string, unknown>>(text, values);
    for (const row of rows) for (const change of changesOf(row)) this.hear(change, false);
  }
}
