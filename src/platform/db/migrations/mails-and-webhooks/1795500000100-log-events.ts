import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * The log of events. A transaction adds its events to `event_arrivals`, without waiting for others. A numberer moves each
 * committed one to `events` and gives it its position in the account, by which clients read.
 */
export class LogEvents1795500000100 implements MigrationInterface {
  readonly name = 'LogEvents1795500000100';

  async up(runner: QueryRunner): Promise<void> {
    // Existing accounts switch the log on themselves; new ones have it.
    await runner.query(`ALTER TABLE accounts ADD COLUMN event_log boolean NOT NULL DEFAULT false`);
    await runner.query(`ALTER TABLE accounts ALTER COLUMN event_log SET DEFAULT true`);
    // What a secret part of a body is derived from. It comes between body and tail, where other events have a payload.
    await runner.query(`ALTER TABLE webhook_events ADD COLUMN urls_of text`);
    await runner.query(`CREATE SEQUENCE event_places`);
    // Without an index: rows stay for a quarter of a second, and each index would cost every change that makes an event.
    // The numberer vacuums the table; a vacuum that gave pages back to the disk would stop writers.
    await runner.query(`
      CREATE TABLE event_arrivals (
        id uuid NOT NULL,
        account_id uuid NOT NULL,
        type text NOT NULL,
        at timestamptz(3) NOT NULL,
        -- Its order among events that are numbered together. Of two changes of a row the later one has the higher place.
        place bigint NOT NULL DEFAULT nextval('event_places'),
        -- Body, payload or derived part, and tail, one after the other.
        body text NOT NULL,
        payload_id uuid,
        tail text,
        urls_of text
      ) WITH (vacuum_truncate = off, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0)`);
    await runner.query(`
      CREATE TABLE events (
        id uuid PRIMARY KEY,
        account_id uuid NOT NULL,
        position bigint NOT NULL,
        type text NOT NULL,
        at timestamptz(3) NOT NULL,
        body text NOT NULL,
        payload_id uuid,
        tail text,
        urls_of text
      ) PARTITION BY RANGE (id)`);
    await runner.query(`CREATE INDEX events_in_order ON events (account_id, position)`);
    await runner.query(`CREATE INDEX events_by_payload ON events (payload_id) WHERE payload_id IS NOT NULL`);
    await runner.query(`CREATE TABLE events_default PARTITION OF events DEFAULT`);
    await runner.query(`
      CREATE TABLE event_counters (
        account_id uuid PRIMARY KEY,
        position bigint NOT NULL
      )`);
    // False: the first delivery gives its id to the header, as versions before this one did for every delivery.
    await runner.query(`ALTER TABLE webhook_deliveries ADD COLUMN names_event boolean NOT NULL DEFAULT false`);
    await runner.query(`
      CREATE FUNCTION record_deliveries(
        webhooks uuid[], event uuid, account uuid, event_type text, hop_count integer, event_body text,
        event_payload uuid, event_tail text, event_urls text, deliver_at timestamptz, keep_it_until timestamptz)
        RETURNS void LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO webhook_events (id, account_id, hops, body, payload_id, tail, urls_of, keep_until)
          VALUES (event, account, hop_count, event_body, event_payload, event_tail, event_urls, keep_it_until);
        INSERT INTO webhook_deliveries
          (id, account_id, webhook_id, event_id, type, status, attempts, next_attempt_at, created_at, names_event)
          SELECT uuid_at(deliver_at), account, wanting, event, event_type, 'pending', 0, deliver_at, deliver_at, true
          FROM unnest(webhooks) wanting;
      END $$`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP FUNCTION record_deliveries`);
    await runner.query(`ALTER TABLE webhook_deliveries DROP COLUMN names_event`);
    await runner.query(`DROP TABLE event_counters, events, event_arrivals`);
    await runner.query(`DROP SEQUENCE event_places`);
    await runner.query(`ALTER TABLE webhook_events DROP COLUMN urls_of`);
    await runner.query(`ALTER TABLE accounts DROP COLUMN event_log`);
  }
}
