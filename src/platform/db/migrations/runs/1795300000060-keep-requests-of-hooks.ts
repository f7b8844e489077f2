import { type MigrationInterface, type QueryRunner } from 'typeorm';

export class KeepRequestsOfHooks1795300000060 implements MigrationInterface {
  name = 'KeepRequestsOfHooks1795300000060';

  async up(runner: QueryRunner): Promise<void> {
    // The headers and the query of the post to an inbound hook that fired a run; null for runs without one.
    await runner.query(`ALTER TABLE runs ADD COLUMN trigger_headers json, ADD COLUMN trigger_query json`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE runs DROP COLUMN trigger_headers, DROP COLUMN trigger_query`);
  }
}
