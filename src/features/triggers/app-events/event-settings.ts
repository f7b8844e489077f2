import { type Database } from '../../../platform/db/database.js';
import { type SharedPlace } from './event-source.js';

/** What receiving events needs of an integration. */
export interface EventSettings {
  integrationUuid: string;
  accountId: string;
  type: string;
  status: string;
  /** The account at the provider; null if the provider does not name one. */
  externalId: string | null;
  /** Sealed: the events secret that the service made. */
  secret: string;
  /** Sealed: the events secret that the provider made, if it was set. */
  providerSecret: string | null;
}

const COLUMNS = `i.id AS "integrationUuid", i.account_id AS "accountId", i.type, i.status, i.external_id AS "externalId",
  i.events_secret AS secret, i.provider_secret AS "providerSecret"`;

/** The integrations by token digest in hex. Unknown and deleted ones are missing. */
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
 * The connected integrations of each place. Disconnected ones are left out because they have no access to the
 * provider's data any more, and ones with a secret of their own because they get their events at their own address.
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
