import { type Queryable } from '../../platform/db/database.js';
import { type Secrets } from '../../platform/encryption/secrets.js';
import { pageOf, sealedColumns, startOf, textOf } from './sealed-column.js';

/** The texts of each column that are tried. */
const SAMPLE = 20;

/** How many sealed texts of a sample the keys open. */
export interface Openings {
  opened: number;
  unreadable: number;
}

/** Tries to open some texts of every sealed column. */
export async function tryOpenings(db: Queryable, secrets: Secrets): Promise<Openings> {
  const openings = { opened: 0, unreadable: 0 };
  for (const column of sealedColumns) {
    const { table, sealedFor = table, id } = column;
    const rows = await db.query<{ accountId: string; id: string; sealed: string | null }>(
      `SELECT account_id AS "accountId", ${id} AS id, ${textOf(column)} AS sealed FROM (${pageOf(column)}) page`,
      [SAMPLE, ...startOf(column)],
    );
    for (const { accountId, id: row, sealed } of rows) {
      if (sealed === null) continue;
      const isOpen = secrets.tryOpen(sealed, { accountId, table: sealedFor, id: row }) !== null;
      openings[isOpen ? 'opened' : 'unreadable'] += 1;
    }
  }
  return openings;
}
