import { type DataSource, type EntityManager, type QueryRunner } from 'typeorm';
import { type PoolClient } from 'pg';
import { type Turn, type Turns } from '../admission/turns.js';
import { isDatabaseAway, isDatabaseSilent } from '../errors.js';

type Runner = QueryRunner & { releasePostgresConnection(error?: unknown): void };

/** An open transaction. Its owner ends it by `commit` or `abandon`, exactly once. */
export class OpenTransaction {
  private constructor(
    private readonly runner: Runner,
    /** Its connection. */
    readonly client: PoolClient,
    private readonly turn: Turn,
  ) {}

  /** Waits for a turn first; statements inside need no further one. `onSilence` is called if the database is silent. */
  static async begin(source: DataSource, turns: Turns, onSilence: () => void): Promise<OpenTransaction> {
    const turn = await turns.take('cheap');
    const runner = source.createQueryRunner() as Runner;
    try {
      const client = (await runner.connect()) as PoolClient;
      await runner.startTransaction();
      return new OpenTransaction(runner, client, turn);
    } catch (error) {
      runner.releasePostgresConnection(error);
      if (isDatabaseSilent(error)) onSilence();
      turn.leave();
      throw error;
    }
  }

  get manager(): EntityManager {
    return this.runner.manager;
  }

  async commit(): Promise<void> {
    await this.runner.commitTransaction();
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
