import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** State for responses that ask to wait. All columns are null at first, so no row is rewritten. */
export class ShareBudgetsOfConnections1795400000010 implements MigrationInterface {
  readonly name = 'ShareBudgetsOfConnections1795400000010';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE integrations
        ADD COLUMN blocked_until timestamptz(3),
        ADD COLUMN trial_id uuid,
        ADD COLUMN trial_until timestamptz(3)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `ALTER TABLE integrations DROP COLUMN blocked_until, DROP COLUMN trial_id, DROP COLUMN trial_until`,
    );
  }
}
