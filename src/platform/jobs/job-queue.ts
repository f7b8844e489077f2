import { PgBoss } from 'pg-boss';
import { PoolClient } from '../db/connections/pool-client.js';
import { cancellingClient } from '../db/connections/cancelling-client.js';
import { type Queryable, type Transaction } from '../db/database.js';
import { lockSql } from '../db/advisory-locks.js';
import { errorFields, type Logger } from '../logging/logger.js';
import { partition } from '../partition.js';
import { buildGroupIndex, takeAround } from './take-around.js';

/** A queue that a feature declares. */
export interface Queue {
  readonly name: string;
}

/** A job that a worker holds until it settles the job or dies. */
export interface HeldJob {
  id: string;
  /**
   * Identifies this delivery, and counts the workers that died with earlier ones: settling an earlier delivery has no
   * effect.
   */
  retryCount: number;
  groupId: string;
}

/** A job to be queued. */
export interface NewJob {
  /** The uuid of the subject. A job that is queued again while it exists remains one job. */
  id: string;
  /** The group of the job: workers may exclude groups. */
  group: string;
  /** Jobs of a higher priority are delivered first; those of one priority in the order of queueing. */
  priority: number;
}

/** The ids of jobs whose heartbeat was sent. */
export interface Heard {
  /** They still belong to this worker. */
  ours: ReadonlySet<string>;
  /** A transaction has locked them, most often to settle them: they got no heartbeat this time. */
  locked: ReadonlySet<string>;
}

/** Which jobs a worker takes at a time. */
export interface FetchLimits {
  count: number;
  /** The excluded groups. However many jobs they have, the fetch does not read them. */
  except?: readonly string[];
}

/** Runs statements of pg-boss on the connection of an open transaction. */
interface Executor {
  executeSql(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>;
}

const SCHEMA = 'pgboss';
const GROUP_INDEX = 'job_by_group';
/**
 * A worker without a heartbeat for this long counts as dead; together with the watch below a job is delivered again
 * within 15 s.
 */
const HEARTBEAT_SECONDS = 10;
const WATCH_SECONDS = 1;
/** Longer than any run holds a worker; a longer wait is a row of a table. */
const EXPIRE_SECONDS = 6 * 3_600;
/** pg-boss deletes jobs that wait this long; no run may be lost that way. */
const RETENTION_SECONDS = 3_650 * 86_400;
/** A job is delivered until it is settled; its feature decides when too many workers have died with it. */
const OPTIONS = {
  expireInSeconds: EXPIRE_SECONDS,
  retentionSeconds: RETENTION_SECONDS,
  retryLimit: 1_000_000,
  heartbeatSeconds: HEARTBEAT_SECONDS,
};

const HELD = `SELECT j.id FROM unnest($2::uuid[], $3::integer[]) held (id, retry_count) JOIN ${SCHEMA}.job j USING (id, retry_count)
  WHERE j.name = $1 AND j.id = ANY ($2::uuid[]) AND j.state = 'active'`;
/** Unlike the heartbeat of pg-boss it skips locked rows. */
const TOUCH = `
  WITH held AS (${HELD}),
  free AS MATERIALIZED (${HELD} FOR NO KEY UPDATE OF j SKIP LOCKED),
  touched AS (
    UPDATE ${SCHEMA}.job SET heartbeat_on = ${SCHEMA}.job_now()
    WHERE name = $1 AND id = ANY (ARRAY(SELECT id FROM free)) RETURNING id)
  SELECT id, id IN (SELECT id FROM touched) AS "isOurs" FROM held`;

/** The limit of a statement of pg-boss, in milliseconds. Its maintenance takes longer than a statement of a request. */
const STATEMENT_MS = 10_000;
const LOCK_MS = 5_000;

/** The interval of heartbeats, in milliseconds. */
export const HEARTBEAT_MS = 3_000;

/**
 * Jobs that are due now, stored by pg-boss in the service's database, so that the transaction that needs them queues
 * them. Later work is stored in tables of its feature, under the one clock.
 */
export class JobQueues {
  private readonly boss: PgBoss;

  constructor(
    databaseUrl: string,
    private readonly queues: readonly Queue[],
    private readonly logger: Logger,
    { isWorker, isPooled = false }: { isWorker: boolean; isPooled?: boolean },
  ) {
    this.boss = new PgBoss({
      connectionString: databaseUrl,
      schema: SCHEMA,
      max: isWorker ? 4 : 1,
      application_name: 'workflow-gateway jobs',
      connectionTimeoutMillis: 3_000,
      ...limits(isPooled),
      schedule: false,
      supervise: isWorker,
      superviseIntervalSeconds: WATCH_SECONDS,
      monitorIntervalSeconds: WATCH_SECONDS,
      maintenanceIntervalSeconds: 60,
    });
    this.boss.on('error', (error: unknown) => this.logger.warn(errorFields(error), 'jobs: queue error'));
    this.boss.on('warning', ({ message }: { message: string }) => this.logger.warn({ message }, 'jobs: warning'));
  }

  /** Creates missing tables and queues. Several processes may do so at once. */
  async start(): Promise<void> {
    await this.boss.start();
    const present = new Set((await this.boss.getQueues()).map(({ name }) => name));
    for (const { name } of this.queues) {
      if (present.has(name)) await this.boss.updateQueue(name, OPTIONS);
      else await this.boss.createQueue(name, { ...OPTIONS, partition: true });
    }
    // Without the index a look around groups only takes longer.
    await this.index().catch((error: unknown) =>
      this.logger.warn(errorFields(error), 'jobs: an index could not be built, the next start tries again'),
    );
  }

  /** Looks before it builds: building locks the table, even if the index exists. */
  private async index(): Promise<void> {
    const [db, found] = [this.boss.getDb(), `SELECT 1 WHERE to_regclass('${SCHEMA}.${GROUP_INDEX}') IS NOT NULL`];
    if ((await db.executeSql(found)).rows.length > 0) return;
    // One transaction, so that of processes that start together one builds.
    await db.executeSql(`SELECT ${lockSql('jobIndex')}; ${buildGroupIndex(GROUP_INDEX, SCHEMA)}`);
  }

  async stop(): Promise<void> {
    await this.boss.stop({ graceful: false, close: true });
  }

  /** Queues jobs in the transaction: they exist exactly when it commits. */
  async add(tx: Transaction, { name }: Queue, jobs: readonly NewJob[]): Promise<void> {
    const inserts = jobs.map(({ id, group, priority }) => ({ id, group: { id: group }, priority }));
    if (inserts.length > 0) await this.boss.insert(name, inserts, { db: executorOf(tx) });
  }

  /** Takes jobs; they belong to this worker as long as it sends heartbeats. */
  async fetch({ name }: Queue, { count, except = [] }: FetchLimits): Promise<HeldJob[]> {
    if (except.length > 0) return this.fetchAround(name, count, except);
    const jobs = await this.boss.fetch(name, { batchSize: count });
    return jobs as ((typeof jobs)[number] & { groupId: string })[];
  }

  private async fetchAround(name: string, count: number, except: readonly string[]): Promise<HeldJob[]> {
    const { front, ofGroups } = takeAround(name, SCHEMA);
    const take = async (statement: string, most: number) =>
      (await this.boss.getDb().executeSql(statement, [except, most])).rows as HeldJob[];
    const first = await take(front, count);
    return first.length === count ? first : [...first, ...(await take(ofGroups, count - first.length))];
  }

  /** Sends the heartbeat of jobs. It waits for no locked row: the jobs of all accounts share one statement. */
  async keepAlive({ name }: Queue, jobs: readonly HeldJob[]): Promise<Heard> {
    if (jobs.length === 0) return { ours: new Set(), locked: new Set() };
    const deliveries = [jobs.map(({ id }) => id), jobs.map(({ retryCount }) => retryCount)];
    const { rows } = await this.boss.getDb().executeSql(TOUCH, [name, ...deliveries]);
    const [ours, locked] = partition(rows as { id: string; isOurs: boolean }[], ({ isOurs }) => isOurs);
    return { ours: new Set(ours.map(({ id }) => id)), locked: new Set(locked.map(({ id }) => id)) };
  }

  /** Settles jobs in the transaction; jobs that another worker has received in between are not touched. */
  async done(tx: Transaction, { name }: Queue, jobs: readonly HeldJob[]): Promise<void> {
    if (jobs.length > 0) await this.boss.deleteJob(name, jobs.map(deliveryOf), { db: executorOf(tx) });
  }

  /** Whether no job is waiting. */
  async isEmpty(on: Queryable, { name }: Queue): Promise<boolean> {
    const waiting = `SELECT 1 FROM ${SCHEMA}.job WHERE name = $1 AND state < 'active' AND NOT blocked LIMIT 1`;
    return (await on.query(waiting, [name])).length === 0;
  }

  /** The age of the job that has waited longest, in seconds, and the number of jobs that pg-boss has given up. */
  async backlog(on: Queryable, { name }: Queue): Promise<{ oldest: number; failed: number }> {
    const [row] = await on.query<{ oldest: number; failed: number }>(
      `SELECT coalesce(extract(epoch FROM now() - min(start_after) FILTER (WHERE state < 'active')), 0)::integer AS oldest,
         (count(*) FILTER (WHERE state = 'failed'))::integer AS failed FROM ${SCHEMA}.job WHERE name = $1`,
      [name],
    );
    return row!;
  }

  /** The numbers of waiting and of held jobs, counted now. */
  async depth(on: Queryable, { name }: Queue): Promise<{ waiting: number; held: number }> {
    const [row] = await on.query<{ waiting: number; held: number }>(
      `SELECT count(*) FILTER (WHERE state < 'active') AS waiting, count(*) FILTER (WHERE state = 'active') AS held
       FROM ${SCHEMA}.job WHERE name = $1 AND state <= 'active'`,
      [name],
    );
    return row!;
  }
}

/**
 * The settings of pg-boss's connections, which a pooler refuses. A queue is empty most of the time, so the statistics of its
 * table say that few jobs wait: a bitmap scan, which reads all of them and sorts, would seem as cheap as the first ones of an
 * index.
 */
const SETTINGS = { statement_timeout: STATEMENT_MS, lock_timeout: LOCK_MS, enable_bitmapscan: 'off' };

/**
 * The limits of the connections of pg-boss: the server's, or the client's behind a pooler. The last one also ends what
 * waits for a network that is gone.
 */
function limits(isPooled: boolean): object {
  const options = Object.entries(SETTINGS).map(([name, value]) => `-c ${name}=${value}`);
  return {
    ...(isPooled ? { Client: cancellingClient(STATEMENT_MS) } : { Client: PoolClient, options: options.join(' ') }),
    query_timeout: STATEMENT_MS + 500,
    keepAlive: true,
  };
}

function deliveryOf({ id, retryCount }: HeldJob): { id: string; retryCount: number } {
  return { id, retryCount };
}

function executorOf(tx: Transaction): Executor {
  return { executeSql: async (text, values = []) => ({ rows: await tx.query(text, values) }) };
}
