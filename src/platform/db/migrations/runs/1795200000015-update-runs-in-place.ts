import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * PostgreSQL updates a row without touching its indexes (heap-only tuples) when no column that an index names, in its
 * predicate too, has changed, and the page has room. A run that is claimed changes its status, not `finished_at`.
 */
export class UpdateRunsInPlace1795200000015 implements MigrationInterface {
  name = 'UpdateRunsInPlace1795200000015';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX runs_open`);
    await runner.query(`CREATE INDEX runs_open ON runs (workflow_id) WHERE finished_at IS NULL`);
    await eachPartition(runner, 'SET (fillfactor = 70)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await eachPartition(runner, 'RESET (fillfactor)');
    await runner.query(`DROP INDEX runs_open`);
    await runner.query(`CREATE INDEX runs_open ON runs (workflow_id) WHERE status IN ('queued', 'running')`);
  }
}

async function eachPartition(runner: QueryRunner, change: string): Promise<void> {
  const partitions = (await runner.query(
    `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent IN ('runs'::regclass, 'steps'::regclass)
     AND inhrelid IN (SELECT oid FROM pg_class WHERE relkind = 'r')`,
  )) as { name: string }[];
  for (const { name } of partitions) await runner.query(`ALTER TABLE ${name} ${change}`);
}
