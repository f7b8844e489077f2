import { PgBoss } from 'pg-boss';
import { type Transaction } from '../db/database.js';
import { errorFields, type Logger } from '../logger.js';

/** A kind of job that a feature declares. */
export interface Queue {
  readonly name: string;
  /** How often a job is given out again after its worker was lost, before it goes to `<name>.lost`. */
  readonly redeliveries: number;
}

/** A job that a worker holds until it settles it or is lost. */
export interface HeldJob<T> {
  id: string;
  /** Names this delivery: settling an earlier one does nothing. */
  retryCount: number;
  data: T;
}

export interface NewJob {
  data: object;
  /** Jobs of one group are given out fairly against those of others. */
  group: string;
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
const RETENTION_SECONDS = 30 * 86_400;

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
    for (const { name, redeliveries } of this.queues) {
      const options = { expireInSeconds: EXPIRE_SECONDS, retentionSeconds: RETENTION_SECONDS };
      if (!present.has(lost(name))) await this.boss.createQueue(lost(name), { ...options, retryLimit: 1_000 });
      if (present.has(name)) continue;
      await this.boss.createQueue(name, {
        ...options,
        partition: true,
        deadLetter: lost(name),
        retryLimit: redeliveries,
        heartbeatSeconds: HEARTBEAT_SECONDS,
      });
    }
  }

  async stop(): Promise<void> {
    await this.boss.stop({ graceful: false, close: true });
  }

  /** Queues jobs with the transaction: they exist exactly when it commits. */
  async add(tx: Transaction, { name }: Queue, jobs: readonly NewJob[]): Promise<void> {
    const inserts = jobs.map(({ data, group }) => ({ data, group: { id: group } }));
    if (inserts.length > 0) await this.boss.insert(name, inserts, { db: executorOf(tx) });
  }

  /** Takes jobs, oldest first; they are this worker's as long as it keeps them alive. */
  async fetch<T>({ name }: Queue, { count, except = [] }: FetchLimits): Promise<HeldJob<T>[]> {
    return this.boss.fetch<T>(name, { batchSize: count, ...(except.length > 0 && { ignoreGroups: [...except] }) });
  }

  /** Jobs whose workers were lost too often. */
  async fetchLost<T>({ name }: Queue, count: number): Promise<HeldJob<T>[]> {
    return this.boss.fetch<T>(lost(name), { batchSize: count });
  }

  async keepAlive({ name }: Queue, jobs: readonly HeldJob<unknown>[]): Promise<void> {
    if (jobs.length > 0) await this.boss.touch(name, jobs.map(deliveryOf));
  }

  /** Settles jobs with the transaction; those that were given to another worker meanwhile are left alone. */
  async done(tx: Transaction, { name }: Queue, jobs: readonly HeldJob<unknown>[]): Promise<void> {
    if (jobs.length > 0) await this.boss.deleteJob(name, jobs.map(deliveryOf), { db: executorOf(tx) });
  }

  async lostDone(tx: Transaction, { name }: Queue, jobs: readonly HeldJob<unknown>[]): Promise<void> {
    if (jobs.length > 0) await this.boss.deleteJob(lost(name), jobs.map(deliveryOf), { db: executorOf(tx) });
  }
}

function lost(name: string): string {
  return `${name}.lost`;
}

function deliveryOf({ id, retryCount }: HeldJob<unknown>): { id: string; retryCount: number } {
  return { id, retryCount };
}

function executorOf(tx: Transaction): Executor {
  return { executeSql: async (text, values = []) => ({ rows: await tx.query(text, values) }) };
}
