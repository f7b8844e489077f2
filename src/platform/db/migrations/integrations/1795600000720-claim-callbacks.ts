import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Names the callback that has consumed a state, so that it can repeat a statement whose response was lost. */
export class ClaimCallbacks1795600000720 implements MigrationInterface {
  readonly name = 'ClaimCallbacks1795600000720';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE authorizations ADD COLUMN consumed_by uuid`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE authorizations DROP COLUMN consumed_by`);
  }
}
