import { type MigrationInterface, type QueryRunner } from 'typeorm';

export class CountMailsOfSteps1795200000081 implements MigrationInterface {
  name = 'CountMailsOfSteps1795200000081';

  async up(runner: QueryRunner): Promise<void> {
    // One row per account: the number of mails of its steps on the latest day (UTC) with any.
    await runner.query(`
      CREATE TABLE mail_counts (
        account_id uuid PRIMARY KEY REFERENCES accounts ON DELETE CASCADE,
        day date NOT NULL,
        total integer NOT NULL
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE mail_counts`);
  }
}
