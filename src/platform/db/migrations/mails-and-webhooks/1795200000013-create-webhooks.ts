import { type MigrationInterface, type QueryRunner } from 'typeorm';

export class CreateWebhooks1795200000013 implements MigrationInterface {
  name = 'CreateWebhooks1795200000013';

  async up(runner: QueryRunner): Promise<void> {
    // A UUIDv7 of the time `at`, for rows that a statement derives from others.
    await runner.query(`
      CREATE FUNCTION uuid_at(at timestamptz) RETURNS uuid LANGUAGE sql VOLATILE AS $$
        SELECT encode(
          set_bit(set_bit(
            overlay(uuid_send(gen_random_uuid())
                    PLACING substring(int8send(floor(extract(epoch FROM at) * 1000)::bigint) FROM 3) FROM 1 FOR 6),
            52, 1), 53, 1), 'hex')::uuid
      $$`);
    await runner.query(`
      CREATE TABLE webhooks (
        id uuid PRIMARY KEY,
        account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
        -- The workflow whose events it receives; null: the events of all workflows and of integrations.
        workflow_id uuid REFERENCES workflows ON DELETE CASCADE,
        url text NOT NULL,
        -- The host of the URL: deliveries are shared fairly between hosts.
        host text NOT NULL,
        events text[] NOT NULL,
        -- Sealed, like the previous secret, which also signs until its end.
        secret text NOT NULL,
        previous_secret text,
        previous_until timestamptz(3),
        status text NOT NULL CHECK (status IN ('enabled', 'disabled')),
        status_reason text,
        -- The first failure since the last success.
        failing_since timestamptz(3),
        created_at timestamptz(3) NOT NULL
      )`);
    await runner.query(`CREATE INDEX webhooks_by_account ON webhooks (account_id, id DESC)`);
    await runner.query(`CREATE INDEX webhooks_by_workflow ON webhooks (workflow_id) WHERE workflow_id IS NOT NULL`);
    // One row per event, however many webhooks receive it. No foreign keys: the subject of the event may be deleted.
    await runner.query(`
      CREATE TABLE webhook_events (
        id uuid PRIMARY KEY,
        account_id uuid NOT NULL,
        -- The number of consecutive runs that led to it.
        hops integer NOT NULL,
        -- The bytes that are signed and sent.
        body text NOT NULL,
        keep_until timestamptz(3) NOT NULL
      )`);
    await runner.query(`CREATE INDEX webhook_events_to_prune ON webhook_events (keep_until)`);
    // No foreign keys: recording an event and deleting a webhook must not wait for each other.
    await runner.query(`
      CREATE TABLE webhook_deliveries (
        id uuid PRIMARY KEY,
        account_id uuid NOT NULL,
        webhook_id uuid NOT NULL,
        event_id uuid NOT NULL,
        -- The delivery that it repeats, whose webhook-id it has.
        first_id uuid,
        type text NOT NULL,
        status text NOT NULL CHECK (status IN ('pending', 'succeeded', 'failed')),
        attempts integer NOT NULL,
        -- The claim of the current attempt; the outcome of any other attempt is ignored.
        claim uuid,
        response_status integer,
        response_body text,
        error text,
        next_attempt_at timestamptz(3),
        created_at timestamptz(3) NOT NULL,
        completed_at timestamptz(3)
      )`);
    await runner.query(`CREATE INDEX webhook_deliveries_by_webhook ON webhook_deliveries (webhook_id, id DESC)`);
    await runner.query(
      `CREATE INDEX webhook_deliveries_due ON webhook_deliveries (webhook_id, next_attempt_at)
       WHERE next_attempt_at IS NOT NULL`,
    );
    await runner.query(`CREATE INDEX webhook_deliveries_to_prune ON webhook_deliveries (created_at)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE webhook_deliveries`);
    await runner.query(`DROP TABLE webhook_events`);
    await runner.query(`DROP TABLE webhooks`);
    await runner.query(`DROP FUNCTION uuid_at(timestamptz)`);
  }
}
