import { type MigrationInterface, type QueryRunner } from 'typeorm';

export class RecordWebhookEvents1795200000016 implements MigrationInterface {
  name = 'RecordWebhookEvents1795200000016';

  async up(runner: QueryRunner): Promise<void> {
    // A function, so that a statement without a receiving webhook does not read the tables of webhooks.
    await runner.query(`
      CREATE FUNCTION record_webhook_event(
        webhooks uuid[], event uuid, account uuid, event_type text, hop_count integer, event_body text,
        happened_at timestamptz, keep_it_until timestamptz) RETURNS void LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO webhook_events (id, account_id, hops, body, keep_until)
          VALUES (event, account, hop_count, event_body, keep_it_until);
        INSERT INTO webhook_deliveries (id, account_id, webhook_id, event_id, type, status, attempts, next_attempt_at, created_at)
          SELECT uuid_at(happened_at), account, wanting, event, event_type, 'pending', 0, happened_at, happened_at
          FROM unnest(webhooks) wanting;
      END $$`);
    // The number of consecutive runs that led to this delivery, if it is higher than that of the event.
    await runner.query(`ALTER TABLE webhook_deliveries ADD COLUMN hops integer`);
    await runner.query(`CREATE INDEX webhooks_disabled ON webhooks (id) WHERE status = 'disabled'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX webhooks_disabled`);
    await runner.query(`ALTER TABLE webhook_deliveries DROP COLUMN hops`);
    await runner.query(
      `DROP FUNCTION record_webhook_event(uuid[], uuid, uuid, text, integer, text, timestamptz, timestamptz)`,
    );
  }
}
