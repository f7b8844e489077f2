import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { newKeyText } from '../src/features/api-keys/key-text.js';
import { newUuid, toPublicId } from '../src/platform/ids/ids.js';
import { randomToken, sha256 } from '../src/platform/encryption/secrets.js';

/** An account of the bench, with a read-write key. */
export interface SeededAccount {
  uuid: string;
  key: string;
}

/** The seeded data. */
export interface Seed {
  /** 500,000 workflows. */
  large: SeededAccount;
  /** 1,000 workflows. */
  small: SeededAccount;
  /** Empty: for creates. */
  writes: SeededAccount;
  /** Public ids of 1,000 workflows of the large account, spread over it. */
  workflowIds: string[];
  /** Public ids of workflows of the large account: the first of the list, and the one behind four fifths of it. */
  places: { first: string; deep: string };
  /** Tokens of hooks of 1,000 active workflows, one each. */
  hookTokens: string[];
  /** An integration with many subscribers, its account, and its keys: one key carries 1,000 sockets. */
  awaited: { uuid: string; id: string; accountUuid: string; keys: string[] };
}

const AWAITED_KEYS = 11;

/** The number of workflows of the large and the small account. */
export interface Sizes {
  large: number;
  small: number;
}

/** The sizes for the table in docs/performance.md. */
export const SIZES: Sizes = { large: 500_000, small: 1_000 };

/** Fills a migrated, empty database, and vacuums it as autovacuum would. */
export async function seedDatabase(url: string, sizes: Sizes): Promise<Seed> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    const [large, small, writes, hooks] = [
      await makeAccount(client, 'large'),
      await makeAccount(client, 'small'),
      await makeAccount(client, 'writes'),
      await makeAccount(client, 'hooks'),
    ];
    await makeWorkflows(client, large.uuid, sizes.large);
    await makeWorkflows(client, small.uuid, sizes.small);
    await makeWorkflows(client, hooks.uuid, sizes.small, 'active');
    const seed = {
      large,
      small,
      writes,
      workflowIds: await sampleIds(client, large.uuid),
      places: { first: await idAt(client, large.uuid, 0), deep: await idAt(client, large.uuid, sizes.large * 0.8) },
      hookTokens: await makeHooks(client, hooks.uuid),
      awaited: await makeAwaited(client),
    };
    await client.query(
      'VACUUM ANALYZE accounts, api_keys, workflows, workflow_totals, triggers, integrations, integration_changes',
    );
    return seed;
  } finally {
    await client.end();
  }
}

/** Creates an account with a key. */
export async function makeAccount(client: pg.Client, name: string): Promise<SeededAccount> {
  const uuid = newUuid(new Date());
  await client.query('INSERT INTO accounts (id, name, created_at) VALUES ($1, $2, now())', [uuid, name]);
  return { uuid, key: await makeKey(client, uuid) };
}

/** Creates a key of an account. */
export async function makeKey(client: pg.Client, accountUuid: string, scope = 'read-write'): Promise<string> {
  const key = newKeyText();
  await client.query(
    `INSERT INTO api_keys (id, account_id, label, scope, digest, last_four, created_at)
     VALUES ($1, $2, 'bench', $5, $3, $4, now())`,
    [newUuid(new Date()), accountUuid, sha256(key), key.slice(-4), scope],
  );
  return key;
}

/** Creates one workflow for each past minute, with UUIDv7 ids of those times, and totals in all slots. */
async function makeWorkflows(client: pg.Client, accountUuid: string, count: number, status?: string): Promise<void> {
  await client.query(
    `INSERT INTO workflows (id, account_id, name, description, status, run_count, created_at, updated_at)
     SELECT (lpad(to_hex(ms), 12, '0') || '7' || lpad(to_hex(i % 4096), 3, '0') || '8' || substr(md5($1 || i), 1, 15))::uuid,
            $1::uuid, 'Workflow ' || i, CASE WHEN i % 2 = 0 THEN 'Sends what comes in to where it belongs.' END,
            coalesce($3, (ARRAY['active', 'draft', 'paused', 'archived'])[1 + i % 4]), i % 1000,
            to_timestamp(ms / 1000.0), to_timestamp(ms / 1000.0)
     FROM generate_series(1, $2::int) i,
          LATERAL (SELECT (extract(epoch FROM now()) * 1000)::bigint - ($2::int - i) * 60000::bigint AS ms) t`,
    [accountUuid, count, status ?? null],
  );
  await client.query(
    `INSERT INTO workflow_totals (account_id, status, slot, total)
     SELECT account_id, status, ('x' || right(id::text, 1))::bit(4)::int, count(*)
     FROM workflows WHERE account_id = $1 GROUP BY 1, 2, 3`,
    [accountUuid],
  );
}

async function sampleIds(client: pg.Client, accountUuid: string): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    `SELECT id FROM workflows WHERE account_id = $1 AND right(name, 3) = '123' ORDER BY md5(id::text) LIMIT 1000`,
    [accountUuid],
  );
  return rows.map(({ id }) => toPublicId('wf', id));
}

async function idAt(client: pg.Client, accountUuid: string, place: number): Promise<string> {
  const { rows } = await client.query<{ id: string }>(
    `SELECT id FROM workflows WHERE account_id = $1 ORDER BY id DESC OFFSET $2 LIMIT 1`,
    [accountUuid, Math.floor(place)],
  );
  return toPublicId('wf', rows[0]!.id);
}

/** Creates a webhook trigger for each workflow of the account; only the digest of its token is read. */
async function makeHooks(client: pg.Client, accountUuid: string): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>('SELECT id FROM workflows WHERE account_id = $1', [accountUuid]);
  const tokens = rows.map(() => randomToken());
  await client.query(
    `INSERT INTO triggers (id, account_id, workflow_id, type, config, status, hook_digest, created_at)
     SELECT t.id, $1, t.workflow_id, 'webhook', '{}', 'active', t.digest, now()
     FROM unnest($2::uuid[], $3::uuid[], $4::bytea[]) t (id, workflow_id, digest)`,
    [accountUuid, rows.map(() => newUuid(new Date())), rows.map(({ id }) => id), tokens.map(sha256)],
  );
  return tokens;
}

async function makeAwaited(client: pg.Client): Promise<Seed['awaited']> {
  const { uuid: accountUuid, key } = await makeAccount(client, 'awaited');
  const keys = [key];
  while (keys.length < AWAITED_KEYS) keys.push(await makeKey(client, accountUuid));
  const uuid = newUuid(new Date());
  await client.query(
    `INSERT INTO integrations (id, account_id, type, auth, name, status, version, parameters, events_digest,
                               events_token, events_secret, connected_at, created_at)
     VALUES ($1, $2, 'slack', 'oauth2', 'slack', 'connected', 1, '{}', $3, '', '', now(), now())`,
    [uuid, accountUuid, sha256(randomUUID())],
  );
  await client.query(
    `INSERT INTO integration_changes (id, account_id, integration_id, position, version, status, reason, at)
     VALUES ($1, $2, $3, 1, 1, 'connected', 'connected', now())`,
    [newUuid(new Date()), accountUuid, uuid],
  );
  await client.query('UPDATE accounts SET change_position = 1 WHERE id = $1', [accountUuid]);
  return { uuid, id: toPublicId('int', uuid), accountUuid, keys };
}
