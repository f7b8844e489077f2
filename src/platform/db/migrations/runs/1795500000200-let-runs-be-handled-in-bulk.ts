import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Retries and cancelations of many runs: what they match is fixed as rows of `bulk_items`, which workers delete as they execute them. */
export class LetRunsBeHandledInBulk1795500000200 implements MigrationInterface {
  readonly name = 'LetRunsBeHandledInBulk1795500000200';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE bulk_operations (
        id uuid PRIMARY KEY,
        account_id uuid NOT NULL,
        kind text NOT NULL,
        retry_from text,
        status text NOT NULL,
        matched integer NOT NULL,
        done integer NOT NULL DEFAULT 0,
        failed integer NOT NULL DEFAULT 0,
        actor text,
        hops integer NOT NULL,
        created_at timestamptz(3) NOT NULL
      )`);
    await runner.query(`
      CREATE INDEX bulk_operations_to_execute ON bulk_operations (account_id, id) WHERE status = 'running'`);
    await runner.query(`CREATE INDEX bulk_operations_to_prune ON bulk_operations (created_at)`);
    await runner.query(`
      CREATE TABLE bulk_items (
        bulk_id uuid NOT NULL,
        run_id uuid NOT NULL,
        PRIMARY KEY (bulk_id, run_id)
      )`);
    await runner.query(`
      CREATE TABLE bulk_changes (
        id uuid PRIMARY KEY,
        account_id uuid NOT NULL,
        bulk_id uuid NOT NULL,
        position bigint NOT NULL,
        kind text NOT NULL,
        status text NOT NULL,
        matched integer NOT NULL,
        done integer NOT NULL,
        failed integer NOT NULL,
        created_at timestamptz(3) NOT NULL,
        at timestamptz(3) NOT NULL
      )`);
    await runner.query(`CREATE UNIQUE INDEX bulk_changes_in_order ON bulk_changes (account_id, position)`);
    await runner.query(`CREATE INDEX bulk_changes_of_operation ON bulk_changes (bulk_id, position)`);
    await runner.query(`CREATE INDEX bulk_changes_to_prune ON bulk_changes (created_at)`);
    await runner.query(`
      CREATE TABLE bulk_counters (
        account_id uuid PRIMARY KEY,
        position bigint NOT NULL DEFAULT 0
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE bulk_counters, bulk_changes, bulk_items, bulk_operations`);
  }
}
