import { type MigrationInterface, type QueryRunner } from 'typeorm';

export class CreateIdempotencyKeys1795200000006 implements MigrationInterface {
  name = 'CreateIdempotencyKeys1795200000006';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE idempotency_keys (
        account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
        -- SHA-256 of key and path.
        digest bytea NOT NULL,
        -- SHA-256 of the body's bytes.
        body_digest bytea NOT NULL,
        claim_id uuid NOT NULL,
        claimed_at timestamptz(3) NOT NULL,
        -- Null while the first request is in flight.
        status smallint,
        -- Sealed.
        answer text,
        PRIMARY KEY (account_id, digest)
      )`);
    await runner.query(`CREATE INDEX idempotency_keys_to_prune ON idempotency_keys (claimed_at)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE idempotency_keys`);
  }
}
