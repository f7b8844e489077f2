import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Stores with each change of a run which transactions had ended by then, so that a listener can resume behind it. Runs of
 * before have no marks: their changes of the last minute are delivered again.
 */
export class LetRunListenersResume1795300000080 implements MigrationInterface {
  name = 'LetRunListenersResume1795300000080';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE FUNCTION change_mark() RETURNS bigint LANGUAGE sql STABLE AS $$
        SELECT (pg_current_xact_id()::text::bigint << 16)
          | least(pg_current_xact_id()::text::bigint - pg_snapshot_xmin(pg_current_snapshot())::text::bigint, 65535)
      $$`);
    await runner.query(`
      COMMENT ON FUNCTION change_mark() IS
        'The current transaction (48 bits), and how far below it the oldest open one is (16 bits; 65535: farther).'`);
    // Without a default at first, because PostgreSQL would rewrite the rows.
    await runner.query(`ALTER TABLE runs ADD COLUMN change_marks bigint[]`);
    await runner.query(`ALTER TABLE runs ALTER COLUMN change_marks SET DEFAULT ARRAY[change_mark()]`);
    await runner.query(`
      CREATE TABLE late_run_changes (
        account_id uuid NOT NULL,
        at timestamptz(3) NOT NULL,
        run_id uuid NOT NULL,
        version integer NOT NULL,
        workflow_id uuid NOT NULL,
        previous_status text NOT NULL,
        status text NOT NULL,
        mark bigint NOT NULL DEFAULT change_mark(),
        PRIMARY KEY (account_id, at, run_id, version)
      )`);
    await runner.query(`CREATE INDEX late_run_changes_to_prune ON late_run_changes (at)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE late_run_changes`);
    await runner.query(`ALTER TABLE runs DROP COLUMN change_marks`);
    await runner.query(`DROP FUNCTION change_mark`);
  }
}
