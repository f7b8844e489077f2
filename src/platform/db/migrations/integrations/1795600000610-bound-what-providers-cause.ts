import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { createIndexConcurrently } from '../../concurrent-index.js';
import { inMigrationBatches } from '../../migrating/in-batches.js';

/**
 * An index for finding the due tokens of an account and type without reading those of others. Texts of providers that
 * were stored before they had bounds (`token-answer.ts`, `probe.ts`) are cut, because lists read them. After a crash it
 * continues.
 */
export class BoundWhatProvidersCause1795600000610 implements MigrationInterface {
  readonly name = 'BoundWhatProvidersCause1795600000610';
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await createIndexConcurrently(runner, {
      name: 'integrations_to_renew_in_turns',
      table: 'integrations',
      on: `(account_id, type, renew_at) WHERE renew_at IS NOT NULL AND status = 'connected' AND deleted_at IS NULL`,
    });
    await inMigrationBatches(
      runner,
      `UPDATE integrations i SET
         scopes = ARRAY(
           SELECT scope FROM (
             SELECT scope, nth, sum(octet_length(scope)) OVER (ORDER BY nth) AS bytes
             FROM unnest(i.scopes) WITH ORDINALITY AS listed (scope, nth)) AS counted
           WHERE nth <= 200 AND bytes <= 16384 ORDER BY nth),
         external_id = left(external_id, 255), external_name = left(external_name, 255)
       WHERE id IN (
         SELECT id FROM integrations
         WHERE cardinality(scopes) > 200 OR octet_length(array_to_string(scopes, '')) > 16384
           OR length(external_id) > 255 OR length(external_name) > 255 LIMIT $1)`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX integrations_to_renew_in_turns`);
  }
}
