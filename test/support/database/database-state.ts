import { type Database } from '../../../src/platform/db/database.js';

/** Every row of every table as text, so that a test can see that nothing has changed, or what is stored unencrypted. */
export async function databaseState(db: Database): Promise<Record<string, string[]>> {
  const tables = await db.query<{ name: string }>(
    // Events are numbered after their commit, by the next reader at the latest.
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
       AND relname !~ '^event_(counters|numbering|positions)' ORDER BY 1`,
  );
  const state: Record<string, string[]> = {};
  for (const { name } of tables) {
    const rows = await db.query<{ row: string }>(`SELECT t::text AS row FROM "${name}" t ORDER BY 1`);
    state[name] = rows.map(({ row }) => row);
  }
  return state;
}
