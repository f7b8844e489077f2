import { type MigrationInterface, type QueryRunner } from 'typeorm';

export class KeepLinksOfResponses1795400000041 implements MigrationInterface {
  name = 'KeepLinksOfResponses1795400000041';

  async up(runner: QueryRunner): Promise<void> {
    // The header `Link`: the body of a response does not always name the version from which its flow is waited for.
    await runner.query(`ALTER TABLE idempotency_keys ADD COLUMN link text`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE idempotency_keys DROP COLUMN link`);
  }
}
