import { type Database } from '../../platform/db/database.js';
import { inBatches } from '../../platform/db/in-batches.js';
import { type PeriodicJob } from '../../platform/jobs/periodic.js';
import { type Logger } from '../../platform/logging/logger.js';
import { type Secrets } from '../../platform/encryption/secrets.js';
import { pageOf, type Place, placeOf, type SealedColumn, sealedColumns, startOf, textOf } from './sealed-column.js';

const EVERY_MS = 60_000;
/** Pause after a pass that found nothing. Not the end: a process with another newest key may still use an older one. */
const REST_MS = 3_600_000;
/** Maximum rows of a page, and about how many bytes they hold. */
const SIZE = 1_000;
const BYTES = 8 * 2 ** 20;

/** A row of a page. `stored` and `sealed` are null unless an older key encrypted it. */
interface Row {
  place: Place;
  accountId: string;
  id: string;
  /** The whole column as text; contains `sealed`. */
  stored: string | null;
  sealed: string | null;
  /** True for the row that reaches the byte limit of the page: more rows follow. */
  isFull: boolean;
}

/** A row whose text was encrypted again. */
interface Fresh {
  place: Place;
  stored: string;
  fresh: string;
}

/** What the reseal job needs. */
export interface ResealDependencies {
  db: Database;
  secrets: Secrets;
  logger: Logger;
}

interface Tally {
  /** Texts found that an older key of the ring had encrypted. */
  older: number;
  resealed: number;
  unreadable: number;
}

/**
 * Encrypts with the newest key everything that an older key has encrypted, so that older keys may leave the ring. With
 * a single key there is no such job.
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
  return [
    {
      name: 'reseal texts',
      what: 'Encrypts with the newest key what an older one encrypted. Runs only while `ENCRYPTION_KEY` holds several keys.',
      everyMs: EVERY_MS,
      run,
    },
  ];
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

/** Sizes a page by `pg_column_size`, which does not read the text itself. */
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

function reseal(secrets: Secrets, { table, sealedFor = table }: SealedColumn, row: Row, tally: Tally): Fresh[] {
  const { place, accountId, id, stored, sealed } = row;
  if (stored === null || sealed === null) return [];
  const context = { accountId, table: sealedFor, id };
  const text = secrets.tryOpen(sealed, context);
  if (text === null) {
    tally.unreadable += 1;
    return [];
  }
  tally.older += 1;
  // Replaced as text: a sealed text needs no JSON escapes, and the other members keep their order.
  return [{ place, stored, fresh: stored.replace(sealed, () => secrets.seal(text, context)) }];
}

/**
 * Replaces only rows that are unchanged since they were read. Skips locked rows until the next pass, so that it can't
 * deadlock with a caller. @returns the number of rows replaced.
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
