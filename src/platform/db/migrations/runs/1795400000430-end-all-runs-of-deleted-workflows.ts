import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** A deletion ends 5,000 runs at once and marks the workflow if there are more. Earlier deletions may have left some, too. */
export class EndAllRunsOfDeletedWorkflows1795400000430 implements MigrationInterface {
  readonly name = 'EndAllRunsOfDeletedWorkflows1795400000430';

  async up(runner: QueryRunner): Promise<void> {
    // True is right for a process of the version before, too, which may leave runs open while it deletes.
    await runner.query(`ALTER TABLE deleted_workflows ADD COLUMN has_open_runs boolean NOT NULL DEFAULT true`);
    await runner.query(`
      CREATE INDEX deleted_workflows_with_open_runs ON deleted_workflows (workflow_id) WHERE has_open_runs`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE deleted_workflows DROP COLUMN has_open_runs`);
  }
}
