import { type QueryRunner } from 'typeorm';

/** The oldest version of the service that a schema allows. */
export interface SchemaMinimum {
  /** The name of a migration that the process has to know: versions of a checkout between two releases have the same number. */
  migration: string;
  /** The first release with that migration, for people. */
  version: string;
}

/** This version of the service is too old for the schema of its database; the message is a sentence for the operator. */
export class OutdatedServiceError extends Error {
  override readonly name = 'OutdatedServiceError';

  constructor({ version, migration }: SchemaMinimum) {
    super(
      `The schema of the database needs version ${version} of the service or a newer one, and this one is older (it lacks the migration ${migration}): start the newer version, or restore a backup that was made before it.`,
    );
  }
}

/**
 * For a migration that contracts: from now on a process that does not know `migration` refuses to start. The migration
 * and the tables that replace the removed ones must be part of a release before this one.
 */
export async function setSchemaMinimum(runner: QueryRunner, { migration, version }: SchemaMinimum): Promise<void> {
  await runner.query(
    `INSERT INTO schema_minimum (migration, version) VALUES ($1, $2)
     ON CONFLICT (one) DO UPDATE SET migration = EXCLUDED.migration, version = EXCLUDED.version`,
    [migration, version],
  );
}

/** The minimum of a schema; undefined while every version may use it. `query` executes a statement. */
export async function schemaMinimum(query: (text: string) => Promise<unknown>): Promise<SchemaMinimum | undefined> {
  const [table] = (await query(`SELECT 1 AS one WHERE to_regclass('schema_minimum') IS NOT NULL`)) as unknown[];
  if (table === undefined) return undefined;
  const [minimum] = (await query(`SELECT migration, version FROM schema_minimum`)) as SchemaMinimum[];
  return minimum;
}
