import { type Database } from '../../../platform/db/database.js';
import { lockedPayloadBody } from '../../../platform/payloads.js';
import { type WebhookStatus } from '../webhook-status.js';
import { type EventText, eventText } from '../event-urls.js';
import { messageId } from '../deliveries/webhook-delivery.entity.js';
import { type SealedSecrets } from '../webhook-secret.js';
import { type Capacity, SLOT_BYTES } from './capacity.js';

/**
 * A delivery claimed by this process, with the state of its webhook at the claim, and what it sends: null if the event or its
 * payload was pruned, and if the delivery must not be sent now.
 */
export interface ClaimedDelivery extends EventText {
  uuid: string;
  /** Identifies this attempt: results under another claim are discarded. */
  claim: string;
  accountId: string;
  webhookUuid: string;
  /** The message id for the receiver, equal for repeated deliveries. */
  messageId: string;
  type: string;
  /** The number of attempts, including this one or, if `wasLost`, the lost one. */
  attempts: number;
  /** The previous sender's lease expired: it died, or could not save the outcome. */
  wasLost: boolean;
  /** The slots that it takes: one for each started `SLOT_BYTES` of its body. */
  slots: number;
  hops: number;
  /** Null if the webhook is deleted. */
  target: (SealedSecrets & { url: string; host: string; status: WebhookStatus }) | null;
}

/** The lease of a claim in milliseconds, longer than a call takes. After it the sender counts as dead. */
const LEASE_MS = 45_000;
/** Slots per host and claim; a large last body may exceed it. A failing webhook gets one delivery. */
const PER_HOST = 8;
const HOSTS_PER_ACCOUNT = 4;

/** The deliveries of one claim. */
export interface Claim {
  deliveries: ClaimedDelivery[];
  /** The accounts that were chosen, and of whose webhook every due delivery was locked. */
  locked: readonly string[];
}

/** Of a claim without deliveries there is one row, whose columns are null beside `locked`. */
type Row = Omit<ClaimedDelivery, 'target' | 'messageId'> & {
  locked: string[];
  eventUuid: string;
  firstUuid: string | null;
  namesEvent: boolean;
  url: string | null;
  host: string;
  status: WebhookStatus;
  secret: string;
  /** Null without any. */
  formerSecrets: { secret: string; until: string }[] | null;
};

type Nothing = Pick<Row, 'locked'> & { uuid: null };

/** SQL: the size of an event's body, which PostgreSQL knows without reading it, and the body itself. */
const BODY_BYTES = `(octet_length(e.body) + coalesce(octet_length(e.tail), 0)
  + coalesce(octet_length(${lockedPayloadBody('e.payload_id')}), 0))`;
const FORMER = `(SELECT json_agg(json_build_object('secret', f.secret, 'until', f.until) ORDER BY f.until DESC, f.id DESC)
  FROM former_webhook_secrets f WHERE f.webhook_id = w.id AND f.until > clock_now())`;
const TEXT = eventText('c', lockedPayloadBody('c.payload_id'), `w.status = 'enabled' AND NOT c.was_lost`);

/**
 * Finds the due webhooks one by one along the index, so that the backlog of one neither costs time nor gives it
 * priority. Takes the longest waiting webhook of each host, a few webhooks of each account, and a few deliveries of
 * each webhook.
 */
const CLAIM = `
  WITH RECURSIVE waiting AS (
    (SELECT webhook_id FROM webhook_deliveries WHERE next_attempt_at IS NOT NULL ORDER BY webhook_id LIMIT 1)
    UNION ALL
    SELECT (SELECT d.webhook_id FROM webhook_deliveries d
            WHERE d.next_attempt_at IS NOT NULL AND d.webhook_id > waiting.webhook_id ORDER BY d.webhook_id LIMIT 1)
    FROM waiting WHERE waiting.webhook_id IS NOT NULL),
  due AS (
    SELECT waiting.webhook_id, h.at, w.failing_since, w.status = 'enabled' AS is_open,
           row_number() OVER (PARTITION BY w.host ORDER BY h.at, waiting.webhook_id) AS of_host, w.account_id
    FROM waiting
    CROSS JOIN LATERAL (
      SELECT next_attempt_at AS at FROM webhook_deliveries d
      WHERE d.webhook_id = waiting.webhook_id AND d.next_attempt_at IS NOT NULL ORDER BY next_attempt_at LIMIT 1) h
    LEFT JOIN webhooks w ON w.id = waiting.webhook_id
    WHERE waiting.webhook_id IS NOT NULL AND waiting.webhook_id <> ALL ($5) AND h.at <= clock_now()
      AND (w.id IS NULL OR NOT (w.host = ANY ($1) OR w.account_id = ANY ($2)
                                 OR w.account_id::text || ' ' || w.host = ANY ($4)))),
  fair AS (
    SELECT *, row_number() OVER (PARTITION BY account_id ORDER BY at, webhook_id) AS of_account FROM due WHERE of_host = 1),
  targets AS (
    SELECT * FROM fair WHERE of_account <= ${HOSTS_PER_ACCOUNT} ORDER BY at, webhook_id LIMIT $3),
  offered AS (
    SELECT t.at, t.webhook_id, d.*, e.hops AS event_hops, e.body, e.payload_id, e.tail, e.urls_of,
      CASE WHEN t.is_open AND NOT d.was_lost THEN 1 + coalesce(${BODY_BYTES}, 0) / ${SLOT_BYTES} ELSE 1 END AS slots
    FROM targets t CROSS JOIN LATERAL (
      SELECT id, event_id, next_attempt_at, claim IS NOT NULL AS was_lost FROM webhook_deliveries d
      WHERE d.webhook_id = t.webhook_id AND d.next_attempt_at <= clock_now()
      ORDER BY d.next_attempt_at, d.id LIMIT CASE WHEN t.failing_since IS NULL THEN ${PER_HOST} ELSE 1 END
      FOR NO KEY UPDATE SKIP LOCKED) d
    LEFT JOIN webhook_events e ON e.id = d.event_id
    LIMIT $3),
  weighed AS (
    SELECT *, sum(slots) OVER (PARTITION BY webhook_id ORDER BY next_attempt_at, id) - slots AS of_webhook FROM offered),
  picked AS (
    SELECT *, sum(slots) OVER (ORDER BY at, webhook_id, next_attempt_at, id) - slots AS of_all FROM weighed
    WHERE of_webhook < ${PER_HOST}),
  claimed AS (
    UPDATE webhook_deliveries d SET claim = gen_random_uuid(), next_attempt_at = clock_now() + ${LEASE_MS} * interval '1 ms',
      attempts = d.attempts + CASE WHEN p.was_lost THEN 0 ELSE 1 END
    FROM picked p WHERE d.id = p.id AND p.of_all < $3 RETURNING d.*, p.was_lost, p.slots, p.event_hops,
      p.body, p.payload_id, p.tail, p.urls_of),
  locked AS (
    SELECT array_agg(DISTINCT t.account_id::text) AS accounts FROM targets t
    WHERE t.account_id IS NOT NULL AND (SELECT count(*) FROM offered) < $3
      AND NOT EXISTS (SELECT FROM offered o WHERE o.webhook_id = t.webhook_id))
  SELECT coalesce(locked.accounts, '{}') AS locked, c.id AS uuid, c.claim, c.account_id AS "accountId", c.webhook_id AS "webhookUuid",
    c.event_id AS "eventUuid", c.first_id AS "firstUuid", c.names_event AS "namesEvent", c.type, c.attempts, c.was_lost AS "wasLost", c.slots,
    greatest(c.event_hops, c.hops, 0) AS hops, ${TEXT},
    w.url, w.host, w.status, w.secret, ${FORMER} AS "formerSecrets"
  FROM locked LEFT JOIN claimed c ON true LEFT JOIN webhooks w ON w.id = c.webhook_id
  ORDER BY c.created_at, c.id`;

/**
 * Claims deliveries that are due by the database's clock. Processes may claim concurrently and never get the same
 * delivery. `except` names webhooks whose pending deliveries are being ended.
 */
export async function claimDeliveries(
  db: Database,
  capacity: Capacity,
  except: readonly string[] = [],
): Promise<Claim> {
  const { slots, busyHosts, busyAccounts, busyGuests } = capacity;
  const rows = await db.query<Row | Nothing>(CLAIM, [busyHosts, busyAccounts, slots, busyGuests, except]);
  const claimed = rows.filter((row): row is Row => row.uuid !== null);
  return { deliveries: claimed.map(deliveryOf), locked: rows[0]!.locked };
}

function deliveryOf({
  locked: _locked,
  url,
  host,
  status,
  secret,
  formerSecrets,
  eventUuid,
  firstUuid,
  namesEvent,
  ...delivery
}: Row): ClaimedDelivery {
  return {
    ...delivery,
    messageId: messageId({ uuid: delivery.uuid, eventUuid, firstUuid, namesEvent }),
    target: url === null ? null : { url, host, status, secret, formerSecrets: datesIn(formerSecrets) },
  };
}

function datesIn(former: Row['formerSecrets']): SealedSecrets['formerSecrets'] {
  return (former ?? []).map(({ secret, until }) => ({ secret, until: new Date(until) }));
}
