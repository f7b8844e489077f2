import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { createIndexConcurrently } from '../../concurrent-index.js';

/** Tells whether a run still refers to a payload. Runs whose input stands in their own row are not in it. */
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
