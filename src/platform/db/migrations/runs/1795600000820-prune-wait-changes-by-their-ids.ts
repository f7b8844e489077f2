import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { createIndexConcurrently } from '../../concurrent-index.js';

/** The job that deletes old changes of waits walks the table by its ids, so that it needs no index of times. */
export class PruneWaitChangesByTheirIds1795600000820 implements MigrationInterface {
  readonly name = 'PruneWaitChangesByTheirIds1795600000820';
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS wait_changes_to_prune`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await createIndexConcurrently(runner, { name: 'wait_changes_to_prune', table: 'wait_changes', on: '(at)' });
  }
}
