import { type Database } from '../../../src/platform/db/database.js';

/** Records the rows that work reads from a table, as one list per statement. */
export async function rowsOf<T>(
  db: Database,
  table: string,
  work: () => Promise<T>,
): Promise<{ found: T; statements: object[][] }> {
  const statements: object[][] = [];
  const found = await observing(db, table, (rows) => void statements.push(rows), work);
  return { found, statements };
}

async function observing<T>(
  db: Database,
  table: string,
  see: (rows: object[]) => void,
  work: () => Promise<T>,
): Promise<T> {
  // All statements outside of transactions call this, cheap or expensive.
  const inner = db as unknown as {
    inTurn: (cost: string, text: string, values?: readonly unknown[]) => Promise<object[]>;
  };
  const inTurn = inner.inTurn.bind(db);
  inner.inTurn = async (cost, text, values) => {
    const rows = await inTurn(cost, text, values);
    if (text.includes(`FROM ${table} `)) see(rows);
    return rows;
  };
  try {
    return await work();
  } finally {
    inner.inTurn = inTurn;
  }
}

/** Records how many characters of a text each statement on a table reads. */
export async function lengthsOf<T>(
  db: Database,
  { table, text }: { table: string; text: string },
  work: () => Promise<T>,
): Promise<{ found: T; lengths: number[] }> {
  const lengths: number[] = [];
  const lengthIn = (rows: readonly object[]) =>
    rows.reduce((sum, row) => sum + ((row as Record<string, string | null>)[text]?.length ?? 0), 0);
  const found = await observing(db, table, (rows) => void lengths.push(lengthIn(rows)), work);
  return { found, lengths };
}
