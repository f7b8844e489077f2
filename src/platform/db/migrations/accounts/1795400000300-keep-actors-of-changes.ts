import { type MigrationInterface, type QueryRunner } from 'typeorm';

export class KeepActorsOfChanges1795400000300 implements MigrationInterface {
  name = 'KeepActorsOfChanges1795400000300';

  async up(runner: QueryRunner): Promise<void> {
    // The public id of a user or an API key. Nullable without a default, so no row is rewritten.
    await runner.query(`ALTER TABLE integration_changes ADD COLUMN actor text`);
    await runner.query(`ALTER TABLE webhooks ADD COLUMN disabled_by text`);
    await runner.query(`ALTER TABLE runs ADD COLUMN canceled_by text`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE runs DROP COLUMN canceled_by`);
    await runner.query(`ALTER TABLE webhooks DROP COLUMN disabled_by`);
    await runner.query(`ALTER TABLE integration_changes DROP COLUMN actor`);
  }
}
