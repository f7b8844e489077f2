import { type MigrationInterface, type QueryRunner } from 'typeorm';

export class FanEventsOut1795200000060 implements MigrationInterface {
  name = 'FanEventsOut1795200000060';

  async up(runner: QueryRunner): Promise<void> {
    // The remaining triggers of an event that fires more of them than one transaction handles.
    await runner.query(`
      CREATE TABLE event_fan_outs (
        id uuid PRIMARY KEY,
        account_id uuid NOT NULL,
        -- Sorted by the locking order of their workflows.
        triggers uuid[] NOT NULL,
        key text,
        hops integer NOT NULL,
        source_lost boolean NOT NULL,
        -- As in "runs".
        input json,
        payload_id uuid,
        input_bytes integer NOT NULL
      )`);
    await runner.query(`CREATE INDEX event_fan_outs_by_account ON event_fan_outs (account_id, id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE event_fan_outs`);
  }
}
