import { type MigrationInterface, type QueryRunner } from 'typeorm';

export class KeepFormerSecrets1795300000050 implements MigrationInterface {
  name = 'KeepFormerSecrets1795300000050';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE former_webhook_secrets (
        id uuid PRIMARY KEY,
        account_id uuid NOT NULL,
        webhook_id uuid NOT NULL REFERENCES webhooks ON DELETE CASCADE,
        -- Sealed as when it was the webhook's only one.
        secret text NOT NULL,
        -- Until then it also signs.
        until timestamptz(3) NOT NULL
      )`);
    await runner.query(`CREATE INDEX former_webhook_secrets_by_webhook ON former_webhook_secrets (webhook_id, until)`);
    await runner.query(`CREATE INDEX former_webhook_secrets_to_prune ON former_webhook_secrets (until)`);
    await runner.query(`
      INSERT INTO former_webhook_secrets (id, account_id, webhook_id, secret, until)
      SELECT uuid_at(previous_until), account_id, id, previous_secret, previous_until FROM webhooks
      WHERE previous_secret IS NOT NULL AND previous_until IS NOT NULL`);
    await runner.query(`ALTER TABLE webhooks DROP COLUMN previous_secret, DROP COLUMN previous_until`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE webhooks ADD COLUMN previous_secret text, ADD COLUMN previous_until timestamptz(3)`,
    );
    await runner.query(`
      UPDATE webhooks w SET previous_secret = f.secret, previous_until = f.until
      FROM (SELECT DISTINCT ON (webhook_id) * FROM former_webhook_secrets ORDER BY webhook_id, until DESC) f
      WHERE f.webhook_id = w.id`);
    await runner.query(`DROP TABLE former_webhook_secrets`);
  }
}
