import { type MigrationInterface, type QueryRunner } from 'typeorm';

export class CreateConnectSessions1795200000007 implements MigrationInterface {
  name = 'CreateConnectSessions1795200000007';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE connect_sessions (
        id uuid PRIMARY KEY,
        account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
        -- SHA-256 of the token, and of the ticket in the URL of the page.
        digest bytea NOT NULL UNIQUE,
        ticket_digest bytea NOT NULL UNIQUE,
        -- The type that the session is limited to; null: the browser chooses.
        type text,
        -- The integration to reconnect. Null: the session creates an integration, which then refers to the session.
        integration_id uuid REFERENCES integrations ON DELETE CASCADE,
        label text,
        reference text,
        return_url text,
        parameters json,
        created_at timestamptz(3) NOT NULL,
        expires_at timestamptz(3) NOT NULL
      )`);
    await runner.query(`CREATE INDEX connect_sessions_to_prune ON connect_sessions (expires_at)`);
    await runner.query(`CREATE INDEX connect_sessions_by_integration ON connect_sessions (integration_id)`);
    // No foreign key: an integration keeps the id of its session after the session is deleted.
    await runner.query(`ALTER TABLE integrations ADD COLUMN connect_session_id uuid`);
    await runner.query(
      `CREATE INDEX integrations_by_connect_session ON integrations (connect_session_id) WHERE connect_session_id IS NOT NULL`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX integrations_by_connect_session`);
    await runner.query(`ALTER TABLE integrations DROP COLUMN connect_session_id`);
    await runner.query(`DROP TABLE connect_sessions`);
  }
}
