import { type DataSource, type EntityManager, type QueryRunner } from 'typeorm';
import { type PoolClient } from 'pg';
import { type Turn, type Turns } from '../admission/turns.js';
import { isDatabaseAway } from '../errors.js';
import { tracedStatement } from '../tracing/statement.js';

type Runner = QueryRunner & { releasePostgresConnection(error?: unknown): void };

/** How transactions begin. */
export interface Begin {
  /** The statements that begin one; undefined: those of TypeORM. */
  text: string | undefined;
  /** Receives errors of begin and commit. */
  onFailure: (error: unknown) => void;
}

/** An open transaction. Its owner ends it by `commit` or `abandon`, exactly once. */
export class OpenTransaction {
  private constructor(
    private readonly runner: Runner,
    /** Its connection. */
    readonly client: PoolClient,
    private readonly turn: Turn,
    private readonly onFailure: Begin['onFailure'],
  ) {}

  /** Waits for a turn first; statements inside need no further one. */
  static async begin(source: DataSource, turns: Turns, { text, onFailure }: Begin): Promise<OpenTransaction> {
    const turn = await turns.take('cheap');
    const runner = source.createQueryRunner() as Runner;
    try {
      const client = (await runner.connect()) as PoolClient;
      if (text === undefined) await runner.startTransaction();
      else await startBy(text, runner, client);
      return new OpenTransaction(runner, client, turn, onFailure);
    } catch (error) {
      runner.releasePostgresConnection(error);
      onFailure(error);
      turn.leave();
      throw error;
    }
  }

  get manager(): EntityManager {
    return this.runner.manager;
  }

  async commit(): Promise<void> {
    try {
      await tracedStatement('COMMIT', () => this.runner.commitTransaction());
    } catch (error) {
      this.onFailure(error);
      throw error;
    }
    this.release();
  }

  /** Rolls back. A connection that failed in the middle of a statement is closed instead of reused. */
  async abandon(cause: unknown): Promise<void> {
    let failure: unknown = isDatabaseAway(cause) ? cause : undefined;
    if (failure === undefined && this.runner.isTransactionActive) {
      await this.runner.rollbackTransaction().catch((error: unknown) => (failure = error));
    }
    this.release(failure);
  }

  private release(failure?: unknown): void {
    this.runner.releasePostgresConnection(failure);
    this.turn.leave();
  }
}

/** Like TypeORM's `startTransaction`, which sends nothing but its own statement. */
async function startBy(text: string, runner: Runner, client: PoolClient): Promise<void> {
  await client.query(text);
  Object.assign(runner, { isTransactionActive: true, transactionDepth: 1 });
}
