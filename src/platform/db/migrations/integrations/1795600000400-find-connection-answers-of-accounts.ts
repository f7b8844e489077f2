import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { createIndexConcurrently } from '../../concurrent-index.js';

/** An index for answering waits of connections by accounts in turn. */
export class FindConnectionAnswersOfAccounts1795600000400 implements MigrationInterface {
  readonly name = 'FindConnectionAnswersOfAccounts1795600000400';
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await createIndexConcurrently(runner, {
      name: 'connection_answers_by_account',
      table: 'connection_answers',
      on: '(account_id, id)',
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX connection_answers_by_account`);
  }
}
