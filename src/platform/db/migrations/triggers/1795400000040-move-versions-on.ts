import { type MigrationInterface, type QueryRunner } from 'typeorm';

export class MoveVersionsOn1795400000040 implements MigrationInterface {
  name = 'MoveVersionsOn1795400000040';

  async up(runner: QueryRunner): Promise<void> {
    // The time of the last change, later with each. Existing rows get the time of the migration, without a rewrite:
    // the default is evaluated once. It also lets a process of the earlier version insert rows.
    for (const table of ['triggers', 'webhooks'])
      await runner.query(`ALTER TABLE ${table} ADD COLUMN updated_at timestamptz(3) NOT NULL DEFAULT clock_now()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['triggers', 'webhooks']) await runner.query(`ALTER TABLE ${table} DROP COLUMN updated_at`);
  }
}
