import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { createIndexConcurrently } from '../../concurrent-index.js';

/** An index for finding the retries of a run. Runs that retry none are not in it. */
export class FindRetriesOfRuns1795600000300 implements MigrationInterface {
  readonly name = 'FindRetriesOfRuns1795600000300';
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await createIndexConcurrently(runner, {
      name: 'runs_by_retry_of',
      table: 'runs',
      on: '(retry_of) WHERE retry_of IS NOT NULL',
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX runs_by_retry_of`);
  }
}
