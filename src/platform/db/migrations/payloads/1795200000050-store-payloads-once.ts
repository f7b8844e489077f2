import { type MigrationInterface, type QueryRunner } from 'typeorm';

export class StorePayloadsOnce1795200000050 implements MigrationInterface {
  name = 'StorePayloadsOnce1795200000050';

  async up(runner: QueryRunner): Promise<void> {
    // A JSON text that runs and events of webhooks refer to. Not of the type json: PostgreSQL knows the length of a text
    // without reading it.
    await runner.query(`
      CREATE TABLE payloads (
        id uuid PRIMARY KEY,
        account_id uuid NOT NULL,
        body text NOT NULL
      ) PARTITION BY RANGE (id)`);
    await runner.query(`CREATE TABLE payloads_default PARTITION OF payloads DEFAULT`);
    // One of both holds the input; runs of earlier versions have all of it in "input" and no "input_bytes".
    await runner.query(`ALTER TABLE runs ADD COLUMN payload_id uuid, ADD COLUMN input_bytes integer`);
    // The body of an event with a payload is body, payload and tail, one after the other.
    await runner.query(`ALTER TABLE webhook_events ADD COLUMN payload_id uuid, ADD COLUMN tail text`);
    await runner.query(`
      CREATE FUNCTION record_webhook_event(
        webhooks uuid[], event uuid, account uuid, event_type text, hop_count integer, event_body text,
        event_payload uuid, event_tail text, happened_at timestamptz, keep_it_until timestamptz)
        RETURNS void LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM record_webhook_event(
          webhooks, event, account, event_type, hop_count, event_body, happened_at, keep_it_until);
        IF event_payload IS NOT NULL THEN
          UPDATE webhook_events SET payload_id = event_payload, tail = event_tail WHERE id = event;
        END IF;
      END $$`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      `DROP FUNCTION record_webhook_event(uuid[], uuid, uuid, text, integer, text, uuid, text, timestamptz, timestamptz)`,
    );
    await runner.query(`
      UPDATE webhook_events e SET body = e.body || p.body || e.tail FROM payloads p WHERE p.id = e.payload_id`);
    await runner.query(`ALTER TABLE webhook_events DROP COLUMN payload_id, DROP COLUMN tail`);
    await runner.query(`UPDATE runs r SET input = p.body::json FROM payloads p WHERE p.id = r.payload_id`);
    await runner.query(`ALTER TABLE runs DROP COLUMN payload_id, DROP COLUMN input_bytes`);
    await runner.query(`DROP TABLE payloads`);
  }
}
