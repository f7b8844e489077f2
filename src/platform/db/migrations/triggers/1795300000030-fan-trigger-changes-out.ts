import { type MigrationInterface, type QueryRunner } from 'typeorm';

export class FanTriggerChangesOut1795300000030 implements MigrationInterface {
  readonly name = 'FanTriggerChangesOut1795300000030';

  async up(runner: QueryRunner): Promise<void> {
    // A change of more triggers than one transaction reports to webhooks: those that remain.
    await runner.query(`
      CREATE TABLE trigger_change_fan_outs (
        -- Ascends with the commits of an account: each locks the account first.
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        account_id uuid NOT NULL,
        triggers uuid[] NOT NULL,
        -- Of all of them after the change.
        status text NOT NULL,
        hops integer NOT NULL,
        at timestamptz(3) NOT NULL,
        -- Those that wanted the event when it happened.
        webhooks uuid[] NOT NULL
      )`);
    await runner.query(`CREATE INDEX trigger_change_fan_outs_by_account ON trigger_change_fan_outs (account_id, id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE trigger_change_fan_outs`);
  }
}
