import { AsyncLocalStorage } from 'node:async_hooks';
import { type DataSource, type EntityManager } from 'typeorm';
import { type Pool, type PoolClient, type QueryResultRow } from 'pg';
import { type EntityClass, hydrate } from './columns.js';
import { statementName } from './statements.js';
import { OpenTransaction } from './transaction.js';
import { runInTransaction, runMarked, type TransactionMark } from './transaction-context.js';

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

/** The writes of one request, as `together` gathers them. */
interface Unit {
  begun: Promise<OpenTransaction> | undefined;
  open: OpenTransaction | undefined;
  mark: TransactionMark;
  afterCommit: (() => void)[];
}

/** PostgreSQL's serialization_failure and deadlock_detected: the transaction did nothing and may be run again. */
const RETRYABLE = new Set(['40001', '40P01']);
const ATTEMPTS = 3;

/** The service's access to PostgreSQL: TypeORM's pool, with named prepared statements and raw rows for the hot paths. */
export class Database implements Queryable {
  /** Statements sent since the start; tests compare it to prove that lists don't cost one per row. */
  statements = 0;

  private readonly units = new AsyncLocalStorage<Unit | undefined>();

  constructor(readonly source: DataSource) {}

  async query<T extends QueryResultRow>(text: string, values: readonly unknown[] = []): Promise<T[]> {
    return this.run(this.units.getStore()?.open?.client ?? this.pool, text, values);
  }

  async select<T extends object>(entity: EntityClass<T>, text: string, values?: readonly unknown[]): Promise<T[]> {
    return hydrate(entity, await this.query(text, values));
  }

  /** Like `select`, for a statement that writes: a transaction of its own, or part of the unit of work around it. */
  async write<T extends object>(entity: EntityClass<T>, text: string, values?: readonly unknown[]): Promise<T[]> {
    if (this.units.getStore() === undefined) return this.select(entity, text, values);
    return this.transaction((tx) => tx.select(entity, text, values));
  }

  /**
   * Commits what `work` did, or nothing of it. Run again after a deadlock, so `work` must have no effect outside the
   * database; outbound calls inside it throw.
   */
  async transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    const unit = this.units.getStore();
    if (unit !== undefined) {
      const open = await this.openIn(unit);
      return runInTransaction(() => work(this.transactionOn(open)));
    }
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.attempt(work);
      } catch (error) {
        if (attempt === ATTEMPTS || !RETRYABLE.has(sqlState(error) ?? '')) throw error;
      }
    }
  }

  /** Whether this chain of calls is inside `together`. */
  get isInUnit(): boolean {
    return this.units.getStore() !== undefined;
  }

  /** In a unit of work, runs `action` once that is committed, and never if it is not; otherwise at once. */
  afterCommit(action: () => void): void {
    const unit = this.units.getStore();
    if (unit === undefined) action();
    else unit.afterCommit.push(action);
  }

  /**
   * A unit of work: whatever services write inside `work` is committed with what `finish` adds, or not at all. The
   * transaction begins at the first write; from then on reads see it, and calls to the outside are refused.
   */
  async together<T>(work: () => Promise<T>, finish: (tx: Transaction, result: T) => Promise<void>): Promise<T> {
    const unit: Unit = { begun: undefined, open: undefined, mark: { open: false }, afterCommit: [] };
    let result: T;
    try {
      result = await runMarked(unit.mark, () => this.units.run(unit, work));
      const open = await this.openIn(unit);
      await runInTransaction(() => finish(this.transactionOn(open), result));
      await open.commit();
    } catch (error) {
      await unit.open?.abandon(error);
      throw error;
    } finally {
      unit.mark.open = false;
    }
    for (const action of unit.afterCommit) action();
    return result;
  }

  /** Leaves the unit of work around it: what `work` writes is a fact of its own, whatever becomes of the rest. */
  async apart<T>(work: () => Promise<T>): Promise<T> {
    return runMarked({ open: false }, () => this.units.run(undefined, work));
  }

  private async attempt<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    const open = await OpenTransaction.begin(this.source);
    try {
      const result = await runInTransaction(() => work(this.transactionOn(open)));
      await open.commit();
      return result;
    } catch (error) {
      await open.abandon(error);
      throw error;
    }
  }

  private async openIn(unit: Unit): Promise<OpenTransaction> {
    unit.begun ??= OpenTransaction.begin(this.source).then((open) => {
      unit.mark.open = true;
      return (unit.open = open);
    });
    return unit.begun;
  }

  private transactionOn({ manager, client }: OpenTransaction): Transaction {
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
