import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Workflows whose runs fail in a row: how many do, whether their users know, and the notices to be mailed. */
export class NoticeFailingWorkflows1795500000120 implements MigrationInterface {
  readonly name = 'NoticeFailingWorkflows1795500000120';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE workflows ADD COLUMN failure_notice_after integer DEFAULT 3`);
    // A workflow has a row from its first failure on. Successes of a healthy workflow write nothing.
    await runner.query(`
      CREATE TABLE workflow_failures (
        workflow_id uuid PRIMARY KEY,
        account_id uuid NOT NULL,
        -- The runs that have failed since the last success; it stops at the notice.
        failures integer NOT NULL,
        is_noticed boolean NOT NULL
      )`);
    await runner.query(`
      CREATE TABLE failure_notices (
        id uuid PRIMARY KEY,
        account_id uuid NOT NULL,
        workflow_id uuid NOT NULL,
        workflow_name text NOT NULL,
        failures integer NOT NULL,
        run_id uuid NOT NULL
      )`);
    await runner.query(`CREATE INDEX failure_notices_by_account ON failure_notices (account_id, id)`);
    await runner.query(`
      CREATE TABLE failure_mails (
        -- An account, or 'contact' for all accounts without users.
        recipient text PRIMARY KEY,
        sent_at timestamptz(3) NOT NULL
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE failure_mails, failure_notices, workflow_failures`);
    await runner.query(`ALTER TABLE workflows DROP COLUMN failure_notice_after`);
  }
}
