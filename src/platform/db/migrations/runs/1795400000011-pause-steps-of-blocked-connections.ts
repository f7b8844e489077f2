import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Since when a step has received nothing but requests to wait from its application. */
export class PauseStepsOfBlockedConnections1795400000011 implements MigrationInterface {
  readonly name = 'PauseStepsOfBlockedConnections1795400000011';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE steps ADD COLUMN blocked_since timestamptz(3)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE steps DROP COLUMN blocked_since`);
  }
}
