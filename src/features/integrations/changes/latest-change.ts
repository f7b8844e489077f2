import { type Queryable } from '../../../platform/db/database.js';
import { queryOwned } from '../../../platform/db/owned-rows.js';
import { toPublicId } from '../../../platform/ids/ids.js';

/** UUIDs of change ids below this are positions: of an account without a young change. */
const POSITIONS = '00000000-0001';

/**
 * The id of the latest change of an account, for `integrationStatusChanged(after:)`. Read it before a list: a change in
 * between is then in the list and told again, but none is lost.
 */
export async function latestChange(on: Queryable, accountId: string): Promise<string> {
  const [latest] = await on.query<{ position: number; uuid: string | null }>(
    `SELECT a.change_position AS position,
       (SELECT c.id FROM integration_changes c WHERE c.account_id = a.id AND c.position = a.change_position
          AND c.at > clock_now() - interval '1 day') AS uuid
     FROM accounts a WHERE a.id = $1`,
    [accountId],
  );
  return toPublicId('chg', latest?.uuid ?? uuidOf(latest?.position ?? 0));
}

/**
 * The position of the change with this id, if all later changes are still stored: they are kept for 30 days. So the change
 * itself is younger; behind a position, the next change is, or there is none.
 * @throws AppError `not_found`, or `unauthorized` for another account's.
 */
export async function positionOf(on: Queryable, accountId: string, id: string): Promise<number> {
  const { position } = await queryOwned(on, { table: 'integration_changes', accountId, id }, (uuid) =>
    on.query<{ position: number }>(
      `SELECT position FROM integration_changes
         WHERE id = $1 AND account_id = $2 AND at > clock_now() - interval '30 days'
       UNION ALL
       SELECT $3::bigint FROM accounts a WHERE a.id = $2 AND (a.change_position = $3 OR EXISTS (
         SELECT 1 FROM integration_changes n
         WHERE n.account_id = $2 AND n.position = $3 + 1 AND n.at > clock_now() - interval '30 days'))`,
      [uuid, accountId, positionIn(uuid)],
    ),
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
