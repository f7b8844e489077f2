import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** PostgreSQL's undefined_table: a partition was dropped after it was listed. */
const UNDEFINED_TABLE = '42P01';

/** Plans of lists no longer depend on the number of accounts: see `assumed-accounts.ts`. After a crash it continues. */
export class AssumeManyAccounts1795600000500 implements MigrationInterface {
  readonly name = 'AssumeManyAccounts1795600000500';
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const table of await tablesOf(runner, 'a.attoptions IS NULL')) {
      await run(runner, `ALTER TABLE ${table} ALTER COLUMN account_id SET (n_distinct = 200)`);
      await run(runner, `ANALYZE ${table} (account_id)`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of await tablesOf(runner, 'a.attoptions IS NOT NULL'))
      await run(runner, `ALTER TABLE ${table} ALTER COLUMN account_id RESET (n_distinct)`);
  }
}

/** The tables and partitions with rows of accounts, found by an index that begins with the account. */
async function tablesOf(runner: QueryRunner, condition: string): Promise<string[]> {
  const rows = (await runner.query(
    `SELECT DISTINCT c.oid::regclass::text AS name FROM pg_class c
     JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'account_id' AND NOT a.attisdropped
     JOIN pg_index i ON i.indrelid = c.oid AND i.indkey[0] = a.attnum AND i.indnkeyatts > 1
     WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace AND ${condition} ORDER BY name`,
  )) as { name: string }[];
  return rows.map(({ name }) => name);
}

async function run(runner: QueryRunner, statement: string): Promise<void> {
  try {
    await runner.query(statement);
  } catch (error) {
    if ((error as { code?: unknown }).code !== UNDEFINED_TABLE) throw error;
  }
}
