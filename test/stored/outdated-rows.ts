import pg from 'pg';
import { newUuid } from '../../src/platform/ids/ids.js';

/** How one table is filled with outdated rows. */
export interface OutdatedRows {
  table: string;
  /** The statement. $1: the number of rows, $2: their time, $3: an account, $4: another id. */
  insert: string;
  /** The statement that must run first. $1: the account, $2: the other id, $3: the time. */
  before?: string;
  /** The number of rows that remain. */
  left?: number;
}

const BYTES = `decode(md5(n::text), 'hex')`;

/** Each table that a job prunes, with rows that are 40 days old. */
export const OUTDATED: readonly OutdatedRows[] = [
  {
    table: 'idempotency_keys',
    insert: `INSERT INTO idempotency_keys (account_id, digest, body_digest, claim_id, claimed_at, status, answer)
      SELECT $3::uuid, ${BYTES}, ${BYTES}, $4::uuid, $2::timestamptz + n * interval '1 ms', 200, 'sealed' FROM generate_series(1, $1::integer) n`,
  },
  {
    table: 'firings',
    insert: `INSERT INTO firings (trigger_id, key, run_id, created_at)
      SELECT $4::uuid, n::text, $3::uuid, $2::timestamptz + n * interval '1 ms' FROM generate_series(1, $1::integer) n`,
  },
  {
    table: 'late_run_changes',
    insert: `INSERT INTO late_run_changes (account_id, at, run_id, version, workflow_id, previous_status, status)
      SELECT $3::uuid, $2::timestamptz + n * interval '1 ms', gen_random_uuid(), 3, $4::uuid, 'running', 'failed'
      FROM generate_series(1, $1::integer) n`,
  },
  {
    table: 'bulk_operations',
    insert: `INSERT INTO bulk_operations (id, account_id, kind, status, matched, hops, created_at)
      SELECT gen_random_uuid(), $3::uuid, 'cancel', 'done', 0, 0, $2::timestamptz + n * interval '1 ms' FROM generate_series(1, $1::integer) n
      WHERE $4::uuid IS NOT NULL`,
  },
  {
    table: 'bulk_changes',
    insert: `INSERT INTO bulk_changes (id, account_id, bulk_id, position, kind, status, matched, done, failed, created_at, at)
      SELECT gen_random_uuid(), $3::uuid, $4::uuid, n, 'cancel', 'done', 0, 0, 0, $2::timestamptz + n * interval '1 ms', $2::timestamptz FROM generate_series(1, $1::integer) n`,
  },
  {
    table: 'webhook_deliveries',
    insert: `INSERT INTO webhook_deliveries (id, account_id, webhook_id, event_id, type, status, attempts, created_at)
      SELECT gen_random_uuid(), $3::uuid, $4::uuid, $4::uuid, 'run.failed', 'failed', 1, $2::timestamptz FROM generate_series(1, $1::integer)`,
  },
  {
    table: 'webhook_events',
    insert: `INSERT INTO webhook_events (id, account_id, hops, body, keep_until)
      SELECT gen_random_uuid(), $3::uuid, 0, $4::uuid::text, $2::timestamptz FROM generate_series(1, $1::integer)`,
  },
  {
    table: 'former_webhook_secrets',
    before: `INSERT INTO webhooks (id, account_id, url, host, events, secret, status, created_at)
      VALUES ($2::uuid, $1::uuid, '', '', '{}', '', 'enabled', $3::timestamptz)`,
    insert: `INSERT INTO former_webhook_secrets (id, account_id, webhook_id, secret, until)
      SELECT gen_random_uuid(), $3::uuid, $4::uuid, '', $2::timestamptz FROM generate_series(1, $1::integer)`,
  },
  {
    table: 'mails',
    insert: `INSERT INTO mails (id, account_id, recipients, subject, text, key, status, created_at)
      SELECT gen_random_uuid(), $3::uuid, '{ada@example.com}', '', '', $4::uuid::text || n, 'sent', $2::timestamptz FROM generate_series(1, $1::integer) n`,
  },
  {
    table: 'connect_sessions',
    insert: `INSERT INTO connect_sessions (id, account_id, digest, ticket_digest, label, created_at, expires_at)
      SELECT gen_random_uuid(), $3::uuid, ${BYTES}, ${BYTES}, $4::uuid::text, $2::timestamptz, $2::timestamptz FROM generate_series(1, $1::integer) n`,
  },
  {
    table: 'invitations',
    insert: `INSERT INTO invitations (id, account_id, email, digest, created_at, expires_at)
      SELECT gen_random_uuid(), $3::uuid, n || $4::uuid::text, ${BYTES}, $2::timestamptz, $2::timestamptz FROM generate_series(1, $1::integer) n`,
  },
  {
    table: 'user_sessions',
    before: `INSERT INTO users (id, account_id, email, name, created_at, updated_at) VALUES ($2::uuid, $1::uuid, 'ada@example.com', '', $3::timestamptz, $3::timestamptz)`,
    insert: `INSERT INTO user_sessions (id, user_id, digest, user_agent, created_at, updated_at, expires_at)
      SELECT gen_random_uuid(), $4::uuid, ${BYTES}, $3::uuid::text, $2::timestamptz, $2::timestamptz, $2::timestamptz FROM generate_series(1, $1::integer) n`,
  },
  {
    table: 'spent_challenges',
    insert: `INSERT INTO spent_challenges (digest, expires_at) SELECT ${BYTES}, $2::timestamptz FROM generate_series(1, $1::integer) n
      WHERE $3::uuid IS DISTINCT FROM $4::uuid`,
  },
  {
    table: 'sandbox_grants',
    insert: `INSERT INTO sandbox_grants (digest, kind, family, payload, expires_at)
      SELECT ${BYTES}, 'access', $4::uuid, to_json($3::uuid::text), $2::timestamptz FROM generate_series(1, $1::integer) n`,
  },
  {
    table: 'integration_changes',
    before: integration('NULL', 1),
    left: 100,
    insert: `WITH changed AS (UPDATE integrations SET version = $1::integer WHERE id = $4::uuid)
      INSERT INTO integration_changes (id, account_id, integration_id, position, version, status, at)
      SELECT gen_random_uuid(), $3::uuid, $4::uuid, n, n, 'pending', $2::timestamptz FROM generate_series(1, $1::integer) n`,
  },
  {
    // One integration with all these changes: its deletion would have to delete them too.
    table: 'integrations',
    before: integration('$3::timestamptz', 1),
    insert: `INSERT INTO integration_changes (id, account_id, integration_id, position, version, status, at)
      SELECT gen_random_uuid(), $3::uuid, $4::uuid, n, n, 'pending', $2::timestamptz FROM generate_series(1, $1::integer) n`,
  },
  {
    table: 'runs',
    before: `INSERT INTO deleted_workflows (account_id, workflow_id, deleted_at) VALUES ($1::uuid, $2::uuid, $3::timestamptz)`,
    insert: `WITH made AS (
        INSERT INTO runs (id, account_id, workflow_id, trigger_type, status, created_at, finished_at)
        SELECT gen_random_uuid(), $3::uuid, $4::uuid, 'manual', 'succeeded', $2::timestamptz, $2::timestamptz FROM generate_series(1, $1::integer) RETURNING id, account_id)
      INSERT INTO steps (run_id, index, account_id, name, kind, status, attempt)
      SELECT id, 0, account_id, 'call', 'http_request', 'succeeded', 1 FROM made`,
  },
  {
    table: 'action_lists',
    before: `INSERT INTO workflows (id, account_id, name, status, run_count, created_at, updated_at) VALUES ($2::uuid, $1::uuid, '', 'draft', 0, $3::timestamptz, $3::timestamptz)`,
    insert: `INSERT INTO action_lists (id, account_id, workflow_id, body, created_at)
      SELECT gen_random_uuid(), $3::uuid, $4::uuid, '', $2::timestamptz FROM generate_series(1, $1::integer)`,
  },
];

function integration(deletedAt: string, version: number): string {
  return `INSERT INTO integrations (id, account_id, type, auth, name, status, version, parameters, events_digest,
      events_token, events_secret, created_at, deleted_at)
    VALUES ($2::uuid, $1::uuid, 'sandbox_api_key', 'api_key', '', 'disconnected', ${version}, '{}', decode(md5($2::uuid::text), 'hex'),
      '', '', $3::timestamptz, ${deletedAt})`;
}

/** Fills a table with rows of 40 days ago, for a new account, on a connection without limits. */
export async function fill(url: string, { before, insert }: OutdatedRows, rows: number, now: Date): Promise<void> {
  const at = new Date(now.getTime() - 40 * 86_400_000);
  const [account, other] = [newUuid(now), newUuid(now)];
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query(`INSERT INTO accounts (id, name, created_at) VALUES ($1::uuid, $1::uuid::text, $2)`, [
      account,
      at,
    ]);
    if (before !== undefined) await client.query(before, [account, other, at]);
    await client.query(insert, [rows, at, account, other]);
  } finally {
    await client.end();
  }
}
