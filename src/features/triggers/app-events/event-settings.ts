import { type Database } from '../../../platform/db/database.js';
import { type SharedPlace } from './event-source.js';

/** An integration that events may come for. */
export interface EventSettings {
  integrationUuid: string;
  accountId: string;
  type: string;
  status: string;
  /** The account at the provider; null where the provider does not tell. */
  externalId: string | null;
  /** Sealed: the secret that the service made for its events. */
  secret: string;
  /** Sealed: the secret that the provider made, where it was set. */
  providerSecret: string | null;
}

const COLUMNS = `i.id AS "integrationUuid", i.account_id AS "accountId", i.type, i.status, i.external_id AS "externalId",
  i.events_secret AS secret, i.provider_secret AS "providerSecret"`;

/** The integrations behind digests of tokens, keyed by the digest in hex; unknown and deleted ones are missing. */
export async function findEventSettings(db: Database, digests: readonly Buffer[]): Promise<Map<string, EventSettings>> {
  if (digests.length === 0) return new Map();
  const rows = await db.query<EventSettings & { digest: Buffer }>(
    `SELECT i.events_digest AS digest, ${COLUMNS}
     FROM integrations i WHERE i.events_digest = ANY($1::bytea[]) AND i.deleted_at IS NULL`,
    [digests],
  );
  return new Map(rows.map((row) => [row.digest.toString('hex'), row]));
}

/**
 * The connected integrations of each place. One that was disconnected may not see what happens at the provider any more,
 * and one with a secret of its own hears of its events at its own address.
 */
export async function findSharedSettings(db: Database, places: readonly SharedPlace[]): Promise<EventSettings[][]> {
  const asked = places.flatMap(({ proven, accounts }, place) =>
    accounts.map((account) => ({ place, type: proven.app.type, account })),
  );
  if (asked.length === 0) return places.map(() => []);
  const rows = await db.query<EventSettings & { place: number }>(
    `SELECT DISTINCT a.place, ${COLUMNS}
     FROM unnest($1::integer[], $2::text[], $3::text[]) a (place, type, account)
     JOIN integrations i ON i.type = a.type AND i.external_id = a.account
     WHERE i.deleted_at IS NULL AND i.status = 'connected' AND i.provider_secret IS NULL
     ORDER BY i.id`,
    [asked.map(({ place }) => place), asked.map(({ type }) => type), asked.map(({ account }) => account)],
  );
  const byPlace = Map.groupBy(rows, ({ place }) => place);
  return places.map((_, place) => byPlace.get(place) ?? []);
}
