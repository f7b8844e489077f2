import { type MigrationInterface, type QueryRunner } from 'typeorm';

export class LetRunsOfDeletedWorkflowsGo1795200000009 implements MigrationInterface {
  name = 'LetRunsOfDeletedWorkflowsGo1795200000009';

  async up(runner: QueryRunner): Promise<void> {
    // Exists as long as the runs of the workflow, which stay readable for 30 days.
    await runner.query(`
      CREATE TABLE deleted_workflows (
        workflow_id uuid PRIMARY KEY,
        account_id uuid NOT NULL,
        deleted_at timestamptz(3) NOT NULL
      )`);
    await runner.query(`CREATE INDEX deleted_workflows_to_prune ON deleted_workflows (deleted_at)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE deleted_workflows`);
  }
}
