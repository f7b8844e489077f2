import { type Queryable } from '../../platform/db/database.js';

/** An end user of an account, and the integration type that is needed. */
export interface WantedConnection {
  accountId: string;
  type: string;
  reference: string;
}

/**
 * The connected integrations of end users, in the order of `wanted`: of several the one that connected last. Undefined for
 * each that is missing.
 */
export async function findConnected(
  on: Queryable,
  wanted: readonly WantedConnection[],
): Promise<(string | undefined)[]> {
  const rows = await on.query<{ uuid: string | null }>(
    `SELECT (SELECT i.id FROM integrations i
             WHERE i.account_id = w.account AND i.type = w.type AND i.reference = w.reference
               AND i.status = 'connected' AND i.deleted_at IS NULL
             ORDER BY i.connected_at DESC, i.id DESC LIMIT 1) AS uuid
     FROM unnest($1::uuid[], $2::text[], $3::text[]) WITH ORDINALITY w (account, type, reference, n) ORDER BY w.n`,
    [
      wanted.map(({ accountId }) => accountId),
      wanted.map(({ type }) => type),
      wanted.map(({ reference }) => reference),
    ],
  );
  return rows.map(({ uuid }) => uuid ?? undefined);
}

/** The end user of an integration; undefined if it has no reference. */
export async function referenceOf(
  tx: Queryable,
  uuid: string,
): Promise<{ accountId: string; type: string; reference: string } | undefined> {
  const [owned] = await tx.query<{ accountId: string; type: string; reference: string }>(
    `SELECT account_id AS "accountId", type, reference FROM integrations WHERE id = $1 AND reference IS NOT NULL`,
    [uuid],
  );
  return owned;
}
