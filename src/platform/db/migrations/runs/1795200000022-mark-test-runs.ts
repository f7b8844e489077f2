import { type MigrationInterface, type QueryRunner } from 'typeorm';

export class MarkTestRuns1795200000022 implements MigrationInterface {
  name = 'MarkTestRuns1795200000022';

  async up(runner: QueryRunner): Promise<void> {
    // A run to try a workflow out: it is not counted, and webhooks receive no events of it.
    await runner.query(`ALTER TABLE runs ADD COLUMN is_test boolean NOT NULL DEFAULT false`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE runs DROP COLUMN is_test`);
  }
}
