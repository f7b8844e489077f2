import { type MigrationInterface, type QueryRunner } from 'typeorm';

export class CreateTriggers1795200000004 implements MigrationInterface {
  name = 'CreateTriggers1795200000004';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE triggers (
        id uuid PRIMARY KEY,
        account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
        workflow_id uuid NOT NULL REFERENCES workflows ON DELETE CASCADE,
        type text NOT NULL CHECK (type IN ('schedule', 'webhook', 'app_event', 'manual')),
        -- json, not jsonb: it is returned exactly as it was sent. Its secret is sealed.
        config json NOT NULL,
        status text NOT NULL CHECK (status IN ('active', 'paused', 'error')),
        hook_digest bytea UNIQUE,
        hook_token text,
        event text,
        integration_id uuid,
        next_fire_at timestamptz(3),
        created_at timestamptz(3) NOT NULL
      )`);
    await runner.query(`CREATE INDEX triggers_by_account ON triggers (account_id, id DESC)`);
    await runner.query(`CREATE INDEX triggers_by_workflow ON triggers (workflow_id, id DESC)`);
    await runner.query(`CREATE INDEX triggers_by_event ON triggers (account_id, event) WHERE event IS NOT NULL`);
    await runner.query(
      `CREATE INDEX triggers_by_integration ON triggers (integration_id, id DESC) WHERE integration_id IS NOT NULL`,
    );
    await runner.query(`CREATE INDEX triggers_due ON triggers (next_fire_at) WHERE next_fire_at IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE triggers`);
  }
}
