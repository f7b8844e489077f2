import { type MigrationInterface, type QueryRunner } from 'typeorm';

export class KeepEndsOfKeys1795200000024 implements MigrationInterface {
  name = 'KeepEndsOfKeys1795200000024';

  async up(runner: QueryRunner): Promise<void> {
    // The expiry that the creator chose. A rotation shortens `expires_at`, and the next key must not inherit that.
    await runner.query(`ALTER TABLE api_keys ADD COLUMN own_end timestamptz(3)`);
    await runner.query(`UPDATE api_keys SET own_end = expires_at`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE api_keys DROP COLUMN own_end`);
  }
}
