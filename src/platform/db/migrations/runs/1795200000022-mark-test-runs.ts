import { type MigrationInterface, type QueryRunner } from 'typeorm';

export class MarkTestRuns1795200000022 implements MigrationInterface {
  name = 'MarkTestRuns1795200000022';

  async up(runner: QueryRunner): Promise<void> {
    // Asked for by a person who tries a workflow out: not counted, and no webhook hears of it.
    await runner.query(`ALTER TABLE runs ADD COLUMN is_test boolean NOT NULL DEFAULT false`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE runs DROP COLUMN is_test`);
  }
}
