import { type MigrationInterface, type QueryRunner } from 'typeorm';

export class CreateUsers1795200000020 implements MigrationInterface {
  name = 'CreateUsers1795200000020';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE users (
        id uuid PRIMARY KEY,
        account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
        -- In lower case. One person is a user of one account.
        email text NOT NULL UNIQUE CHECK (email = lower(email)),
        email_verified boolean NOT NULL DEFAULT false,
        name text NOT NULL,
        created_at timestamptz(3) NOT NULL,
        updated_at timestamptz(3) NOT NULL
      )`);
    await runner.query(`CREATE INDEX users_by_account ON users (account_id, id DESC)`);
    // How a user signs in: by password (provider 'credential', whose subject is the user's id), or at an issuer.
    await runner.query(`
      CREATE TABLE user_credentials (
        id uuid PRIMARY KEY,
        user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
        provider text NOT NULL,
        subject text NOT NULL,
        -- scrypt, with its salt.
        password text,
        created_at timestamptz(3) NOT NULL,
        updated_at timestamptz(3) NOT NULL,
        UNIQUE (provider, subject)
      )`);
    await runner.query(`CREATE INDEX user_credentials_by_user ON user_credentials (user_id)`);
    await runner.query(`
      CREATE TABLE user_sessions (
        id uuid PRIMARY KEY,
        user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
        -- SHA-256 of the token in the cookie.
        digest bytea NOT NULL UNIQUE,
        ip_address text,
        user_agent text,
        created_at timestamptz(3) NOT NULL,
        updated_at timestamptz(3) NOT NULL,
        expires_at timestamptz(3) NOT NULL
      )`);
    await runner.query(`CREATE INDEX user_sessions_by_user ON user_sessions (user_id)`);
    await runner.query(`CREATE INDEX user_sessions_to_prune ON user_sessions (expires_at)`);
    await runner.query(`
      CREATE TABLE invitations (
        id uuid PRIMARY KEY,
        account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
        email text NOT NULL CHECK (email = lower(email)),
        -- SHA-256 of the token in the link.
        digest bytea NOT NULL UNIQUE,
        created_at timestamptz(3) NOT NULL,
        expires_at timestamptz(3) NOT NULL,
        UNIQUE (account_id, email)
      )`);
    await runner.query(`CREATE INDEX invitations_by_email ON invitations (email)`);
    await runner.query(`CREATE INDEX invitations_to_prune ON invitations (expires_at)`);
    // At most one row: a process that starts later voids the link of an earlier one.
    await runner.query(`
      CREATE TABLE set_up_link (
        one boolean PRIMARY KEY DEFAULT true CHECK (one),
        digest bytea NOT NULL
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['set_up_link', 'invitations', 'user_sessions', 'user_credentials', 'users']) {
      await runner.query(`DROP TABLE ${table}`);
    }
  }
}
