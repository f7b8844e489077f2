import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { createIndexConcurrently } from '../../concurrent-index.js';

/** An index for finding the runs that refer to a payload. Runs with the input in their own row are not in it. */
export class FindRunsOfPayloads1795200000051 implements MigrationInterface {
  name = 'FindRunsOfPayloads1795200000051';
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await createIndexConcurrently(runner, {
      name: 'runs_by_payload',
      table: 'runs',
      on: '(payload_id) WHERE payload_id IS NOT NULL',
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX runs_by_payload`);
  }
}
