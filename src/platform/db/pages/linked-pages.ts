import { type Database } from '../database.js';
import { type EntityClass } from '../columns.js';
import { type IdPrefix, MAX_UUID } from '../../ids/ids.js';
import { limitOf, offsetOf, type Page, type PageArgs, placeOf, toPage } from './pagination.js';

/** The requested page of the linked rows of one parent. */
export interface LinkKey extends PageArgs {
  /** The parent's uuid. */
  parent: string;
  /** The values of the link's filters, by their names. */
  filters?: Readonly<Record<string, string | null | undefined>>;
  /** The uuid behind which the page begins, see `placeOf`. */
  place: string | null;
  /** Whether the total is needed. */
  counts: boolean;
}

/** The parts of a link's statement. `where` may name `p.parent`, `$1`, the account, and a filter as `p.status`. */
export interface Link {
  /** The select list, see `columnsOf`; it must hold the `uuid`. */
  columns: string;
  from: string;
  where: string;
  /** The names of the filters. Each is a text, or null without it. */
  filters?: readonly string[];
  /** The column that orders, newest first. */
  id: string;
  /** The selected property with the same order; `uuid` by default. */
  orderedBy?: string;
  /** The condition for rows behind `p.place`, true for any row if it is null; by default by a uuid in `id`. */
  behind?: string;
  /** The count limit; without it every row is counted. */
  countUpTo?: number;
}

/** A link's statement for `loadLinkedPages`. */
export interface LinkStatement {
  sql: string;
  filters: readonly string[];
  countUpTo: number | undefined;
}

/** With `coalesce` instead of `OR`, so that an index can find the place. */
const beforeUuid = (id: string) => `${id} < coalesce(p.place, '${MAX_UUID}')`;

/** The parameters of every link's statement. Those of its filters come next. */
const FIXED = 6;

/** Makes the statement of a link. */
export function linkStatement({ columns, from, where, id, orderedBy = 'uuid', ...link }: Link): LinkStatement {
  const { behind = beforeUuid(id), filters = [], countUpTo } = link;
  const limit = countUpTo === undefined ? '' : ` LIMIT ${countUpTo + 1}`;
  const sql = `
    SELECT p.n AS "linkNumber", c.total AS "linkTotal", item.*
    FROM unnest($2::uuid[], $3::bigint[], $4::bigint[], $5::uuid[], $6::boolean[]${filters.map((_, index) => `, $${FIXED + index + 1}::text[]`).join('')})
      WITH ORDINALITY AS p (${['parent', 'size', 'skipped', 'place', 'counts', ...filters, 'n'].join(', ')})
    CROSS JOIN LATERAL (SELECT count(*) AS total FROM (SELECT 1 FROM ${from} WHERE p.counts AND ${where}${limit}) counted) c
    LEFT JOIN LATERAL (
      SELECT ${columns} FROM ${from} WHERE ${where} AND ${behind}
      ORDER BY ${id} DESC LIMIT p.size OFFSET p.skipped
    ) item ON true
    ORDER BY p.n, item."${orderedBy}" DESC`;
  return { sql, filters, countUpTo };
}

/** The key of a link's page. @throws AppError `validation_error` as `placeOf` does. */
export function linkKey(
  parent: string,
  { page, perPage, after }: PageArgs,
  { prefix, counts, filters }: { prefix: IdPrefix; counts: boolean; filters?: LinkKey['filters'] },
): LinkKey {
  return {
    parent,
    page,
    perPage,
    ...(filters && { filters }),
    counts,
    place: placeOf({ page, perPage, after }, prefix),
  };
}

/**
 * Loads the pages of many parents by one statement, in the order of `keys`, each with its own page size and total.
 * `more` holds further parameters of the statement, behind those of its filters: from `$7` on without any.
 */
export async function loadLinkedPages<T extends { uuid: string; id: string }>(
  db: Database,
  entity: EntityClass<T>,
  { sql, filters, countUpTo }: LinkStatement,
  accountId: string,
  keys: readonly LinkKey[],
  more: readonly unknown[] = [],
): Promise<Page<T>[]> {
  // It counts the rows of each parent.
  const rows = await db.expensive.select(entity as EntityClass<T & { linkNumber: number; linkTotal: number }>, sql, [
    accountId,
    keys.map(({ parent }) => parent),
    keys.map(limitOf),
    keys.map(offsetOf),
    keys.map(({ place }) => place),
    keys.map(({ counts }) => counts),
    ...filters.map((name) => keys.map((key) => key.filters?.[name] ?? null)),
    ...more,
  ]);
  const byKey = Map.groupBy(rows, ({ linkNumber }) => linkNumber);
  return keys.map((key, index) => {
    const found = byKey.get(index + 1) ?? [];
    // A parent without items on this page has one row, which holds only its total.
    const items = found.filter(({ uuid }) => (uuid as string | null) !== null);
    return toPage<T>(items, found[0]?.linkTotal ?? 0, key, ({ id }) => id, countUpTo);
  });
}

/** Options of `RequestContext.batch` for links: aliases may request different pages of one parent. */
export const BY_LINK = {
  cacheKeyFn: ({ parent, page, perPage, place, filters, counts }: LinkKey): string =>
    JSON.stringify([parent, page, perPage, place, filters, counts]),
};
