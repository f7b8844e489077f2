import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** A retry of a skipped run claims the key of its firing. Null for all other runs, and for those of the version before. */
export class KeepKeysOfSkippedRuns1795600000110 implements MigrationInterface {
  readonly name = 'KeepKeysOfSkippedRuns1795600000110';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE runs ADD COLUMN firing_key text`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE runs DROP COLUMN firing_key`);
  }
}
