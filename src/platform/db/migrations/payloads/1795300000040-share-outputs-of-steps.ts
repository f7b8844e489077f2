import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { createIndexConcurrently } from '../../concurrent-index.js';

export class ShareOutputsOfSteps1795300000040 implements MigrationInterface {
  readonly name = 'ShareOutputsOfSteps1795300000040';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // A large output that a run shares with its retries.
    await runner.query(`ALTER TABLE steps ADD COLUMN IF NOT EXISTS payload_id uuid`);
    await createIndexConcurrently(runner, {
      name: 'steps_by_payload',
      table: 'steps',
      on: '(payload_id) WHERE payload_id IS NOT NULL',
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`UPDATE steps s SET output = p.body::json FROM payloads p WHERE p.id = s.payload_id`);
    await runner.query(`ALTER TABLE steps DROP COLUMN payload_id`);
  }
}
