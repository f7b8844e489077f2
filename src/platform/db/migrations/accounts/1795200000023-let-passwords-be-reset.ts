import { type MigrationInterface, type QueryRunner } from 'typeorm';

export class LetPasswordsBeReset1795200000023 implements MigrationInterface {
  name = 'LetPasswordsBeReset1795200000023';

  async up(runner: QueryRunner): Promise<void> {
    // One row per user: a new link voids the previous one.
    await runner.query(`
      CREATE TABLE password_resets (
        user_id uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
        -- SHA-256 of the token in the link.
        digest bytea NOT NULL UNIQUE,
        created_at timestamptz(3) NOT NULL,
        expires_at timestamptz(3) NOT NULL
      )`);
    await runner.query(`CREATE INDEX password_resets_to_prune ON password_resets (expires_at)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE password_resets`);
  }
}
