import { type Database } from '../../db/database.js';
import { type WebhookStatus } from '../webhook-status.js';
import { type SealedSecrets } from '../webhook-secret.js';

/** A delivery that this process sends, with what its webhook was when it was claimed. */
export interface ClaimedDelivery {
  uuid: string;
  /** Names this attempt: what is said of another one is not taken. */
  claim: string;
  accountId: string;
  webhookUuid: string;
  /** Names the message for its receiver, also when it is sent again: a delivery's uuid. */
  messageUuid: string;
  type: string;
  /** This one counted. */
  attempts: number;
  hops: number;
  /** Null where the webhook is gone. */
  target: (SealedSecrets & { url: string; host: string; status: WebhookStatus }) | null;
  /** Null where it was pruned. */
  body: string | null;
}

/** What a process can take now. */
export interface Capacity {
  slots: number;
  /** Hosts and accounts that have enough under way. */
  busyHosts: readonly string[];
  busyAccounts: readonly string[];
  /** Accounts that have enough under way to one host, as `guestOf` names them: others may still reach it. */
  busyGuests: readonly string[];
}

/** An account at a host. */
export function guestOf(accountId: string, host: string): string {
  return `${accountId} ${host}`;
}

/** Who claims a delivery and is not heard of for so long has died; longer than a call takes, in milliseconds. */
export const LEASE_MS = 45_000;
/** What one claim takes for one host; of one that fails, a single delivery. */
const PER_HOST = 8;
const HOSTS_PER_ACCOUNT = 4;

type Row = Omit<ClaimedDelivery, 'target'> &
  SealedSecrets & { url: string | null; host: string; status: WebhookStatus };

/**
 * The due webhooks are found one by one along the index, so that what one of them has waiting costs nothing and none
 * comes before another by it: of each host the one that waits longest, of each account a few, and of each a few deliveries.
 */
const CLAIM = `
  WITH RECURSIVE waiting AS (
    (SELECT webhook_id FROM webhook_deliveries WHERE next_attempt_at IS NOT NULL ORDER BY webhook_id LIMIT 1)
    UNION ALL
    SELECT (SELECT d.webhook_id FROM webhook_deliveries d
            WHERE d.next_attempt_at IS NOT NULL AND d.webhook_id > waiting.webhook_id ORDER BY d.webhook_id LIMIT 1)
    FROM waiting WHERE waiting.webhook_id IS NOT NULL),
  due AS (
    SELECT waiting.webhook_id, h.at, w.failing_since,
           row_number() OVER (PARTITION BY w.host ORDER BY h.at, waiting.webhook_id) AS of_host, w.account_id
    FROM waiting
    CROSS JOIN LATERAL (
      SELECT next_attempt_at AS at FROM webhook_deliveries d
      WHERE d.webhook_id = waiting.webhook_id AND d.next_attempt_at IS NOT NULL ORDER BY next_attempt_at LIMIT 1) h
    LEFT JOIN webhooks w ON w.id = waiting.webhook_id
    WHERE waiting.webhook_id IS NOT NULL AND h.at <= $1
      AND (w.id IS NULL OR NOT (w.host = ANY ($2) OR w.account_id = ANY ($3)
                                 OR w.account_id::text || ' ' || w.host = ANY ($6)))),
  fair AS (
    SELECT *, row_number() OVER (PARTITION BY account_id ORDER BY at, webhook_id) AS of_account FROM due WHERE of_host = 1),
  targets AS (
    SELECT * FROM fair WHERE of_account <= ${HOSTS_PER_ACCOUNT} ORDER BY at, webhook_id LIMIT $4),
  picked AS (
    SELECT d.id FROM targets t CROSS JOIN LATERAL (
      SELECT id FROM webhook_deliveries d WHERE d.webhook_id = t.webhook_id AND d.next_attempt_at <= $1
      ORDER BY d.next_attempt_at, d.id LIMIT CASE WHEN t.failing_since IS NULL THEN ${PER_HOST} ELSE 1 END
      FOR NO KEY UPDATE SKIP LOCKED) d
    LIMIT $4),
  claimed AS (
    UPDATE webhook_deliveries d SET claim = gen_random_uuid(), attempts = d.attempts + 1, next_attempt_at = $5
    FROM picked WHERE d.id = picked.id RETURNING d.*)
  SELECT c.id AS uuid, c.claim, c.account_id AS "accountId", c.webhook_id AS "webhookUuid",
    coalesce(c.first_id, c.id) AS "messageUuid", c.type, c.attempts, coalesce(e.hops, 0) AS hops, e.body,
    w.url, w.host, w.status, w.secret, w.previous_secret AS "previousSecret", w.previous_until AS "previousUntil"
  FROM claimed c LEFT JOIN webhook_events e ON e.id = c.event_id LEFT JOIN webhooks w ON w.id = c.webhook_id
  ORDER BY c.created_at, c.id`;

/** Takes deliveries that are due. Any number of processes may claim at once; none gets what another one has. */
export async function claimDeliveries(db: Database, now: Date, capacity: Capacity): Promise<ClaimedDelivery[]> {
  const { slots, busyHosts, busyAccounts, busyGuests } = capacity;
  const leaseEnd = new Date(now.getTime() + LEASE_MS);
  const rows = await db.query<Row>(CLAIM, [now, busyHosts, busyAccounts, slots, leaseEnd, busyGuests]);
  return rows.map(({ url, host, status, secret, previousSecret, previousUntil, ...delivery }) => ({
    ...delivery,
    target: url === null ? null : { url, host, status, secret, previousSecret, previousUntil },
  }));
}
