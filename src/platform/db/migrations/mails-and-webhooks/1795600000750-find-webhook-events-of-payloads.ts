import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { createIndexConcurrently } from '../../concurrent-index.js';

/** An index for finding the events that still have to send a payload. Events with their whole body are not in it. */
export class FindWebhookEventsOfPayloads1795600000750 implements MigrationInterface {
  readonly name = 'FindWebhookEventsOfPayloads1795600000750';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await createIndexConcurrently(runner, {
      name: 'webhook_events_by_payload',
      table: 'webhook_events',
      on: '(payload_id) WHERE payload_id IS NOT NULL',
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX webhook_events_by_payload`);
  }
}
