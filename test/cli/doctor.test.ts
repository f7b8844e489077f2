import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Finding } from '../../src/process/doctor/finding.js';
import { packageRoot } from '../../src/platform/package-root.js';
import { Client } from '../support/http/client.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { gateway } from '../support/shell-command.js';

const KEY = Buffer.alloc(32).toString('base64');
const OTHER_KEY = Buffer.alloc(32, 1).toString('base64');

let server: TestServer;
let env: Record<string, string>;

beforeAll(async () => {
  server = await startTestServer({ env: { ROLES: 'api' } });
  env = { DATABASE_URL: server.database.url, ENCRYPTION_KEY: KEY };
  const client = new Client(server.baseUrl, await server.key());
  const credentials = { api_key: 'sandbox_valid_key' };
  await client.rest('POST', '/integrations/connect', { body: { type: 'sandbox_api_key', credentials } });
});
afterAll(() => server.close());

async function findings(given: Record<string, string> = {}): Promise<{ status: number | null; all: Finding[] }> {
  const { status, stdout } = await gateway({ ...env, ...given }, 'doctor', '--json');
  return {
    status,
    all: stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Finding),
  };
}

async function finding(check: string, given: Record<string, string> = {}): Promise<Finding & { exit: number | null }> {
  const { status, all } = await findings(given);
  return { ...all.find((each) => each.check === check)!, exit: status };
}

describe('workflow-gateway doctor', () => {
  it('finds nothing wrong with a running service: one line for each check, and status 0', async () => {
    const { status, all } = await findings();
    expect(all.filter((each) => each.status !== 'ok')).toEqual([]);
    expect(status).toBe(0);
    for (const each of all) expect(Object.keys(each)).toEqual(['check', 'status', 'message', 'remedy']);
    expect(all.map(({ check }) => check)).toEqual([
      'configuration',
      'database',
      'schema',
      'durability',
      'connections',
      'replication',
      'replication slots',
      'room',
      'transactions',
      'bloat',
      'partitions',
      'clock',
      'keys',
      'runs',
      'sending',
      'mail',
    ]);
    const { stdout } = await gateway(env, 'doctor');
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => line.slice(0, 9)),
    ).toEqual(all.map(() => 'ok       '));
    expect(stdout).not.toContain(new URL(env.DATABASE_URL!).password);
  });

  it('names every error of the configuration, and ends with 1', async () => {
    const { status, all } = await findings({ PORT: 'x', ROLES: 'x' });
    expect([status, all.map(({ check, status: each }) => [check, each])]).toEqual([
      1,
      [
        ['configuration', 'failed'],
        ['configuration', 'failed'],
      ],
    ]);
  });

  it('names a database that is away', async () => {
    const found = await finding('database', { DATABASE_URL: 'postgres://127.0.0.1:1/x' });
    expect(found).toMatchObject({ exit: 1, status: 'failed', message: expect.stringContaining('ECONNREFUSED') });
  });

  it('names keys that open nothing, and texts that no key opens', async () => {
    const useless = await finding('keys', { ENCRYPTION_KEY: `${KEY},${OTHER_KEY}` });
    expect(useless).toMatchObject({
      exit: 0,
      status: 'warning',
      message: expect.stringMatching(/open nothing: [0-9a-f]{8}$/),
    });
    const lost = await finding('keys', { ENCRYPTION_KEY: OTHER_KEY });
    expect(lost).toMatchObject({
      exit: 1,
      status: 'failed',
      message: expect.stringMatching(/integrations\.credentials/),
    });
  });

  it('names a mail server that is away', async () => {
    const found = await finding('mail', { SMTP_URL: 'smtp://user:hidden-password@127.0.0.1:1' });
    expect(found).toMatchObject({ exit: 1, status: 'failed', message: expect.stringMatching(/ECONNREFUSED/) });
    expect(JSON.stringify(found)).not.toContain('hidden-password');
  });

  it('names pools that the server cannot serve', async () => {
    const found = await finding('connections', { DATABASE_POOL: '200' });
    expect(found).toMatchObject({
      exit: 1,
      status: 'failed',
      message: expect.stringMatching(/PROCESSES 1 needs 206$/),
    });
  });

  it('counts the connections of a process like the documents', async () => {
    const { message } = await finding('connections', { DATABASE_POOL: '10' });
    expect(message).toContain('makes 16 for each process');
    const documents = ['operations/several-machines.md', 'decisions/0024-several-processes.md'];
    const texts = documents.map((name) => readFileSync(join(packageRoot, 'docs', name), 'utf8'));
    expect(texts.map((text) => text.match(/`DATABASE_POOL` \+ (\d+)/)?.[1])).toEqual(['6', '6']);
  });

  it('names missing partitions, late work, pending migrations and a read-only database', async () => {
    const name = new URL(env.DATABASE_URL!).pathname.slice(1);
    const partitions = await server.db.query<{ name: string }>(
      `SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
       WHERE i.inhparent = 'payloads'::regclass AND c.relname <> 'payloads_default' ORDER BY 1 DESC LIMIT 9`,
    );
    for (const partition of partitions) await server.db.source.query(`DROP TABLE ${partition.name}`);
    await server.db.query(
      `INSERT INTO webhook_deliveries (id, account_id, webhook_id, event_id, type, status, attempts, next_attempt_at, created_at)
       SELECT gen_random_uuid(), id, gen_random_uuid(), gen_random_uuid(), 'run.failed', 'pending', 1, now() - interval '1 hour', now()
       FROM accounts`,
    );
    await server.db.query(`DELETE FROM migrations WHERE id = (SELECT max(id) FROM migrations)`);
    await server.db.source.query(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
    const { status, all } = await findings();
    const of = (check: string) => all.find((each) => each.check === check)!;
    expect(status).toBe(1);
    expect(of('partitions')).toMatchObject({ status: 'failed', message: expect.stringMatching(/for 0 weeks/) });
    expect(of('schema')).toMatchObject({ status: 'warning', message: '1 migrations are pending' });
    expect(of('sending')).toMatchObject({
      status: 'warning',
      message: expect.stringMatching(/^1 webhook deliveries.* 36\d\d s$/),
    });
    expect(of('replication')).toMatchObject({ status: 'failed', remedy: expect.stringMatching(/primary/) });
    for (const each of all) expect(each.remedy === null).toBe(each.status === 'ok');
  });
});
