import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** For statements that lock rows, which must not read a partitioned table themselves: see `lockedPayloadBody`. */
export class ReadPayloadsByAFunction1795300000020 implements MigrationInterface {
  readonly name = 'ReadPayloadsByAFunction1795300000020';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE FUNCTION payload_body(payload uuid) RETURNS text LANGUAGE sql STABLE AS $$
        SELECT body FROM payloads WHERE id = payload
      $$`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP FUNCTION payload_body(uuid)`);
  }
}
