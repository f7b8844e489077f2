import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** State for responses with 401 from an application in use. Both columns are null at first, so no row is rewritten. */
export class NoticeDeadConnections1795300000010 implements MigrationInterface {
  readonly name = 'NoticeDeadConnections1795300000010';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE integrations
        ADD COLUMN probed_at timestamptz(3),
        ADD COLUMN unauthorized_since timestamptz(3)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE integrations DROP COLUMN probed_at, DROP COLUMN unauthorized_since`);
  }
}
