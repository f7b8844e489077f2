import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** The oldest version that may use the schema: see `migrating/schema-minimum.ts`. Without a row every version may. */
export class KeepASchemaMinimum1795600000100 implements MigrationInterface {
  readonly name = 'KeepASchemaMinimum1795600000100';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE schema_minimum (
        one boolean PRIMARY KEY DEFAULT true CHECK (one),
        -- A process has to know this migration.
        migration text NOT NULL,
        -- The first release with it.
        version text NOT NULL
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE schema_minimum`);
  }
}
