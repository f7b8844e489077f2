import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { createIndexConcurrently } from '../../concurrent-index.js';

/** Deliveries of a range of time that are sent again, and an index that finds the repetitions of a delivery. */
export class RedeliverRanges1795500000110 implements MigrationInterface {
  readonly name = 'RedeliverRanges1795500000110';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await createIndexConcurrently(runner, {
      name: 'webhook_deliveries_by_first',
      table: 'webhook_deliveries',
      on: '(first_id) WHERE first_id IS NOT NULL',
    });
    await runner.query(`
      CREATE TABLE IF NOT EXISTS webhook_redeliveries (
        id uuid PRIMARY KEY,
        account_id uuid NOT NULL,
        webhook_id uuid NOT NULL UNIQUE REFERENCES webhooks ON DELETE CASCADE,
        only_failed boolean NOT NULL,
        -- The ids of deliveries that remain: from the first one, below the second one.
        next_id uuid NOT NULL,
        end_id uuid NOT NULL,
        hops integer NOT NULL
      )`);
    await runner.query(
      `CREATE INDEX IF NOT EXISTS webhook_redeliveries_by_account ON webhook_redeliveries (account_id, id)`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE webhook_redeliveries`);
    await runner.query(`DROP INDEX webhook_deliveries_by_first`);
  }
}
