import { type MigrationInterface, type QueryRunner } from 'typeorm';

export class AddPasskeys1795400000500 implements MigrationInterface {
  name = 'AddPasskeys1795400000500';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE passkeys (
        id uuid PRIMARY KEY,
        user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
        credential_id bytea NOT NULL UNIQUE,
        -- COSE.
        public_key bytea NOT NULL,
        -- How often it has signed; 0 from devices that do not count.
        counter bigint NOT NULL,
        transports text[] NOT NULL,
        name text NOT NULL,
        created_at timestamptz(3) NOT NULL,
        used_at timestamptz(3)
      )`);
    await runner.query(`CREATE INDEX passkeys_by_user ON passkeys (user_id)`);
    // The challenges that a passkey has signed, until they expire: each signs in once.
    await runner.query(`
      CREATE TABLE spent_challenges (
        -- SHA-256 of the challenge.
        digest bytea PRIMARY KEY,
        expires_at timestamptz(3) NOT NULL
      )`);
    await runner.query(`CREATE INDEX spent_challenges_to_prune ON spent_challenges (expires_at)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE spent_challenges`);
    await runner.query(`DROP TABLE passkeys`);
  }
}
