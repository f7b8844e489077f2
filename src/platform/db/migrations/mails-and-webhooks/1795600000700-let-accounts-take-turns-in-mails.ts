import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { createIndexConcurrently } from '../../concurrent-index.js';

/** An index for finding the accounts with unsent mails one by one, however many mails each of them has. */
export class LetAccountsTakeTurnsInMails1795600000700 implements MigrationInterface {
  readonly name = 'LetAccountsTakeTurnsInMails1795600000700';
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await createIndexConcurrently(runner, {
      name: 'mails_due_by_account',
      table: 'mails',
      on: '(urgent, account_id, next_attempt_at) WHERE next_attempt_at IS NOT NULL',
    });
    // With it a claim might read the backlog of one account in search of another's mails.
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS mails_due`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await createIndexConcurrently(runner, {
      name: 'mails_due',
      table: 'mails',
      on: '(urgent DESC, next_attempt_at) WHERE next_attempt_at IS NOT NULL',
    });
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS mails_due_by_account`);
  }
}
