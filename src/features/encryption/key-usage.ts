import { type Database } from '../../platform/db/database.js';
import { inBatches } from '../../platform/db/in-batches.js';
import { type Secrets } from '../../platform/encryption/secrets.js';
import { pageOf, type Place, placeOf, type SealedColumn, sealedColumns, startOf, textOf } from './sealed-column.js';

const SIZE = 5_000;

/** How many texts of a column are encrypted with each key. */
export interface KeyUsage {
  table: string;
  column: string;
  /** Encrypted with the newest key. */
  newest: number;
  /** Encrypted with older keys of the ring, which are still needed. */
  older: number;
  /** Encrypted with keys that are not in the ring: unreadable until those keys are back. */
  unreadable: number;
  /** The counts by key id. */
  by_key: Record<string, number>;
}

interface Page {
  rows: number;
  last: Place | null;
  counts: Record<string, number>;
}

/** Counts the texts of every encrypted column by key, in pages. */
export async function keyUsage(db: Database, secrets: Secrets): Promise<KeyUsage[]> {
  const usages: KeyUsage[] = [];
  for (const column of sealedColumns) usages.push(usageOf(column, secrets, await countKeys(db, column)));
  return usages;
}

async function countKeys(db: Database, column: SealedColumn): Promise<Record<string, number>> {
  const names = Object.keys(column.key).map((name) => `${name} DESC`);
  const statement = `
    WITH page AS (${pageOf(column)}),
    keys AS (SELECT split_part(substr(${textOf(column)}, 1, 16), '.', 2) AS key, count(*) AS texts
             FROM page WHERE ${textOf(column)} IS NOT NULL GROUP BY 1)
    SELECT (SELECT count(*) FROM page) AS rows,
      (SELECT ${placeOf(column)} FROM page ORDER BY ${names.join(', ')} LIMIT 1) AS last,
      (SELECT coalesce(json_object_agg(key, texts), '{}') FROM keys) AS counts`;
  const counts: Record<string, number> = {};
  let place = startOf(column);
  await inBatches({ size: SIZE, signal: undefined }, async (limit) => {
    const [page] = await db.query<Page & { [name: string]: unknown }>(statement, [limit, ...place]);
    for (const [key, texts] of Object.entries(page!.counts)) counts[key] = (counts[key] ?? 0) + texts;
    place = page!.last ?? place;
    return page!.rows === limit;
  });
  return counts;
}

function usageOf({ table, column }: SealedColumn, secrets: Secrets, counts: Record<string, number>): KeyUsage {
  const [newest, ...older] = secrets.keyIds;
  const of = (keys: readonly string[]) => keys.reduce((sum, key) => sum + (counts[key] ?? 0), 0);
  const all = of(Object.keys(counts));
  const known = { newest: of([newest!]), older: of(older) };
  return { table, column, ...known, unreadable: all - known.newest - known.older, by_key: counts };
}
