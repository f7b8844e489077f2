import { type MigrationInterface, type QueryRunner } from 'typeorm';

export class CreateAccountsAndApiKeys1795200000001 implements MigrationInterface {
  name = 'CreateAccountsAndApiKeys1795200000001';

  async up(runner: QueryRunner): Promise<void> {
    // The one clock of SQL. Tests replace the function; nothing else in SQL reads the time.
    await runner.query(`CREATE FUNCTION clock_now() RETURNS timestamptz LANGUAGE sql STABLE AS 'SELECT now()'`);
    await runner.query(`
      CREATE TABLE accounts (
        id uuid PRIMARY KEY,
        name text NOT NULL UNIQUE,
        -- Numbers the account's integration changes without gaps, in the order of their commits.
        change_position bigint NOT NULL DEFAULT 0,
        created_at timestamptz(3) NOT NULL
      )`);
    await runner.query(`
      CREATE TABLE api_keys (
        id uuid PRIMARY KEY,
        account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
        label text NOT NULL,
        scope text NOT NULL CHECK (scope IN ('read-only', 'read-write')),
        digest bytea NOT NULL UNIQUE,
        last_four text NOT NULL,
        created_at timestamptz(3) NOT NULL,
        last_used_at timestamptz(3),
        expires_at timestamptz(3),
        revoked_at timestamptz(3)
      )`);
    await runner.query(`CREATE INDEX api_keys_by_account ON api_keys (account_id, id DESC)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE api_keys`);
    await runner.query(`DROP TABLE accounts`);
    await runner.query(`DROP FUNCTION clock_now()`);
  }
}
