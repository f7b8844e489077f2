import pg from 'pg';
import { newUuid } from '../../src/platform/ids/ids.js';
import { type Secrets } from '../../src/platform/encryption/secrets.js';

const PAGE = 10_000;

/** Inserts paused runs of one account that were due a week ago. */
export async function pausedRuns(url: string, rows: number, now: Date): Promise<void> {
  await withAccount(url, now, async (client, account) => {
    await client.query(
      `INSERT INTO runs (id, account_id, workflow_id, trigger_type, status, created_at, started_at, resume_at)
       SELECT gen_random_uuid(), $1, $2, 'manual', 'running', $3::timestamptz, $3::timestamptz,
         $3::timestamptz - interval '7 days' + n * interval '1 ms' FROM generate_series(1, $4::integer) n`,
      [account, newUuid(now), now, rows],
    );
  });
}

/** Inserts empty lists of actions, sealed with the newest key of `secrets`. */
export async function sealedLists(url: string, rows: number, secrets: Secrets, now: Date): Promise<void> {
  await withAccount(url, now, async (client, account) => {
    const workflow = newUuid(now);
    await client.query(
      `INSERT INTO workflows (id, account_id, name, status, run_count, created_at, updated_at)
       VALUES ($1, $2, '', 'draft', 0, $3, $3)`,
      [workflow, account, now],
    );
    for (let left = rows; left > 0; left -= PAGE) {
      const ids = Array.from({ length: Math.min(left, PAGE) }, () => newUuid(now));
      const bodies = ids.map((id) => secrets.seal('[]', { accountId: account, table: 'action_lists', id }));
      await client.query(
        `INSERT INTO action_lists (id, account_id, workflow_id, body, created_at)
         SELECT n.id, $3, $4, n.body, $5 FROM unnest($1::uuid[], $2::text[]) n (id, body)`,
        [ids, bodies, account, workflow, now],
      );
    }
  });
}

/** Runs work on a connection without limits, with a new account. */
async function withAccount(
  url: string,
  now: Date,
  work: (client: pg.Client, account: string) => Promise<void>,
): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    const account = newUuid(now);
    await client.query(`INSERT INTO accounts (id, name, created_at) VALUES ($1::uuid, $1::uuid::text, $2)`, [
      account,
      now,
    ]);
    await work(client, account);
  } finally {
    await client.end();
  }
}
