import { type Database } from '../db/database.js';

/** The integration behind an address for events. */
export interface EventSettings {
  /** SHA-256 of the token in the address. */
  digest: Buffer;
  integrationUuid: string;
  accountId: string;
  type: string;
  status: string;
  /** Sealed: what it has for itself to prove its events with. */
  secret: string;
}

/** The integrations behind digests of tokens, keyed by the digest in hex; unknown and deleted ones are missing. */
export async function findEventSettings(db: Database, digests: readonly Buffer[]): Promise<Map<string, EventSettings>> {
  const rows = await db.query<EventSettings>(
    `SELECT events_digest AS digest, id AS "integrationUuid", account_id AS "accountId", type, status,
            events_secret AS secret
     FROM integrations WHERE events_digest = ANY($1::bytea[]) AND deleted_at IS NULL`,
    [digests],
  );
  return new Map(rows.map((row) => [row.digest.toString('hex'), row]));
}
