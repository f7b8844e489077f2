import { PgBoss } from 'pg-boss';
import { type Queryable, type Transaction } from '../db/database.js';
import { errorFields, type Logger } from '../logging/logger.js';

/** A kind of job that a feature declares. */
export interface Queue {
  readonly name: string;
}

/** A job that a worker holds until it settles it or is lost. */
export interface HeldJob {
  id: string;
  /** Names this delivery, and says how many workers were lost with earlier ones: settling one of those does nothing. */
  retryCount: number;
  groupId: string;
}

export interface NewJob {
  /** The uuid of what is to be done. Queued again while it is there it stays the one job that it is. */
  id: string;
  /** Whose job it is: workers may leave groups out. */
  group: string;
  /** Higher ones are given out first; those of one priority in the order in which they were queued. */
  priority: number;
}

export interface FetchLimits {
  count: number;
  /** Groups that get nothing now. */
  except?: readonly string[];
}

/** Statements of pg-boss on the connection of a transaction of ours. */
interface Executor {
  executeSql(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>;
}

const SCHEMA = 'pgboss';
/** A worker that shows no life for so long is lost; together with the watch below: redelivery within 15 s. */
const HEARTBEAT_SECONDS = 10;
const WATCH_SECONDS = 1;
/** Longer than any run holds a worker; what takes longer waits in a table. */
const EXPIRE_SECONDS = 6 * 3_600;
/** pg-boss deletes what nobody took for so long; no run is to be lost by that. */
const RETENTION_SECONDS = 3_650 * 86_400;
/** What a job does to its workers is its feature's to judge: it is given out until it is settled. */
const OPTIONS = {
  expireInSeconds: EXPIRE_SECONDS,
  retentionSeconds: RETENTION_SECONDS,
  retryLimit: 1_000_000,
  heartbeatSeconds: HEARTBEAT_SECONDS,
};

/** How often a holder must say that it lives, in milliseconds. */
export const HEARTBEAT_MS = 3_000;

/**
 * Jobs that are due now, kept by pg-boss in our database, so that they are queued by the transaction that needs them.
 * What is due later stands in its feature's own table, under the one clock.
 */
export class JobQueues {
  private readonly boss: PgBoss;

  constructor(
    databaseUrl: string,
    private readonly queues: readonly Queue[],
    private readonly logger: Logger,
    { isWorker }: { isWorker: boolean },
  ) {
    this.boss = new PgBoss({
      connectionString: databaseUrl,
      schema: SCHEMA,
      max: isWorker ? 4 : 1,
      application_name: 'workflow-gateway jobs',
      connectionTimeoutMillis: 3_000,
      options: '-c statement_timeout=10000 -c lock_timeout=5000',
      schedule: false,
      supervise: isWorker,
      superviseIntervalSeconds: WATCH_SECONDS,
      monitorIntervalSeconds: WATCH_SECONDS,
      maintenanceIntervalSeconds: 60,
    });
    this.boss.on('error', (error: unknown) => this.logger.warn(errorFields(error), 'jobs: the queue has trouble'));
    this.boss.on('warning', ({ message }: { message: string }) => this.logger.warn({ message }, 'jobs: warning'));
  }

  /** Makes the tables and queues that are missing. Several processes may do it at once. */
  async start(): Promise<void> {
    await this.boss.start();
    const present = new Set((await this.boss.getQueues()).map(({ name }) => name));
    for (const { name } of this.queues) {
      if (present.has(name)) await this.boss.updateQueue(name, OPTIONS);
      else await this.boss.createQueue(name, { ...OPTIONS, partition: true });
    }
  }

  async stop(): Promise<void> {
    await this.boss.stop({ graceful: false, close: true });
  }

  /** Queues jobs with the transaction: they exist exactly when it commits. */
  async add(tx: Transaction, { name }: Queue, jobs: readonly NewJob[]): Promise<void> {
    const inserts = jobs.map(({ id, group, priority }) => ({ id, group: { id: group }, priority }));
    if (inserts.length > 0) await this.boss.insert(name, inserts, { db: executorOf(tx) });
  }

  /** Takes jobs; they are this worker's as long as it keeps them alive. */
  async fetch({ name }: Queue, { count, except = [] }: FetchLimits): Promise<HeldJob[]> {
    const jobs = await this.boss.fetch(name, {
      batchSize: count,
      ...(except.length > 0 && { ignoreGroups: [...except] }),
    });
    return jobs as ((typeof jobs)[number] & { groupId: string })[];
  }

  /** Says of jobs that their worker lives. @returns the ids of those that are still its. */
  async keepAlive({ name }: Queue, jobs: readonly HeldJob[]): Promise<ReadonlySet<string>> {
    if (jobs.length === 0) return new Set();
    const { settled = [] } = (await this.boss.touch(name, jobs.map(deliveryOf))) as { settled?: string[] };
    return new Set(settled);
  }

  /** Settles jobs with the transaction; those that were given to another worker meanwhile are left alone. */
  async done(tx: Transaction, { name }: Queue, jobs: readonly HeldJob[]): Promise<void> {
    if (jobs.length > 0) await this.boss.deleteJob(name, jobs.map(deliveryOf), { db: executorOf(tx) });
  }

  /** True when no job waits. */
  async isEmpty(on: Queryable, { name }: Queue): Promise<boolean> {
    const waiting = `SELECT 1 FROM ${SCHEMA}.job WHERE name = $1 AND state < 'active' AND NOT blocked LIMIT 1`;
    return (await on.query(waiting, [name])).length === 0;
  }

  /** How many jobs wait, and how many are held, counted now. */
  async depth(on: Queryable, { name }: Queue): Promise<{ waiting: number; held: number }> {
    const [row] = await on.query<{ waiting: number; held: number }>(
      `SELECT count(*) FILTER (WHERE state < 'active') AS waiting, count(*) FILTER (WHERE state = 'active') AS held
       FROM ${SCHEMA}.job WHERE name = $1 AND state <= 'active'`,
      [name],
    );
    return row!;
  }
}

function deliveryOf({ id, retryCount }: HeldJob): { id: string; retryCount: number } {
  return { id, retryCount };
}

function executorOf(tx: Transaction): Executor {
  return { executeSql: async (text, values = []) => ({ rows: await tx.query(text, values) }) };
}
