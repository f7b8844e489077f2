import { type MigrationInterface, type QueryRunner } from 'typeorm';

export class KeepSecretsOfProviders1795300000001 implements MigrationInterface {
  name = 'KeepSecretsOfProviders1795300000001';

  async up(runner: QueryRunner): Promise<void> {
    // Sealed: the secret that the provider generated to sign its events.
    await runner.query(`ALTER TABLE integrations ADD COLUMN provider_secret text`);
    // For events that a provider posts to one URL for all customers: finds the integrations of the event's account.
    await runner.query(
      `CREATE INDEX integrations_by_external ON integrations (external_id, type) WHERE deleted_at IS NULL AND external_id IS NOT NULL`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX integrations_by_external`);
    await runner.query(`ALTER TABLE integrations DROP COLUMN provider_secret`);
  }
}
