import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { createIndexConcurrently } from '../../concurrent-index.js';

/** Lets the triggers that wait for an event be read in pages. */
export class PageTriggersOfEvents1795200000061 implements MigrationInterface {
  name = 'PageTriggersOfEvents1795200000061';
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await createIndexConcurrently(runner, {
      name: 'triggers_of_event',
      table: 'triggers',
      on: '(account_id, event, id) WHERE event IS NOT NULL',
    });
    await runner.query(`DROP INDEX IF EXISTS triggers_by_event`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE INDEX IF NOT EXISTS triggers_by_event ON triggers (account_id, event) WHERE event IS NOT NULL`,
    );
    await runner.query(`DROP INDEX triggers_of_event`);
  }
}
