import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** `triggers_due` is sorted over all accounts: finding the next ticks of one account would read those of the others. */
export class TellUpcomingFirings1795200000021 implements MigrationInterface {
  name = 'TellUpcomingFirings1795200000021';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE INDEX triggers_upcoming ON triggers (account_id, next_fire_at) WHERE next_fire_at IS NOT NULL`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX triggers_upcoming`);
  }
}
