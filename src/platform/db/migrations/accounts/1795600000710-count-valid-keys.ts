import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { createIndexConcurrently } from '../../concurrent-index.js';

/** An index for counting the keys of an account that work, without reading those that were revoked or have expired. */
export class CountValidKeys1795600000710 implements MigrationInterface {
  readonly name = 'CountValidKeys1795600000710';
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await createIndexConcurrently(runner, {
      name: 'api_keys_not_revoked',
      table: 'api_keys',
      on: `(account_id, coalesce(expires_at, 'infinity')) WHERE revoked_at IS NULL`,
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX api_keys_not_revoked`);
  }
}
