import { type Transaction } from '../../../platform/db/database.js';

/** An end user of an account, and the integration type of the connection that is needed. */
export interface Owned {
  accountId: string;
  type: string;
  reference: string;
}

/** Finds the connected integrations that end users need: their uuids, or undefined for those that are missing. */
export type FindConnected = (tx: Transaction, wanted: readonly Owned[]) => Promise<(string | undefined)[]>;

/**
 * Locks the connections of end users until the commit, in one order. A run that begins to wait and a connection that is
 * stored lock the same, so that one of them sees the other. Connections that do not exist have no row to lock.
 */
export async function lockConnections(tx: Transaction, owned: readonly Owned[]): Promise<void> {
  await tx.query(
    `SELECT pg_advisory_xact_lock(key) FROM (
       SELECT DISTINCT hashtextextended('connection ' || o.account || ' ' || o.type || ' ' || o.reference, 0) AS key
       FROM unnest($1::text[], $2::text[], $3::text[]) o (account, type, reference) ORDER BY key OFFSET 0) keys`,
    [owned.map(({ accountId }) => accountId), owned.map(({ type }) => type), owned.map(({ reference }) => reference)],
  );
}
