import { type MigrationInterface, type QueryRunner } from 'typeorm';

export class SendMails1795200000012 implements MigrationInterface {
  name = 'SendMails1795200000012';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE mails
        ADD COLUMN html text,
        -- Sent before others: thousands of mails of workflows must not delay a notice to an account.
        ADD COLUMN urgent boolean NOT NULL DEFAULT false,
        ADD COLUMN status text NOT NULL DEFAULT 'queued'
          CHECK (status IN ('queued', 'sent', 'logged', 'refused', 'given_up')),
        -- The claim of the process that sends it now. While it is claimed, next_attempt_at is the end of the claim.
        ADD COLUMN claim uuid,
        -- How many processes died while sending it, possibly after it was sent.
        ADD COLUMN lost integer NOT NULL DEFAULT 0,
        -- The recipients that have not received it yet; null: all.
        ADD COLUMN outstanding text[],
        ADD COLUMN last_error text,
        ADD COLUMN ended_at timestamptz(3)`);
    await runner.query(`DROP INDEX mails_due`);
    await runner.query(
      `CREATE INDEX mails_due ON mails (urgent DESC, next_attempt_at) WHERE next_attempt_at IS NOT NULL`,
    );
    await runner.query(`
      ALTER TABLE integrations
        -- The time of the mail about the end, once per expires_at; null if it was sent or is not needed.
        ADD COLUMN notice_at timestamptz(3),
        -- True if the last renewal did not change expires_at: then no use of the refresh token extends it.
        ADD COLUMN end_is_fixed boolean NOT NULL DEFAULT false,
        -- The version of a change that broke the connection and has not been mailed yet.
        ADD COLUMN unmailed_break integer`);
    // For renewed connections, only the next renewal shows the lifetime of their tokens.
    await runner.query(`
      UPDATE integrations SET notice_at = expires_at - interval '7 days'
      WHERE status = 'connected' AND renew_at IS NULL AND expires_at - connected_at >= interval '1 day'`);
    await runner.query(`
      CREATE INDEX integrations_to_notice ON integrations (notice_at)
      WHERE notice_at IS NOT NULL AND status = 'connected' AND (renew_at IS NULL OR renewal_failures > 0 OR end_is_fixed)`);
    await runner.query(`CREATE INDEX integrations_broken ON integrations (id) WHERE unmailed_break IS NOT NULL`);
    // The integrations that a list of actions names literally; the list itself is sealed.
    await runner.query(`ALTER TABLE action_lists ADD COLUMN integration_ids uuid[] NOT NULL DEFAULT '{}'`);
    await runner.query(
      `CREATE INDEX action_lists_by_integration ON action_lists USING gin (integration_ids) WHERE integration_ids <> '{}'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE action_lists DROP COLUMN integration_ids`);
    await runner.query(
      `ALTER TABLE integrations DROP COLUMN notice_at, DROP COLUMN end_is_fixed, DROP COLUMN unmailed_break`,
    );
    await runner.query(`
      ALTER TABLE mails DROP COLUMN html, DROP COLUMN status, DROP COLUMN claim, DROP COLUMN lost,
        DROP COLUMN urgent, DROP COLUMN outstanding, DROP COLUMN last_error, DROP COLUMN ended_at`);
    await runner.query(`CREATE INDEX mails_due ON mails (next_attempt_at) WHERE next_attempt_at IS NOT NULL`);
  }
}
