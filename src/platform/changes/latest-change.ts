import { type Queryable } from '../db/database.js';
import { prefixOf, queryOwned } from '../db/owned-rows.js';
import { toPublicId } from '../ids/ids.js';
import { type ChangeLog, type NumberedChange } from './change-log.js';

/** UUIDs of change ids below this are positions: of an account without a young change. */
const POSITIONS = '00000000-0001';

/**
 * The id of the latest change of an account, for a subscription's `after`. Read it before a list: a change in between
 * is then in the list and told again, but none is lost.
 */
export async function latestChange<C extends NumberedChange>(
  log: ChangeLog<C>,
  on: Queryable,
  accountId: string,
): Promise<string> {
  const [latest] = await on.query<{ position: number; uuid: string | null }>(log.sql.latest, [accountId]);
  return toPublicId(prefixOf(log.table), latest?.uuid ?? uuidOf(latest?.position ?? 0));
}

/**
 * The position of the change with this id, if all later changes are still stored: they are kept for 30 days. So the change
 * itself is younger; behind a position, the next change is, or there is none.
 * @throws AppError `not_found`, or `unauthorized` for another account's.
 */
export async function positionOf<C extends NumberedChange>(
  { table, sql }: ChangeLog<C>,
  on: Queryable,
  accountId: string,
  id: string,
): Promise<number> {
  const { position } = await queryOwned(on, { table, accountId, id }, (uuid) =>
    on.query<{ position: number }>(sql.positionOf, [uuid, accountId, positionIn(uuid)]),
  );
  return position;
}

function uuidOf(position: number): string {
  const hex = position.toString(16).padStart(12, '0');
  return `00000000-0000-0000-0000-${hex}`;
}

function positionIn(uuid: string): number | null {
  return uuid < POSITIONS ? Number.parseInt(uuid.slice(-12), 16) : null;
}
