import { type MigrationInterface, type QueryRunner } from 'typeorm';

export class NameTriggers1795300000200 implements MigrationInterface {
  readonly name = 'NameTriggers1795300000200';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE triggers ADD COLUMN name text`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE triggers DROP COLUMN name`);
  }
}
