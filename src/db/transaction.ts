import { type DataSource, type EntityManager, type QueryRunner } from 'typeorm';
import { type PoolClient } from 'pg';
import { isDatabaseAway } from '../errors.js';

type Runner = QueryRunner & { releasePostgresConnection(error?: unknown): void };

/** A transaction that has begun and that its owner ends, by `commit` or `abandon`, exactly once. */
export class OpenTransaction {
  private constructor(
    private readonly runner: Runner,
    /** The connection that it holds. */
    readonly client: PoolClient,
  ) {}

  static async begin(source: DataSource): Promise<OpenTransaction> {
    const runner = source.createQueryRunner() as Runner;
    try {
      const client = (await runner.connect()) as PoolClient;
      await runner.startTransaction();
      return new OpenTransaction(runner, client);
    } catch (error) {
      runner.releasePostgresConnection(error);
      throw error;
    }
  }

  get manager(): EntityManager {
    return this.runner.manager;
  }

  async commit(): Promise<void> {
    await this.runner.commitTransaction();
    this.runner.releasePostgresConnection();
  }

  /** Rolls back. A connection that failed in mid-statement goes, it is not given to the next caller. */
  async abandon(cause: unknown): Promise<void> {
    let failure: unknown = isDatabaseAway(cause) ? cause : undefined;
    if (failure === undefined && this.runner.isTransactionActive) {
      await this.runner.rollbackTransaction().catch((error: unknown) => (failure = error));
    }
    this.runner.releasePostgresConnection(failure);
  }
}
