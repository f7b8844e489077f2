import { type Database } from '../../../src/platform/db/database.js';

/** Records the rows that work reads from a table, as one list per statement. */
export async function rowsOf<T>(
  db: Database,
  table: string,
  work: () => Promise<T>,
): Promise<{ found: T; statements: object[][] }> {
  const statements: object[][] = [];
  // All statements outside of transactions call this, cheap or expensive.
  const inner = db as unknown as {
    inTurn: (cost: string, text: string, values?: readonly unknown[]) => Promise<object[]>;
  };
  const inTurn = inner.inTurn.bind(db);
  inner.inTurn = async (cost, text, values) => {
    const rows = await inTurn(cost, text, values);
    if (text.includes(`FROM ${table} `)) statements.push(rows);
    return rows;
  };
  try {
    return { found: await work(), statements };
  } finally {
    inner.inTurn = inTurn;
  }
}
