import { type MigrationInterface, type QueryRunner } from 'typeorm';

export class CreateRuns1795200000005 implements MigrationInterface {
  name = 'CreateRuns1795200000005';

  async up(runner: QueryRunner): Promise<void> {
    // A UUIDv7 begins with its time, so partitions by id are partitions by time, and the primary key is the id alone.
    await runner.query(`
      CREATE TABLE runs (
        id uuid PRIMARY KEY,
        account_id uuid NOT NULL,
        workflow_id uuid NOT NULL,
        trigger_id uuid,
        trigger_type text NOT NULL,
        status text NOT NULL CHECK (status IN ('queued', 'running', 'succeeded', 'failed', 'canceled', 'skipped')),
        status_reason text,
        version integer NOT NULL DEFAULT 1,
        attempt integer NOT NULL DEFAULT 1,
        retry_of uuid,
        input json,
        error json,
        actions_id uuid,
        -- The number of consecutive runs that led to this one; its own requests carry one more.
        hops integer NOT NULL DEFAULT 0,
        scheduled_for timestamptz(3),
        created_at timestamptz(3) NOT NULL,
        started_at timestamptz(3),
        finished_at timestamptz(3)
      ) PARTITION BY RANGE (id)`);
    await runner.query(`CREATE INDEX runs_by_account ON runs (account_id, id DESC)`);
    await runner.query(`CREATE INDEX runs_by_workflow ON runs (workflow_id, id DESC)`);
    await runner.query(`CREATE INDEX runs_by_trigger ON runs (trigger_id, id DESC)`);
    await runner.query(`CREATE INDEX runs_open ON runs (workflow_id) WHERE status IN ('queued', 'running')`);
    await runner.query(`
      CREATE TABLE steps (
        run_id uuid NOT NULL,
        index integer NOT NULL,
        account_id uuid NOT NULL,
        name text NOT NULL,
        kind text NOT NULL,
        status text NOT NULL,
        attempt integer NOT NULL,
        output json,
        error json,
        started_at timestamptz(3),
        finished_at timestamptz(3),
        PRIMARY KEY (run_id, index)
      ) PARTITION BY RANGE (run_id)`);
    // For rows outside of every weekly partition; empty while partitions are created ahead of time.
    await runner.query(`CREATE TABLE runs_default PARTITION OF runs DEFAULT`);
    await runner.query(`CREATE TABLE steps_default PARTITION OF steps DEFAULT`);
    // A firing happens once: its key is the scheduled minute, the dedupe value or the delivery id.
    await runner.query(`
      CREATE TABLE firings (
        trigger_id uuid NOT NULL,
        key text NOT NULL,
        run_id uuid NOT NULL,
        created_at timestamptz(3) NOT NULL,
        PRIMARY KEY (trigger_id, key)
      )`);
    await runner.query(`CREATE INDEX firings_to_prune ON firings (created_at)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE firings`);
    await runner.query(`DROP TABLE steps`);
    await runner.query(`DROP TABLE runs`);
  }
}
