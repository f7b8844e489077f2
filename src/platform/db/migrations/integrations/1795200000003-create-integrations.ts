import { type MigrationInterface, type QueryRunner } from 'typeorm';

export class CreateIntegrations1795200000003 implements MigrationInterface {
  name = 'CreateIntegrations1795200000003';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE integrations (
        id uuid PRIMARY KEY,
        account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
        type text NOT NULL,
        auth text NOT NULL CHECK (auth IN ('oauth2', 'api_key')),
        name text NOT NULL,
        status text NOT NULL CHECK (status IN ('pending', 'connected', 'expired', 'disconnected')),
        status_reason text,
        version integer NOT NULL,
        reference text,
        parameters json NOT NULL,
        scopes text[] NOT NULL DEFAULT '{}',
        external_id text,
        external_name text,
        -- Sealed: the API key, or the tokens.
        credentials text,
        access_expires_at timestamptz(3),
        refresh_expires_at timestamptz(3),
        expires_at timestamptz(3),
        -- The time of the next renewal; null if the integration cannot be renewed.
        renew_at timestamptz(3),
        renewal_failures integer NOT NULL DEFAULT 0,
        -- The claim of the process that renews the token, and the end of the claim.
        renewal_id uuid,
        renewal_until timestamptz(3),
        events_digest bytea NOT NULL UNIQUE,
        events_token text NOT NULL,
        events_secret text NOT NULL,
        connected_at timestamptz(3),
        created_at timestamptz(3) NOT NULL,
        -- A deleted integration keeps its history for listeners, without credentials, for 30 days.
        deleted_at timestamptz(3)
      ) WITH (fillfactor = 80)`);
    await runner.query(
      `CREATE INDEX integrations_by_account ON integrations (account_id, id DESC) WHERE deleted_at IS NULL`,
    );
    await runner.query(
      `CREATE INDEX integrations_by_reference ON integrations (account_id, reference, id DESC) WHERE deleted_at IS NULL`,
    );
    await runner.query(`CREATE INDEX integrations_to_renew ON integrations (renew_at) WHERE renew_at IS NOT NULL`);
    await runner.query(
      `CREATE INDEX integrations_to_expire ON integrations (expires_at) WHERE status = 'connected' AND expires_at IS NOT NULL`,
    );
    await runner.query(`CREATE INDEX integrations_to_purge ON integrations (deleted_at) WHERE deleted_at IS NOT NULL`);
    await runner.query(`
      CREATE TABLE integration_changes (
        id uuid PRIMARY KEY,
        account_id uuid NOT NULL,
        integration_id uuid NOT NULL REFERENCES integrations ON DELETE CASCADE,
        position bigint NOT NULL,
        version integer NOT NULL,
        previous_status text,
        status text NOT NULL,
        reason text,
        at timestamptz(3) NOT NULL,
        UNIQUE (account_id, position),
        UNIQUE (integration_id, version)
      )`);
    await runner.query(`
      CREATE TABLE authorizations (
        id uuid PRIMARY KEY,
        account_id uuid NOT NULL,
        integration_id uuid NOT NULL UNIQUE REFERENCES integrations ON DELETE CASCADE,
        state_digest bytea NOT NULL UNIQUE,
        ticket_digest bytea NOT NULL UNIQUE,
        -- Sealed: state and code_verifier.
        secrets text NOT NULL,
        browser_digest bytea,
        return_url text,
        -- The status after a failure of the flow.
        resume_status text NOT NULL CHECK (resume_status IN ('connected', 'expired', 'disconnected')),
        created_at timestamptz(3) NOT NULL,
        expires_at timestamptz(3) NOT NULL,
        -- When a callback took the state. The row stays until the flow ends, so that a crash in between is noticed.
        consumed_at timestamptz(3)
      )`);
    await runner.query(`CREATE INDEX authorizations_to_end ON authorizations (expires_at)`);
    // Codes and tokens that the built-in sandbox provider has issued, by their SHA-256.
    await runner.query(`
      CREATE TABLE sandbox_grants (
        digest bytea PRIMARY KEY,
        kind text NOT NULL,
        family uuid,
        payload json NOT NULL,
        expires_at timestamptz(3) NOT NULL
      )`);
    await runner.query(`CREATE INDEX sandbox_grants_by_family ON sandbox_grants (family)`);
    await runner.query(`CREATE INDEX sandbox_grants_to_purge ON sandbox_grants (expires_at)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE sandbox_grants`);
    await runner.query(`DROP TABLE authorizations`);
    await runner.query(`DROP TABLE integration_changes`);
    await runner.query(`DROP TABLE integrations`);
  }
}
