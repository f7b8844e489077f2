import { type MigrationInterface, type QueryRunner } from 'typeorm';

export class CountHopsOfFlows1795200000017 implements MigrationInterface {
  name = 'CountHopsOfFlows1795200000017';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE authorizations ADD COLUMN hops integer NOT NULL DEFAULT 0`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE authorizations DROP COLUMN hops`);
  }
}
