import pg from 'pg';
import { type Database } from '../../src/platform/db/database.js';
import { keyUsage } from '../../src/features/encryption/key-usage.js';
import { resealJobs } from '../../src/features/encryption/reseal.job.js';
import { sealedColumns } from '../../src/features/encryption/sealed-column.js';
import { createOutbound } from '../../src/platform/http/outbound/outbound.js';
import { newUuid } from '../../src/platform/ids/ids.js';
import { createLogger } from '../../src/platform/logging/logger.js';
import { keysCommand } from '../api-keys/keys-command.js';
import { PausingProcess } from '../faults/support/pausing-process.js';
import { type Client } from '../support/http/client.js';
import { until } from '../support/until.js';
import { EncryptedWorld, HOOK_SECRET, NEW_KEY, OLD_KEY, post, ring, type Things, uuidOf } from './encrypted-world.js';

const BOTH = ring(NEW_KEY, OLD_KEY);

describe('sealing with the newest key', () => {
  let world: EncryptedWorld;
  let db: Database;
  let old: Client;
  let things: Things;
  let logs: string[];

  beforeAll(async () => {
    world = await EncryptedWorld.open();
    ({ db } = world.first.server);
    old = world.first.client;
  });
  beforeEach(async () => {
    logs = [];
    await db.query(`DELETE FROM workflows`);
    await db.query(`DELETE FROM integrations`);
    await db.query(`DELETE FROM webhooks`);
    await db.query(`DELETE FROM idempotency_keys`);
    things = await world.make(old);
  });
  afterAll(() => world.close());

  const logger = createLogger('info', { write: (line: string) => void logs.push(line) });
  const reseal = async (on = db) => {
    for (const job of resealJobs({ db: on, secrets: BOTH, logger })) await job.run();
  };
  const sums = async () => {
    const usages = await keyUsage(db, BOTH);
    const sum = (name: 'newest' | 'older' | 'unreadable') => usages.reduce((all, usage) => all + usage[name], 0);
    return { newest: sum('newest'), older: sum('older'), unreadable: sum('unreadable') };
  };

  it('knows every column with sealed texts', async () => {
    await old.rest('POST', `/webhooks/${things.webhook}/rotate_secret`);
    await old.rest('POST', '/workflows', { body: { name: 'x' }, headers: { 'idempotency-key': 'k' } });
    const signed = { type: 'sandbox_api_key', credentials: { api_key: 'sandbox_valid_key' } };
    const { body } = await old.rest('POST', '/integrations/connect', { body: signed });
    await old.rest('PUT', `/integrations/${body.id}`, { body: { events_secret: 'a secret of a provider' } });
    await world.first.start();
    const columns = await db.query<{ table: string; column: string }>(
      `SELECT table_name AS table, column_name AS column FROM information_schema.columns
       WHERE table_schema = 'public' AND data_type IN ('text', 'json', 'jsonb', 'bytea', 'ARRAY')`,
    );
    const found: string[] = [];
    for (const { table, column } of columns) {
      const sealed = `SELECT 1 FROM ${table} WHERE ${column}::text ~ 'v1\\.[0-9a-f]{8}\\.' LIMIT 1`;
      if ((await db.query(sealed)).length > 0) found.push(`${table}.${column}`);
    }
    // Partitions have the columns of their table.
    expect([...new Set(found)].sort()).toEqual(sealedColumns.map(({ table, column }) => `${table}.${column}`).sort());
  });

  it('makes the old key unnecessary: a service without it can read everything', async () => {
    const before = await sums();
    expect(before).toEqual({ newest: 0, older: before.older, unreadable: 0 });
    expect(before.older).toBeGreaterThanOrEqual(10);
    await reseal();
    expect(await sums()).toEqual({ newest: before.older, older: 0, unreadable: 0 });
    expect(logs).toEqual([
      expect.stringContaining(`"rows":${before.older},"msg":"encryption: sealed with the newest key"`),
    ]);
    const fresh = await world.with(NEW_KEY);
    for (const path of ['/triggers', `/workflows/${things.workflow}/actions`, `/integrations/${things.oauth}`]) {
      expect((await fresh.rest('GET', path)).body).toEqual(
        (await (await world.with(NEW_KEY, OLD_KEY)).rest('GET', path)).body,
      );
    }
    const { body } = await fresh.rest('GET', `/triggers/${things.hook}`);
    expect(JSON.stringify(body.config)).toBe(JSON.stringify({ z: 1, secret: HOOK_SECRET, a: 2 }));
    expect((await post(fresh, things.hookUrl, HOOK_SECRET)).status).toBe(202);
    expect((await fresh.rest('POST', `/integrations/${things.keyed}/test`)).body.ok).toBe(true);
    expect((await fresh.rest('POST', `/integrations/${things.oauth}/test`)).body.ok).toBe(true);
    const { data } = (await fresh.graphql(`{ integrations { items { unreadable } } }`)).body;
    expect(data.integrations.items).toEqual([{ unreadable: null }, { unreadable: null }]);
  });

  it('changes nothing the second time, and pauses for an hour once nothing is left', async () => {
    const [job] = resealJobs({ db, secrets: BOTH, logger });
    await job!.run();
    const before = db.statements;
    await job!.run();
    const looked = db.statements - before;
    expect(looked).toBe(sealedColumns.length);
    await job!.run();
    expect(db.statements - before).toBe(looked);
    expect(logs).toHaveLength(1);
  });

  it('has no job while there is one key', () => {
    expect(resealJobs({ db, secrets: ring(NEW_KEY), logger })).toEqual([]);
  });

  it('leaves unreadable texts unchanged, and logs their number', async () => {
    await db.query(`UPDATE triggers SET hook_token = replace(hook_token, 'v1.', 'v1.0') WHERE id = $1`, [
      uuidOf(things.hook),
    ]);
    await reseal();
    expect(await sums()).toMatchObject({ older: 0, unreadable: 1 });
    expect(logs.join('')).toContain('"rows":1,"msg":"encryption: no key of the ring opens these"');
  });

  it('does not overwrite a concurrent change', async () => {
    const changing = new Proxy(db, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== 'function') return value;
        if (name !== 'transaction') return value.bind(target) as unknown;
        return async (...args: never[]) => {
          await old.rest('PUT', `/triggers/${things.hook}`, { body: { config: { secret: `${HOOK_SECRET}-changed` } } });
          return (value as (...args: never[]) => unknown).apply(target, args);
        };
      },
    });
    await reseal(changing);
    const { body } = await old.rest('GET', `/triggers/${things.hook}`);
    expect(body.config).toEqual({ secret: `${HOOK_SECRET}-changed` });
    await reseal();
    expect((await sums()).older).toBe(0);
  });

  it('skips a locked row, and reseals it in the next pass', async () => {
    const [job] = resealJobs({ db, secrets: BOTH, logger });
    const hold = `SELECT 1 FROM triggers WHERE id = $1 FOR UPDATE`;
    const client = new pg.Client(world.first.server.database.url);
    await client.connect();
    await client.query('BEGIN');
    await client.query(hold, [uuidOf(things.hook)]);
    await job!.run();
    expect((await sums()).older).toBe(2);
    await client.query('COMMIT');
    await client.end();
    await job!.run();
    expect((await sums()).older).toBe(0);
  });

  it('does not disturb a concurrent renewal', async () => {
    const { server, provider } = world.first;
    const outbound = createOutbound({ allowPrivateNetwork: true, userAgent: 'test' });
    const { renewal } = new PausingProcess(server, provider.url, outbound, [NEW_KEY, OLD_KEY]);
    await server.advance(3_600_000);
    const answered = Promise.withResolvers<void>();
    provider.onToken = async ({ form }) => answered.promise.then(() => provider.issue(form));
    const token = renewal.token(uuidOf(things.oauth)).then(({ credentials }) => credentials.accessToken);
    await until(() => provider.requests('refresh_token').length === 1);
    await reseal();
    answered.resolve();
    expect(provider.knows(await token)).toBe(true);
    expect(provider.revoked).toEqual([]);
    expect((await renewal.token(uuidOf(things.oauth))).credentials.accessToken).toBe(await token);
    provider.reset();
    await outbound.close();
  });

  it('reads a large table in pages, with a constant number of statements for each', async () => {
    const account = (await db.query<{ id: string }>(`SELECT account_id AS id FROM workflows LIMIT 1`))[0]!.id;
    const ids = Array.from({ length: 2_250 }, () => newUuid(new Date()));
    const bodies = ids.map((id) => ring(OLD_KEY).seal('[]', { accountId: account, table: 'action_lists', id }));
    await db.query(
      `INSERT INTO action_lists (id, account_id, workflow_id, body, created_at)
       SELECT n.id, $3, $4, n.body, now() FROM unnest($1::uuid[], $2::text[]) n (id, body)`,
      [ids, bodies, account, uuidOf(things.workflow)],
    );
    const before = db.statements;
    await reseal();
    // Three pages to look at and three to write; the other columns have one page each.
    expect(db.statements - before).toBe(2 * 3 + 2 * (sealedColumns.length - 1) - unused);
    expect((await sums()).older).toBe(0);
  });

  it('keeps a few megabytes in memory', async () => {
    const account = (await db.query<{ id: string }>(`SELECT account_id AS id FROM workflows LIMIT 1`))[0]!.id;
    const ids = Array.from({ length: 20 }, () => newUuid(new Date()));
    const actions = JSON.stringify('x'.repeat(1_048_576));
    for (const id of ids) {
      const body = ring(OLD_KEY).seal(actions, { accountId: account, table: 'action_lists', id });
      await db.query(
        `INSERT INTO action_lists (id, account_id, workflow_id, body, created_at) VALUES ($1, $2, $3, $4, now())`,
        [id, account, uuidOf(things.workflow), body],
      );
    }
    const before = db.statements;
    await reseal();
    // 1.4 MB each, six to a page: four pages of lists, all of them written.
    expect(db.statements - before).toBe(2 * 4 + 2 * (sealedColumns.length - 1) - unused);
    expect((await sums()).older).toBe(0);
  });

  it('is shown by keys -- encryption, a line for each column', async () => {
    const env = {
      DATABASE_URL: world.first.server.database.url,
      ENCRYPTION_KEY: [NEW_KEY, OLD_KEY].map((key) => key.toString('base64')).join(','),
    };
    const { status, stdout, stderr } = await keysCommand(env, 'encryption');
    expect([status, stderr]).toEqual([0, '']);
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown);
    expect(lines).toHaveLength(sealedColumns.length);
    expect(lines).toContainEqual({
      table: 'triggers',
      column: 'hook_token',
      newest: 0,
      older: 2,
      unreadable: 0,
      by_key: { [BOTH.keyIds[1]!]: 2 },
    });
  });
});

/** Columns in which these things seal nothing: no flow is under way, no answer kept, no secret was rotated, and the secret
 * of URLs is new. */
const unused = 5;
