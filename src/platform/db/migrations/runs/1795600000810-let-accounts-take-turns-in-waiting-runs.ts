import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { createIndexConcurrently } from '../../concurrent-index.js';

/** An index for finding the accounts with waiting runs one by one, however many such runs each of them has. */
export class LetAccountsTakeTurnsInWaitingRuns1795600000810 implements MigrationInterface {
  readonly name = 'LetAccountsTakeTurnsInWaitingRuns1795600000810';
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await createIndexConcurrently(runner, {
      name: 'runs_waiting_by_account',
      table: 'runs',
      on: '(account_id, resume_at) WHERE resume_at IS NOT NULL',
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX runs_waiting_by_account`);
  }
}
