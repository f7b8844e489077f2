import { type Database } from '../../src/db/database.js';

/** The rows that a piece of work reads from a table, by the properties which they have, one list a statement. */
export async function rowsOf<T>(
  db: Database,
  table: string,
  work: () => Promise<T>,
): Promise<{ found: T; statements: object[][] }> {
  const statements: object[][] = [];
  const query = db.query.bind(db);
  db.query = async <Row extends object>(text: string, values?: readonly unknown[]) => {
    const rows = await query<Row>(text, values);
    if (text.includes(`FROM ${table} `)) statements.push(rows);
    return rows;
  };
  try {
    return { found: await work(), statements };
  } finally {
    db.query = query;
  }
}
