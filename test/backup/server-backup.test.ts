import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { type Manifest, writeManifest } from '../../src/platform/backup/manifest.js';
import { Secrets } from '../../src/platform/encryption/secrets.js';
import { createStartedDatabase, type TestDatabase } from '../support/database/database.js';
import { scratchFolder } from '../support/scratch.js';
import { startTestServer } from '../support/server.js';
import { gateway } from '../support/shell-command.js';
import { Client } from '../support/http/client.js';
import { until } from '../support/until.js';
import { emptyTarget, type EmptyTarget } from './support/empty-target.js';

const ENCRYPTION_KEY = Buffer.alloc(32).toString('base64');
const OTHER_KEY = Buffer.alloc(32, 1).toString('base64');

/** Tables that a restore changes on purpose. */
const SETTLED = new Set([
  'audit_log',
  'event_arrivals',
  'events',
  'event_counters',
  'mails',
  'runs',
  'triggers',
  'webhook_deliveries',
  'workflow_totals',
  'accounts',
]);

describe('a backup of a PostgreSQL server', () => {
  const folder = scratchFolder();
  const backup = join(folder, 'backup');
  let database: TestDatabase;
  let env: Record<string, string>;
  let target: EmptyTarget;

  beforeAll(async () => {
    [database, target] = [await createStartedDatabase(), await emptyTarget()];
    env = { DATABASE_URL: database.url, ENCRYPTION_KEY };
    const server = await startTestServer({ database });
    const client = new Client(server.baseUrl, await server.key());
    const { body: workflow } = await client.rest('POST', '/workflows', { body: { name: 'a\tb\\', status: 'active' } });
    const config = { cron: '* * * * *', catch_up: 'last' };
    await client.rest('POST', '/triggers', { body: { workflow_id: workflow.id, type: 'schedule', config } });
    const given = { workflow_id: workflow.id, type: 'webhook' };
    const { body: trigger } = await client.rest('POST', '/triggers', { body: given });
    const hook = new URL(trigger.webhook_url).pathname;
    const inputs = [{ text: 'line\nbreak', unicode: '☃' }, { long: 'x'.repeat(5_000) }];
    for (const body of inputs) expect((await client.send('POST', hook, { body })).status).toBe(202);
    const ended = `SELECT 1 FROM runs WHERE status = 'succeeded' AND trigger_type = 'webhook'`;
    await until(async () => (await server.db.query(ended)).length === inputs.length);
    await server.close();
    await inDatabase(database.url, [
      `UPDATE triggers SET next_fire_at = now() - interval '10 minutes' WHERE type = 'schedule'`,
      `INSERT INTO webhook_deliveries (id, account_id, webhook_id, event_id, type, status, attempts, next_attempt_at, created_at)
       SELECT gen_random_uuid(), id, gen_random_uuid(), gen_random_uuid(), 'run.failed', 'pending', 1, now(), now() FROM accounts`,
      // Committed just before the backup, and numbered nowhere yet.
      `INSERT INTO event_arrivals (id, account_id, type, at, body)
       SELECT uuid_at(clock_now()), id, 'workflow.created', clock_now(), '{"data":{"name":"Not numbered"}}' FROM accounts`,
      `INSERT INTO mails (id, account_id, recipients, subject, text, key, created_at, next_attempt_at)
       SELECT gen_random_uuid(), id, '{a@example.com}', 's', 't', 'x', now(), now() FROM accounts`,
    ]);
  });
  afterAll(async () => {
    await target.drop();
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('holds every table', async () => {
    const { status, stdout, stderr } = await gateway(env, 'backup', backup, '--without-key', '--json');
    expect([status, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout)).toMatchObject({ kind: 'tables', key: false, path: backup });
    const manifest = manifestIn(backup);
    const names = manifest.tables.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['accounts', 'pgboss.job', 'runs', 'steps', 'payloads']));
    expect(manifest.tables.find(({ name }) => name === 'payloads')?.rows).toBe(1);
    expect(manifest.files.some(({ name }) => name === 'encryption.key')).toBe(false);
  });

  it('is refused without a key, and with another one, and leaves the target empty', async () => {
    const into = { ...env, DATABASE_URL: target.url };
    expect((await gateway({ ...into, ENCRYPTION_KEY: '' }, 'restore', backup)).status).toBe(78);
    const other = await gateway({ ...into, ENCRYPTION_KEY: OTHER_KEY }, 'restore', backup);
    expect([other.status, other.stderr]).toEqual([1, expect.stringMatching(/^error: .*opens no sealed value/)]);
    // With the id of the other key in the manifest, the sealed values themselves are tried.
    const id = new Secrets([Buffer.alloc(32, 1)]).keyIds;
    const forged = join(folder, 'forged');
    cpSync(backup, forged, { recursive: true });
    writeFileSync(join(forged, 'manifest.json'), writeManifest({ ...manifestIn(backup), keys: id }));
    const late = await gateway({ ...into, ENCRYPTION_KEY: OTHER_KEY }, 'restore', forged);
    expect([late.status, late.stderr]).toEqual([1, expect.stringMatching(/^error: .*opens no sealed value/)]);
    expect(await target.query(RELATIONS)).toEqual([]);
  });

  it('restores the same rows, misses the ticks of the gap, and sends nothing again', async () => {
    const into = { ...env, DATABASE_URL: target.url };
    const restored = await gateway(into, 'restore', backup, '--json');
    expect([restored.status, restored.stderr]).toEqual([0, '']);
    expect(JSON.parse(restored.stdout)).toMatchObject({ deliveries: 1, mails: 1, schedules: 1, unreadable: 0 });
    const again = join(folder, 'again');
    expect((await gateway(into, 'backup', again)).status).toBe(0);
    const rows = (of: string, name: string) =>
      readFileSync(join(of, 'tables', name), 'utf8')
        .split('\n')
        .sort();
    for (const { name } of manifestIn(backup).tables)
      if (!SETTLED.has(name)) expect([name, rows(again, name)]).toEqual([name, rows(backup, name)]);
    expect(rows(again, 'runs')).toEqual(expect.arrayContaining(rows(backup, 'runs')));
    const ticks = `SELECT status, status_reason, (input->>'missed')::int AS missed FROM runs WHERE trigger_type = 'schedule' AND id NOT IN (${idsOf(rows(backup, 'runs'))})`;
    const [tick, ...others] = await target.query(ticks);
    expect(others).toEqual([]);
    expect(tick).toMatchObject({ status: 'skipped', status_reason: 'missed' });
    expect(tick!.missed).toBeGreaterThanOrEqual(10);
    const [entry, ...none] = await target.query(
      `SELECT author_kind, author_name, after FROM audit_log WHERE action = 'account.restored'`,
    );
    expect([entry, none]).toEqual([
      { author_kind: 'command', author_name: 'restore', after: { backup_time: manifestIn(backup).time } },
      [],
    ]);
    const reason = expect.stringMatching(/^Not sent: the database was restored from a backup of /);
    expect(await target.query('SELECT status, error, next_attempt_at AS at FROM webhook_deliveries')).toEqual([
      { status: 'failed', error: reason, at: null },
    ]);
    expect(await target.query('SELECT status, last_error AS error, next_attempt_at AS at FROM mails')).toEqual([
      { status: 'given_up', error: reason, at: null },
    ]);
  });

  it('goes on with the log of events, whatever transactions the new server counts', async () => {
    const server = await startTestServer({ database: { ...database, url: target.url } });
    const client = new Client(server.baseUrl, await server.key());
    await client.rest('POST', '/workflows', { body: { name: 'New' } });
    const names = (await client.rest('GET', '/events?limit=100&types=workflow.created')).body.data;
    expect(names.map(({ data }: any) => data.name)).toEqual(['a\tb\\', 'Not numbered', 'New']);
    await server.close();
  });

  it('is refused for a database that is not empty, which stays as it is', async () => {
    const before = await target.query('SELECT count(*)::int AS runs FROM runs');
    const { status, stderr } = await gateway({ ...env, DATABASE_URL: target.url }, 'restore', backup);
    expect([status, stderr]).toEqual([1, expect.stringMatching(/^error: The database is not empty: it has \w+/)]);
    expect(await target.query('SELECT count(*)::int AS runs FROM runs')).toEqual(before);
  });

  it('cannot be used while it is unfinished, and a repetition starts from nothing', async () => {
    await target.query('CREATE TABLE unfinished_restore (since timestamptz)');
    const into = { ...env, DATABASE_URL: target.url };
    const listed = await gateway(into, 'keys', 'list');
    expect([listed.status, listed.stderr]).toEqual([1, expect.stringMatching(/has not ended/)]);
    await target.query(`INSERT INTO accounts (id, name, created_at) VALUES (gen_random_uuid(), 'left', now())`);
    expect((await gateway(into, 'restore', backup)).status).toBe(0);
    expect(await target.query(`SELECT 1 FROM accounts WHERE name = 'left'`)).toEqual([]);
    expect((await gateway(into, 'keys', 'list')).stdout).toContain('active');
  });
});

const RELATIONS = `SELECT relname FROM pg_class WHERE relnamespace = current_schema()::regnamespace
  UNION ALL SELECT proname FROM pg_proc WHERE pronamespace = current_schema()::regnamespace
  UNION ALL SELECT nspname FROM pg_namespace WHERE nspname = 'pgboss'`;

function manifestIn(folder: string): Manifest {
  const { checksum, ...manifest } = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as Manifest & {
    checksum: string;
  };
  expect(checksum).toHaveLength(64);
  return manifest;
}

/** The ids of copied rows, whose first column they are, as a list in SQL; never empty. */
function idsOf(rows: readonly string[]): string {
  return rows.flatMap((row) => (row === '' ? [] : [`'${row.split('\t')[0]!}'`])).join(', ');
}

async function inDatabase(connectionString: string, statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}
