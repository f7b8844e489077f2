import { type MigrationInterface, type QueryRunner } from 'typeorm';

export class LetRunsBeCarriedOut1795200000008 implements MigrationInterface {
  name = 'LetRunsBeCarriedOut1795200000008';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE runs
        -- The claim of the worker that executes it now; writes of any other worker are refused.
        ADD COLUMN claim uuid,
        -- For a waiting run: the time at which it continues.
        ADD COLUMN resume_at timestamptz(3),
        ADD COLUMN cancel_requested boolean NOT NULL DEFAULT false`);
    await runner.query(`
      CREATE TABLE mails (
        id uuid PRIMARY KEY,
        account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
        recipients text[] NOT NULL,
        subject text NOT NULL,
        text text NOT NULL,
        -- Of two mails with one key, only the first is sent.
        key text NOT NULL UNIQUE,
        attempts integer NOT NULL DEFAULT 0,
        -- Null once the mail is sent or given up.
        next_attempt_at timestamptz(3),
        created_at timestamptz(3) NOT NULL
      )`);
    await runner.query(`CREATE INDEX mails_due ON mails (next_attempt_at) WHERE next_attempt_at IS NOT NULL`);
    await runner.query(`CREATE INDEX mails_to_prune ON mails (created_at)`);
    await runner.query(`CREATE INDEX runs_waiting ON runs (resume_at) WHERE resume_at IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX runs_waiting`);
    await runner.query(`DROP TABLE mails`);
    await runner.query(`ALTER TABLE runs DROP COLUMN claim, DROP COLUMN resume_at, DROP COLUMN cancel_requested`);
  }
}
