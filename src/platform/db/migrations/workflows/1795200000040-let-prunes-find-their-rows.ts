import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { createIndexConcurrently } from '../../concurrent-index.js';

/** Indexes for finding replaced lists, and integrations with many changes, without reading the rest. */
export class LetPrunesFindTheirRows1795200000040 implements MigrationInterface {
  name = 'LetPrunesFindTheirRows1795200000040';
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await createIndexConcurrently(runner, {
      name: 'action_lists_by_workflow_and_id',
      table: 'action_lists',
      on: '(workflow_id, id)',
    });
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS action_lists_by_workflow`);
    await createIndexConcurrently(runner, {
      name: 'integrations_with_many_changes',
      table: 'integrations',
      on: '(id) WHERE version > 100',
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS integrations_with_many_changes`);
    await createIndexConcurrently(runner, {
      name: 'action_lists_by_workflow',
      table: 'action_lists',
      on: '(workflow_id)',
    });
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS action_lists_by_workflow_and_id`);
  }
}
