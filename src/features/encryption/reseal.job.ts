import { type Database } from '../../platform/db/database.js';
import { inBatches } from '../../platform/db/in-batches.js';
import { type PeriodicJob } from '../../platform/jobs/periodic.js';
import { type Logger } from '../../platform/logging/logger.js';
import { type Secrets } from '../../platform/encryption/secrets.js';
import { pageOf, type Place, placeOf, type SealedColumn, sealedColumns, startOf, textOf } from './sealed-column.js';

const EVERY_MS = 60_000;
/** After a turn that found nothing. A process whose ring has another first key may still seal with an older one. */
const REST_MS = 3_600_000;
/** Rows that are looked at together, and about how many bytes they hold. */
const SIZE = 1_000;
const BYTES = 8 * 2 ** 20;

/** A row of a page; what is not sealed with an older key has no texts. */
interface Row {
  place: Place;
  accountId: string;
  id: string;
  /** The column as text, which holds the sealed text. */
  stored: string | null;
  sealed: string | null;
  /** The rows of the page weigh as much as they may with this one: more follow. */
  isFull: boolean;
}

/** A row whose text is sealed again. */
interface Fresh {
  place: Place;
  stored: string;
  fresh: string;
}

export interface ResealDependencies {
  db: Database;
  secrets: Secrets;
  logger: Logger;
}

interface Tally {
  /** Sealed with an older key of the ring. */
  older: number;
  resealed: number;
  unreadable: number;
}

/**
 * Seals everything with the newest key that an older one has sealed, so that the older ones may leave the ring. With one
 * key there is no such job.
 */
export function resealJobs({ db, secrets, logger }: ResealDependencies): PeriodicJob[] {
  if (secrets.keyIds.length < 2) return [];
  let restsUntil = 0;
  const run = async (signal?: AbortSignal): Promise<void> => {
    if (performance.now() < restsUntil) return;
    const tally = { older: 0, resealed: 0, unreadable: 0 };
    for (const column of sealedColumns) await resealColumn(db, secrets, column, tally, signal);
    if (tally.older === 0) restsUntil = performance.now() + REST_MS;
    if (tally.resealed > 0) logger.info({ rows: tally.resealed }, 'encryption: sealed with the newest key');
    if (tally.unreadable > 0) logger.warn({ rows: tally.unreadable }, 'encryption: no key of the ring opens these');
  };
  return [{ name: 'reseal', everyMs: EVERY_MS, run }];
}

async function resealColumn(
  db: Database,
  secrets: Secrets,
  column: SealedColumn,
  tally: Tally,
  signal: AbortSignal | undefined,
): Promise<void> {
  const select = selectOf(column, secrets.newestPrefix);
  let place = startOf(column);
  await inBatches({ size: SIZE, signal }, async (limit) => {
    const rows = await db.query<Row>(select, [limit, ...place]);
    const fresh = rows.flatMap((row) => reseal(secrets, column, row, tally));
    if (fresh.length > 0) tally.resealed += await replace(db, column, fresh);
    const last = rows.at(-1);
    place = last?.place ?? place;
    return rows.length === limit || last?.isFull === true;
  });
}

/** PostgreSQL knows the size of a large text without reading it. */
function selectOf(column: SealedColumn, newest: string): string {
  const names = Object.keys(column.key).join(', ');
  const old = `substr(${textOf(column)}, 1, ${newest.length}) <> '${newest}'`;
  return `
    SELECT ${placeOf(column)} AS place, account_id AS "accountId", ${column.id} AS id,
      CASE WHEN ${old} THEN ${column.column}::text END AS stored, CASE WHEN ${old} THEN ${textOf(column)} END AS sealed,
      so_far >= ${BYTES} AS "isFull"
    FROM (SELECT weighed.*, sum(size) OVER (ORDER BY ${names}) AS so_far
          FROM (SELECT page.*, coalesce(pg_column_size(${column.column}), 0) AS size FROM (${pageOf(column)}) page) weighed) page
    WHERE so_far - size < ${BYTES} ORDER BY ${names}`;
}

function reseal(secrets: Secrets, { table }: SealedColumn, row: Row, tally: Tally): Fresh[] {
  const { place, accountId, id, stored, sealed } = row;
  if (stored === null || sealed === null) return [];
  const context = { accountId, table, id };
  const text = secrets.tryOpen(sealed, context);
  if (text === null) {
    tally.unreadable += 1;
    return [];
  }
  tally.older += 1;
  // A sealed text needs no escapes in JSON, and keys and other members keep their order.
  return [{ place, stored, fresh: stored.replace(sealed, () => secrets.seal(text, context)) }];
}

/**
 * Replaces only what is as it was read: what was changed since is newer. Waits for no lock, so that no caller gets into
 * a deadlock with it; a row that is locked has its turn next time. @returns how many rows it replaced.
 */
async function replace(db: Database, { table, column, member, key }: SealedColumn, rows: Fresh[]): Promise<number> {
  const names = Object.keys(key);
  const arrays = names.map((_, index) => `$${index + 3}::text[]`).join(', ');
  const same = Object.entries(key).map(([name, type]) => `t.${name} = n.${name}::${type}`);
  const isSame = [...same, `t.${column}::text = n.stored`].join(' AND ');
  const statement = `
    WITH free AS MATERIALIZED (
      SELECT n.* FROM unnest($1::text[], $2::text[], ${arrays}) n (stored, fresh, ${names.join(', ')})
      JOIN ${table} t ON ${isSame} FOR NO KEY UPDATE OF t SKIP LOCKED)
    UPDATE ${table} t SET ${column} = n.fresh${member === undefined ? '' : '::json'} FROM free n WHERE ${isSame} RETURNING 1`;
  const values = [rows.map(({ stored }) => stored), rows.map(({ fresh }) => fresh)];
  const places = names.map((_, index) => rows.map(({ place }) => place[index]!));
  return (await db.transaction((tx) => tx.query(statement, [...values, ...places]))).length;
}
