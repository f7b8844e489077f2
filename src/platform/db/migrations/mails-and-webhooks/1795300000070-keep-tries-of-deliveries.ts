import { type MigrationInterface, type QueryRunner } from 'typeorm';

export class KeepTriesOfDeliveries1795300000070 implements MigrationInterface {
  name = 'KeepTriesOfDeliveries1795300000070';

  async up(runner: QueryRunner): Promise<void> {
    // A constant default rewrites no row. Deliveries of before have no tries, although they have attempts.
    await runner.query(`ALTER TABLE webhook_deliveries ADD COLUMN tries jsonb NOT NULL DEFAULT '[]'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE webhook_deliveries DROP COLUMN tries`);
  }
}
