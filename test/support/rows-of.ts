import { type Database } from '../../src/platform/db/database.js';

/** The rows that a piece of work reads from a table, by the properties which they have, one list a statement. */
export async function rowsOf<T>(
  db: Database,
  table: string,
  work: () => Promise<T>,
): Promise<{ found: T; statements: object[][] }> {
  const statements: object[][] = [];
  // All statements outside of transactions pass here, cheap or expensive.
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
