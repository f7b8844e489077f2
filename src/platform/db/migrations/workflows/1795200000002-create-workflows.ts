import { type MigrationInterface, type QueryRunner } from 'typeorm';

export class CreateWorkflows1795200000002 implements MigrationInterface {
  name = 'CreateWorkflows1795200000002';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE workflows (
        id uuid PRIMARY KEY,
        account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
        name text NOT NULL,
        description text,
        status text NOT NULL CHECK (status IN ('active', 'draft', 'paused', 'archived')),
        run_count bigint NOT NULL DEFAULT 0,
        actions_id uuid,
        created_at timestamptz(3) NOT NULL,
        updated_at timestamptz(3) NOT NULL
      ) WITH (fillfactor = 80)`);
    await runner.query(`CREATE INDEX workflows_by_account ON workflows (account_id, id DESC)`);
    await runner.query(`CREATE INDEX workflows_by_status ON workflows (account_id, status, id DESC)`);
    // The number of workflows of an account in each status, spread over slots so that creates don't wait for one row.
    await runner.query(`
      CREATE TABLE workflow_totals (
        account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
        status text NOT NULL,
        slot smallint NOT NULL,
        total bigint NOT NULL,
        PRIMARY KEY (account_id, status, slot)
      ) WITH (fillfactor = 50)`);
    // Each save creates a new list, so that a run keeps the one it started with. The body is sealed.
    await runner.query(`
      CREATE TABLE action_lists (
        id uuid PRIMARY KEY,
        account_id uuid NOT NULL,
        workflow_id uuid NOT NULL REFERENCES workflows ON DELETE CASCADE,
        body text NOT NULL,
        created_at timestamptz(3) NOT NULL
      )`);
    await runner.query(`CREATE INDEX action_lists_by_workflow ON action_lists (workflow_id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE action_lists`);
    await runner.query(`DROP TABLE workflow_totals`);
    await runner.query(`DROP TABLE workflows`);
  }
}
