import { type DataSource, type EntityManager, type QueryRunner } from 'typeorm';
import { type Pool, type PoolClient, type QueryResultRow } from 'pg';
import { type EntityClass, hydrate } from './columns.js';
import { isDatabaseAway } from '../errors.js';
import { statementName } from './statements.js';
import { runInTransaction } from './transaction-context.js';

/** What statements run on: the pool, or one transaction. */
export interface Queryable {
  /** Runs a prepared statement and gives its rows as plain objects. */
  query<T extends QueryResultRow = QueryResultRow>(text: string, values?: readonly unknown[]): Promise<T[]>;
  /** Like `query`, with each row given the entity's prototype, so that its getters and GraphQL type work. */
  select<T extends object>(entity: EntityClass<T>, text: string, values?: readonly unknown[]): Promise<T[]>;
}

/** One open transaction: raw statements and TypeORM's manager on the same connection. */
export interface Transaction extends Queryable {
  readonly manager: EntityManager;
}

/** PostgreSQL's serialization_failure and deadlock_detected: the transaction did nothing and may be run again. */
const RETRYABLE = new Set(['40001', '40P01']);
const ATTEMPTS = 3;

/** The service's access to PostgreSQL: TypeORM's pool, with named prepared statements and raw rows for the hot paths. */
export class Database implements Queryable {
  /** Statements sent since the start; tests compare it to prove that lists don't cost one per row. */
  statements = 0;

  constructor(readonly source: DataSource) {}

  async query<T extends QueryResultRow>(text: string, values: readonly unknown[] = []): Promise<T[]> {
    return this.run(this.pool, text, values);
  }

  async select<T extends object>(entity: EntityClass<T>, text: string, values?: readonly unknown[]): Promise<T[]> {
    return hydrate(entity, await this.query(text, values));
  }

  /**
   * Commits what `work` did, or nothing of it. Run again after a deadlock, so `work` must have no effect outside the
   * database; outbound calls inside it throw.
   */
  async transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.attempt(work);
      } catch (error) {
        if (attempt === ATTEMPTS || !RETRYABLE.has(sqlState(error) ?? '')) throw error;
      }
    }
  }

  private async attempt<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    const runner = this.source.createQueryRunner() as QueryRunner & {
      releasePostgresConnection(error?: unknown): void;
    };
    let failure: unknown;
    try {
      const client = (await runner.connect()) as PoolClient;
      await runner.startTransaction();
      const result = await runInTransaction(() => work(this.transactionOn(runner.manager, client)));
      await runner.commitTransaction();
      return result;
    } catch (error) {
      if (isDatabaseAway(error)) failure = error;
      else if (runner.isTransactionActive) await runner.rollbackTransaction();
      throw error;
    } finally {
      // A connection that failed in mid-statement goes, it is not given to the next caller.
      runner.releasePostgresConnection(failure);
    }
  }

  private transactionOn(manager: EntityManager, client: PoolClient): Transaction {
    return {
      manager,
      query: (text, values = []) => this.run(client, text, values),
      select: async (entity, text, values = []) => hydrate(entity, await this.run(client, text, values)),
    };
  }

  private async run<T extends QueryResultRow>(on: Pool | PoolClient, text: string, values: readonly unknown[]) {
    this.statements += 1;
    return (await on.query<T>({ name: statementName(text), text, values: values as unknown[] })).rows;
  }

  private get pool(): Pool {
    return (this.source.driver as unknown as { master: Pool }).master;
  }
}

/** The SQLSTATE of an error of PostgreSQL, through TypeORM's wrapper. */
export function sqlState(error: unknown): string | undefined {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? code : undefined;
}
