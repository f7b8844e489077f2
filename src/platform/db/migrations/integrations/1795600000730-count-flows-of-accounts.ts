import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { createIndexConcurrently } from '../../concurrent-index.js';

/** An index for counting the open flows of an account. */
export class CountFlowsOfAccounts1795600000730 implements MigrationInterface {
  readonly name = 'CountFlowsOfAccounts1795600000730';
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await createIndexConcurrently(runner, {
      name: 'authorizations_by_account',
      table: 'authorizations',
      on: '(account_id)',
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX authorizations_by_account`);
  }
}
