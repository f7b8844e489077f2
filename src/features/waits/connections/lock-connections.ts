import { accountKeysSql, accountLockSql } from '../../../platform/db/advisory-locks.js';
import { type Transaction } from '../../../platform/db/database.js';

/** An end user of an account, and the integration type of the connection that is needed. */
export interface Owned {
  accountId: string;
  type: string;
  reference: string;
}

/** Finds the connected integrations that end users need: their uuids, or undefined for those that are missing. */
export type FindConnected = (tx: Transaction, wanted: readonly Owned[]) => Promise<(string | undefined)[]>;

const KEYS = accountKeysSql('o.account', `'connection ' || o.type || ' ' || o.reference`);
const LOCK = `SELECT ${accountLockSql({ first: 'first', second: 'second' })} FROM (
  SELECT DISTINCT ${KEYS.first} AS first, ${KEYS.second} AS second
  FROM unnest($1::text[], $2::text[], $3::text[]) o (account, type, reference) ORDER BY first, second OFFSET 0) keys`;

/**
 * Locks the connections of end users until the commit, in one order. A run that begins to wait and a connection that is
 * stored lock the same, so that one of them sees the other. Connections that do not exist have no row to lock.
 */
export async function lockConnections(tx: Transaction, owned: readonly Owned[]): Promise<void> {
  await tx.query(LOCK, [
    owned.map(({ accountId }) => accountId),
    owned.map(({ type }) => type),
    owned.map(({ reference }) => reference),
  ]);
}
