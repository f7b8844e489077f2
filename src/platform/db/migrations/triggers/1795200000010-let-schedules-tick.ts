import { type MigrationInterface, type QueryRunner } from 'typeorm';

export class LetSchedulesTick1795200000010 implements MigrationInterface {
  name = 'LetSchedulesTick1795200000010';

  async up(runner: QueryRunner): Promise<void> {
    // Earlier versions fired no schedules, so past ticks were not missed. Without a next tick there is no next time.
    await runner.query(`
      UPDATE triggers t SET next_fire_at = CASE WHEN w.status = 'active' THEN greatest(t.next_fire_at, now()) END
      FROM workflows w WHERE w.id = t.workflow_id AND t.next_fire_at IS NOT NULL`);
    await runner.query(`
      ALTER TABLE triggers ADD CONSTRAINT triggers_tick
        CHECK (next_fire_at IS NULL OR (type = 'schedule' AND status = 'active'))`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE triggers DROP CONSTRAINT triggers_tick`);
  }
}
