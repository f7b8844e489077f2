import { AsyncLocalStorage } from 'node:async_hooks';
import { type DataSource, type EntityManager } from 'typeorm';
import { type Pool, type PoolClient, type QueryResultRow } from 'pg';
import { type Answer } from '../admission/answers.js';
import { type Cost, type Turn, Turns } from '../admission/turns.js';
import { currentWork } from '../admission/work.js';
import { type EntityClass, hydrate } from './columns.js';
import { isDatabaseSilent } from '../errors.js';
import { statementName } from './statements.js';
import { OpenTransaction } from './transaction.js';
import { getTypeParser } from './type-parsers.js';
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

/** The writes of one request, as `unitOfWork` gathers them. */
interface Unit {
  begun: Promise<OpenTransaction> | undefined;
  mark: TransactionMark;
  afterCommit: (() => void)[];
  /** What its work did not await belongs to no unit any more. */
  hasEnded: boolean;
}

/** PostgreSQL's serialization_failure and deadlock_detected: the transaction did nothing and may be run again. */
const RETRYABLE = new Set(['40001', '40P01']);
const ATTEMPTS = 3;
/** What pg's pool holds unless told. */
const POOL_SIZE = 10;

/** The service's access to PostgreSQL: TypeORM's pool, with named prepared statements and raw rows for the hot paths. */
export class Database implements Queryable {
  /** Statements sent since the start; tests compare it to prove that lists don't cost one per row. */
  statements = 0;

  /** For statements that may read as many rows as an account has: each account has two of them under way at most. */
  readonly expensive: Queryable = {
    query: (text, values) => this.inTurn('expensive', text, values),
    select: async (entity, text, values) => hydrate(entity, await this.inTurn('expensive', text, values)),
  };

  /** Who uses the connections of the pool, and who waits for one. */
  readonly turns: Turns;

  private readonly units = new AsyncLocalStorage<Unit | undefined>();

  /** `patience`: how long a statement waits for a connection, in milliseconds. */
  constructor(
    readonly source: DataSource,
    patience?: number,
  ) {
    this.turns = new Turns(source.options.poolSize ?? POOL_SIZE, patience);
  }

  async query<T extends QueryResultRow>(text: string, values?: readonly unknown[]): Promise<T[]> {
    return this.inTurn('cheap', text, values);
  }

  async select<T extends object>(entity: EntityClass<T>, text: string, values?: readonly unknown[]): Promise<T[]> {
    return hydrate(entity, await this.inTurn('cheap', text, values));
  }

  /** Like `select`, for a statement that writes: a transaction of its own, or part of the unit of work around it. */
  async write<T extends object>(entity: EntityClass<T>, text: string, values?: readonly unknown[]): Promise<T[]> {
    if (!this.isInUnit) return this.select(entity, text, values);
    return this.transaction((tx) => tx.select(entity, text, values));
  }

  /**
   * Commits what `work` did, or nothing of it. Run again after a deadlock, so `work` must have no effect outside the
   * database; outbound calls inside it throw.
   */
  async transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    const { unit } = this;
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

  /** Whether this chain of calls is inside `unitOfWork`. */
  get isInUnit(): boolean {
    return this.unit !== undefined;
  }

  /** In a unit of work, runs `action` once that is committed, and never if it is not; otherwise at once. */
  afterCommit(action: () => void): void {
    const { unit } = this;
    if (unit === undefined) action();
    else unit.afterCommit.push(action);
  }

  /**
   * A unit of work: whatever services write inside `work` is committed with what `finish` adds, or not at all. The
   * transaction begins at the first write; from then on reads see it, and calls to the outside are refused.
   */
  async unitOfWork<T>(work: () => Promise<T>, finish: (tx: Transaction, result: T) => Promise<void>): Promise<T> {
    const unit: Unit = { begun: undefined, mark: { open: false }, afterCommit: [], hasEnded: false };
    let result: T;
    try {
      result = await runMarked(unit.mark, () => this.units.run(unit, work));
      const open = await this.openIn(unit);
      await runInTransaction(() => finish(this.transactionOn(open), result));
      await open.commit();
    } catch (error) {
      // It may still begin: what failed need not be what began it.
      const open = await unit.begun?.catch(() => undefined);
      await open?.abandon(error);
      throw error;
    } finally {
      unit.mark.open = false;
      unit.hasEnded = true;
    }
    for (const action of unit.afterCommit) action();
    return result;
  }

  /** Leaves the unit of work around it: what `work` writes is a fact of its own, whatever becomes of the rest. */
  async outsideUnitOfWork<T>(work: () => Promise<T>): Promise<T> {
    return runMarked({ open: false }, () => this.units.run(undefined, work));
  }

  private async attempt<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    const open = await OpenTransaction.begin(this.source, this.turns);
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
    return (unit.begun ??= this.beginIn(unit));
  }

  private async beginIn(unit: Unit): Promise<OpenTransaction> {
    const open = await OpenTransaction.begin(this.source, this.turns);
    unit.mark.open = true;
    return open;
  }

  private get unit(): Unit | undefined {
    const unit = this.units.getStore();
    return unit?.hasEnded ? undefined : unit;
  }

  /** Runs a statement on the connection of the unit of work around it, or in its turn on one of the pool. */
  private async inTurn<T extends QueryResultRow>(cost: Cost, text: string, values?: readonly unknown[]): Promise<T[]> {
    const begun = this.unit?.begun;
    if (begun !== undefined) return this.run((await begun).client, text, values);
    const { answer } = currentWork();
    const turn = await this.turnWithRoom(cost, answer);
    try {
      return await this.run<T>(this.pool, text, values, answer);
    } finally {
      turn.leave();
    }
  }

  /** Waits for room with no connection taken; there may be none any more once the turn comes. */
  private async turnWithRoom(cost: Cost, answer: Answer | undefined): Promise<Turn> {
    for (;;) {
      if (answer?.hasRoom === false) await answer.room();
      const turn = await this.turns.take(cost);
      if (answer?.hasRoom !== false) return turn;
      turn.leave();
    }
  }

  private transactionOn({ manager, client }: OpenTransaction): Transaction {
    return {
      manager,
      query: (text, values) => this.run(client, text, values),
      select: async (entity, text, values) => hydrate(entity, await this.run(client, text, values)),
    };
  }

  private async run<T extends QueryResultRow>(
    on: Pool | PoolClient,
    text: string,
    values: readonly unknown[] = [],
    answer?: Answer,
  ): Promise<T[]> {
    this.statements += 1;
    const statement = { name: statementName(text), text, values: values as unknown[] };
    const types = answer?.counting(getTypeParser);
    try {
      return (await on.query<T>(types === undefined ? statement : { ...statement, types })).rows;
    } catch (error) {
      if (isDatabaseSilent(error)) this.turns.refuseWaiting();
      throw error;
    }
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

/** query_canceled (a timeout) and lock_not_available. */
const BUSY_ROW = new Set(['57014', '55P03']);

/** Whether a statement failed as it took or waited too long: one row may be busy, the database is there. */
export function isRowBusy(error: unknown): boolean {
  return BUSY_ROW.has(sqlState(error) ?? '');
}
