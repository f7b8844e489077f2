import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * The audit log, partitioned by weeks of its ids, which are UUIDv7. The trigger refuses statements on the table itself;
 * partitions are dropped by their names.
 */
export class KeepAnAuditLog1795500000210 implements MigrationInterface {
  readonly name = 'KeepAnAuditLog1795500000210';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE audit_log (
        id uuid PRIMARY KEY,
        account_id uuid NOT NULL,
        at timestamptz(3) NOT NULL,
        author_kind text NOT NULL,
        author_id uuid,
        author_name text,
        action text NOT NULL,
        resource_type text NOT NULL,
        resource_id uuid NOT NULL,
        resource_name text,
        address text,
        before json,
        after json
      ) PARTITION BY RANGE (id)`);
    await runner.query(`CREATE TABLE audit_log_default PARTITION OF audit_log DEFAULT`);
    await runner.query(`CREATE INDEX audit_log_of_account ON audit_log (account_id, id)`);
    await runner.query(`CREATE INDEX audit_log_of_resource ON audit_log (resource_id, id)`);
    await runner.query(`
      CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'The audit log is only written, never changed.'; END $$`);
    await runner.query(`
      CREATE TRIGGER audit_log_is_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_log
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE audit_log`);
    await runner.query(`DROP FUNCTION refuse_audit_change`);
  }
}
