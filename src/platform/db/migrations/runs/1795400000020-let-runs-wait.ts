import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Runs that wait for something outside: `waits` has a row from the moment that a run reaches its wait, or that an answer
 * arrives before it. All new columns are null or constant at first, so no row is rewritten.
 */
export class LetRunsWait1795400000020 implements MigrationInterface {
  readonly name = 'LetRunsWait1795400000020';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE runs ADD COLUMN wait_changed_at timestamptz(3), ADD COLUMN waited_ms bigint NOT NULL DEFAULT 0`);
    await runner.query(`ALTER TABLE steps ADD COLUMN first_run_id uuid`);
    // Not validated, because every row that the narrower constraint has let in fits.
    await runner.query(`ALTER TABLE runs DROP CONSTRAINT runs_status_check`);
    await runner.query(`
      ALTER TABLE runs ADD CONSTRAINT runs_status_check
        CHECK (status IN ('queued', 'running', 'waiting', 'succeeded', 'failed', 'canceled', 'skipped')) NOT VALID`);
    await runner.query(`
      CREATE TABLE kept_secrets (
        id uuid PRIMARY KEY,
        account_id uuid NOT NULL,
        name text NOT NULL,
        secret text NOT NULL
      )`);
    await runner.query(`
      CREATE TABLE waits (
        id uuid PRIMARY KEY,
        account_id uuid NOT NULL,
        workflow_id uuid NOT NULL,
        run_id uuid NOT NULL,
        step_index integer NOT NULL,
        step text NOT NULL,
        kind text NOT NULL,
        status text NOT NULL,
        title text,
        text text,
        approvers json,
        on_denied text,
        on_timeout text,
        integration_type text,
        reference text,
        repeats boolean NOT NULL DEFAULT false,
        connect_session_id uuid,
        answer json,
        answer_digest bytea,
        answered_by text,
        is_test boolean NOT NULL,
        hops integer NOT NULL,
        created_at timestamptz(3) NOT NULL,
        expires_at timestamptz(3),
        answered_at timestamptz(3),
        UNIQUE (run_id, step_index)
      )`);
    await runner.query(`CREATE INDEX waits_of_account ON waits (account_id, id)`);
    await runner.query(`CREATE INDEX waits_of_workflow ON waits (workflow_id, id)`);
    await runner.query(`CREATE INDEX pending_waits ON waits (account_id, id) WHERE status = 'pending'`);
    await runner.query(`CREATE INDEX waits_to_expire ON waits (expires_at) WHERE status = 'pending'`);
    await runner.query(`
      CREATE INDEX waits_for_connections ON waits (account_id, integration_type, reference)
        WHERE status = 'pending' AND kind = 'connection'`);
    await runner.query(`
      CREATE TABLE wait_changes (
        id uuid PRIMARY KEY,
        account_id uuid NOT NULL,
        wait_id uuid NOT NULL,
        run_id uuid NOT NULL,
        kind text NOT NULL,
        position bigint NOT NULL,
        previous_status text,
        status text NOT NULL,
        at timestamptz(3) NOT NULL
      )`);
    await runner.query(`CREATE UNIQUE INDEX wait_changes_in_order ON wait_changes (account_id, position)`);
    await runner.query(`CREATE INDEX wait_changes_of_wait ON wait_changes (wait_id, position)`);
    await runner.query(`CREATE INDEX wait_changes_to_prune ON wait_changes (at)`);
    await runner.query(`
      CREATE TABLE wait_counters (
        account_id uuid PRIMARY KEY,
        position bigint NOT NULL DEFAULT 0,
        pending integer NOT NULL DEFAULT 0
      )`);
    await runner.query(`
      CREATE TABLE connection_answers (
        id uuid PRIMARY KEY,
        account_id uuid NOT NULL,
        integration_id uuid NOT NULL,
        integration_type text NOT NULL,
        reference text NOT NULL
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE connection_answers, wait_counters, wait_changes, waits, kept_secrets`);
    await runner.query(`ALTER TABLE runs DROP CONSTRAINT runs_status_check`);
    await runner.query(`
      ALTER TABLE runs ADD CONSTRAINT runs_status_check
        CHECK (status IN ('queued', 'running', 'succeeded', 'failed', 'canceled', 'skipped'))`);
    await runner.query(`ALTER TABLE steps DROP COLUMN first_run_id`);
    await runner.query(`ALTER TABLE runs DROP COLUMN wait_changed_at, DROP COLUMN waited_ms`);
  }
}
