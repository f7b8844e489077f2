import { AsyncLocalStorage } from 'node:async_hooks';
import { type DataSource, type EntityManager } from 'typeorm';
import { type Pool, type PoolClient, type QueryResultRow } from 'pg';
import { type Answer } from '../admission/answers.js';
import { type Cost, Turns } from '../admission/turns.js';
import { currentWork, workBeside } from '../admission/work.js';
import { type EntityClass, hydrate } from './columns.js';
import { isDatabaseAway, isDatabaseSilent } from '../errors.js';
import { beginWith, type Limits, limitsOf } from './connections/limits.js';
import { placeIn, turnWithRoom } from './connections/turn-with-room.js';
import { isRowBusy, sqlState } from './sql-state.js';
import { isWrite, statementName } from './statements.js';
import { type Begin, OpenTransaction } from './transaction.js';
import { currentSpan } from '../tracing/span.js';
import { tracedStatement } from '../tracing/statement.js';
import { getTypeParser } from './type-parsers.js';
import { besideTransaction, runInTransaction, runMarked, type TransactionMark } from './transaction-context.js';

/** A target of statements: the pool, or one transaction. */
export interface Queryable {
  /** Runs a prepared statement and returns its rows as plain objects. */
  query<T extends QueryResultRow = QueryResultRow>(text: string, values?: readonly unknown[]): Promise<T[]>;
  /** Like `query`, with each row given the entity's prototype, so that its getters and GraphQL type work. */
  select<T extends object>(entity: EntityClass<T>, text: string, values?: readonly unknown[]): Promise<T[]>;
}

/** One open transaction: raw statements and TypeORM's manager on the same connection. */
export interface Transaction extends Queryable {
  readonly manager: EntityManager;
  /** Runs `action` after the commit, and never if the transaction is rolled back. */
  afterCommit(action: () => void): void;
  /** Counts bytes that the transaction stores for an account, after the commit. */
  countStored(accountId: string, bytes: number): void;
}

/** The state of one unit of work, see `unitOfWork`. */
interface Unit {
  begun: Promise<OpenTransaction> | undefined;
  mark: TransactionMark;
  afterCommit: (() => void)[];
  /** Calls that the work did not await no longer belong to the unit. */
  hasEnded: boolean;
}

/** How statements reach PostgreSQL. */
export interface Route {
  /** Whether each statement is prepared under a name; else all are parsed each time. */
  isPrepared?: boolean;
  /** Whether a pooler may give each transaction another session, so that limits belong to the transaction. */
  isPooled?: boolean;
}

/** PostgreSQL's serialization_failure and deadlock_detected: the transaction did nothing and may be run again. */
const RETRYABLE = new Set(['40001', '40P01']);
const ATTEMPTS = 3;
/** The default size of pg's pool. */
const POOL_SIZE = 10;
/** A database that answers nothing for so long, in milliseconds, while a statement times out, is silent. */
const SILENCE_MS = 2_000;

/** The service's access to PostgreSQL: TypeORM's pool, with named prepared statements and raw rows for the hot paths. */
export class Database implements Queryable {
  /** Statements sent since the start; tests compare it to prove that lists do not cost a statement per row. */
  statements = 0;

  /** For statements that may read as many rows as an account has: at most two of each account run at the same time. */
  readonly expensive: Queryable = {
    query: (text, values) => this.inTurn('expensive', text, values),
    select: async (entity, text, values) => hydrate(entity, await this.inTurn('expensive', text, values)),
  };

  /** Receives the bytes that transactions have stored for accounts. */
  onStored: (accountId: string, bytes: number) => void = () => undefined;

  /** Shares the connections of the pool between accounts. */
  readonly turns: Turns;

  /** When the database last failed a statement or a commit, in milliseconds of `performance.now()`; see `WriteProbe`. */
  failedAt = -Infinity;
  /** When the database last answered, likewise. */
  private answeredAt = -Infinity;

  private readonly units = new AsyncLocalStorage<Unit | undefined>();
  private readonly begin: Begin;
  /** The limits that each transaction sets; undefined: those of its session. */
  private readonly limits: Limits | undefined;
  private readonly isPrepared: boolean;

  /** `patience`: the longest wait of a statement for a connection, in milliseconds. */
  constructor(
    readonly source: DataSource,
    patience?: number,
    { isPrepared = true, isPooled = false }: Route = {},
  ) {
    this.turns = new Turns(source.options.poolSize ?? POOL_SIZE, patience);
    this.isPrepared = isPrepared;
    this.limits = isPooled ? limitsOf(patience) : undefined;
    this.begin = {
      text: this.limits && beginWith(this.limits),
      onFailure: (error) => this.noticeFailure(error),
    };
  }

  async query<T extends QueryResultRow>(text: string, values?: readonly unknown[]): Promise<T[]> {
    return this.inTurn('cheap', text, values);
  }

  async select<T extends object>(entity: EntityClass<T>, text: string, values?: readonly unknown[]): Promise<T[]> {
    return hydrate(entity, await this.inTurn('cheap', text, values));
  }

  /**
   * Commits all writes of `work` or none. Runs `work` again after a deadlock, so it must have no effect outside the
   * database; outbound calls inside it throw. `lockMs`: a shorter limit of its waits for locks, which fail it as
   * `isRowBusy`; a surrounding unit of work has its own.
   */
  async transaction<T>(work: (tx: Transaction) => Promise<T>, lockMs?: number): Promise<T> {
    const { unit } = this;
    if (unit !== undefined) {
      const open = await this.openIn(unit);
      return runInTransaction(() => work(this.transactionOn(open, unit.afterCommit)));
    }
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.attempt(work, lockMs);
      } catch (error) {
        if (attempt === ATTEMPTS || !RETRYABLE.has(sqlState(error) ?? '')) throw error;
      }
    }
  }

  /** Whether the current call chain is inside a unit of work. */
  get isInUnit(): boolean {
    return this.unit !== undefined;
  }

  /**
   * Runs `action` after the commit of the surrounding unit of work, and never if that fails; without a unit at once.
   */
  afterCommit(action: () => void): void {
    const { unit } = this;
    if (unit === undefined) action();
    else unit.afterCommit.push(action);
  }

  /**
   * Runs `work` as a unit: all writes of services inside it are committed together with those of `finish`, or not at
   * all. The transaction begins at the first write; from then on reads see it, and outbound calls are refused.
   */
  async unitOfWork<T>(work: () => Promise<T>, finish: (tx: Transaction, result: T) => Promise<void>): Promise<T> {
    const unit: Unit = { begun: undefined, mark: { open: false, isUnit: true }, afterCommit: [], hasEnded: false };
    let result: T;
    try {
      result = await runMarked(unit.mark, () => this.units.run(unit, work));
      const open = await this.openIn(unit);
      await runInTransaction(() => finish(this.transactionOn(open, unit.afterCommit), result));
      await open.commit();
    } catch (error) {
      // The transaction may still be starting: another call may have begun it than the one that failed.
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

  /** Whether the current operation belongs to a unit of work. */
  get isInUnitOfWork(): boolean {
    return this.units.getStore() !== undefined;
  }

  /** Runs `work` outside the surrounding unit of work: its writes are committed independently of the unit. */
  async outsideUnitOfWork<T>(work: () => Promise<T>): Promise<T> {
    const beside = this.unit?.begun === undefined ? work : () => workBeside(work);
    return runMarked({ open: false }, () => this.units.run(undefined, beside));
  }

  private async attempt<T>(work: (tx: Transaction) => Promise<T>, lockMs: number | undefined): Promise<T> {
    const open = await besideTransaction(() => OpenTransaction.begin(this.source, this.turns, this.beginOf(lockMs)));
    const afterCommit: (() => void)[] = [];
    let result: T;
    try {
      result = await runInTransaction(() => work(this.transactionOn(open, afterCommit)));
      await open.commit();
    } catch (error) {
      await open.abandon(error);
      throw error;
    }
    for (const action of afterCommit) action();
    return result;
  }

  private beginOf(lockMs: number | undefined): Begin {
    if (lockMs === undefined) return this.begin;
    return { ...this.begin, text: beginWith({ ...this.limits, lock_timeout: lockMs }) };
  }

  private async openIn(unit: Unit): Promise<OpenTransaction> {
    return (unit.begun ??= this.beginIn(unit));
  }

  private async beginIn(unit: Unit): Promise<OpenTransaction> {
    const open = await OpenTransaction.begin(this.source, this.turns, this.begin);
    unit.mark.open = true;
    return open;
  }

  private get unit(): Unit | undefined {
    const unit = this.units.getStore();
    return unit?.hasEnded ? undefined : unit;
  }

  /**
   * Runs a statement on the connection of the surrounding unit of work, or in its turn on one of the pool. One that
   * writes begins the unit's transaction: on another connection its write would outlive the failure of the unit.
   */
  private async inTurn<T extends QueryResultRow>(cost: Cost, text: string, values?: readonly unknown[]): Promise<T[]> {
    const { unit } = this;
    const begun = unit !== undefined && isWrite(text) ? this.openIn(unit) : unit?.begun;
    const { answer } = currentWork();
    const client = begun && (await begun).client;
    const turn = await (client === undefined ? turnWithRoom(this.turns, cost, answer) : placeIn(this.turns, cost));
    try {
      return await this.run<T>(client ?? this.pool, text, values, answer);
    } finally {
      turn?.leave();
    }
  }

  private transactionOn({ manager, client }: OpenTransaction, afterCommit: (() => void)[]): Transaction {
    return {
      manager,
      afterCommit: (action) => void afterCommit.push(action),
      countStored: (accountId, bytes) => void afterCommit.push(() => this.onStored(accountId, bytes)),
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
    const name = this.isPrepared ? statementName(text) : undefined;
    const statement = { name, text, values: values as unknown[] };
    const types = answer?.counting(getTypeParser);
    const send = async () => (await on.query<T>(types === undefined ? statement : { ...statement, types })).rows;
    try {
      const rows = await (currentSpan() === undefined ? send() : tracedStatement(text, send));
      this.answeredAt = performance.now();
      return rows;
    } catch (error) {
      this.noticeFailure(error);
      throw error;
    }
  }

  private noticeFailure(error: unknown): void {
    if (isDatabaseSilent(error)) this.fallSilent();
    const isAnswer = !isDatabaseAway(error) || isRowBusy(error);
    this[isAnswer ? 'answeredAt' : 'failedAt'] = performance.now();
  }

  /**
   * Refuses what waits for a silent database, and closes the idle connections: they are likely as dead, and each would
   * cost a later statement the whole timeout. If the database has just answered other statements, it is only slow, or a
   * single connection is dead: then what waits keeps its place.
   */
  private fallSilent(): void {
    if (performance.now() - this.answeredAt > SILENCE_MS) this.turns.refuseWaiting();
    for (let { idleCount } = this.pool; idleCount > 0; idleCount -= 1) {
      void this.pool.connect().then(
        (client) => client.release(true),
        () => undefined,
      );
    }
  }

  private get pool(): Pool {
    return (this.source.driver as unknown as { master: Pool }).master;
  }
}
