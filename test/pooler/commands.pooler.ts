import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { emptyTarget, type EmptyTarget } from '../backup/support/empty-target.js';
import { createStartedDatabase, type TestDatabase } from '../support/database/database.js';
import { scratchFolder } from '../support/scratch.js';
import { gateway } from '../support/shell-command.js';
import { PgBouncer } from './support/pgbouncer.js';

const ENCRYPTION_KEY = Buffer.alloc(32).toString('base64');

describe('commands behind a pooler in transaction mode', () => {
  const folder = scratchFolder();
  const backup = join(folder, 'backup');
  let database: TestDatabase;
  let target: EmptyTarget;
  let bouncer: PgBouncer;
  let env: Record<string, string>;

  beforeAll(async () => {
    [database, target] = [await createStartedDatabase(), await emptyTarget()];
    bouncer = await PgBouncer.start(database.url, { pool_mode: 'transaction', default_pool_size: '2' });
    env = settingsFor(database.url);
  });
  afterAll(async () => {
    await bouncer.close();
    await target.drop();
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  const settingsFor = (direct: string) => ({
    DATABASE_URL: bouncer.urlOf(direct),
    DATABASE_DIRECT_URL: direct,
    DATABASE_PREPARED: 'off',
    ENCRYPTION_KEY,
  });
  const isOther = (name: string) => name !== 'DATABASE_DIRECT_URL';
  const withoutDirect = () => Object.fromEntries(Object.entries(env).filter(([name]) => isOther(name)));

  it('examine the database past it, and name both addresses', async () => {
    const { status, stdout, stderr } = await gateway(env, 'doctor', '--json');
    expect([status, stderr]).toEqual([0, '']);
    const findings = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { check: string; status: string; message: string });
    const { host } = new URL(database.url);
    const pooler = new URL(env.DATABASE_URL!).host;
    expect(findings.find(({ check }) => check === 'addresses')).toMatchObject({
      status: 'ok',
      message: `${pooler} is a connection pooler, statements are unnamed; past it: ${host}`,
    });
    expect(findings.filter((finding) => finding.status === 'failed')).toEqual([]);
  });

  it('tell in one line that the address past it is missing', async () => {
    const { status, stdout } = await gateway(withoutDirect(), 'doctor');
    expect(status).toBe(1);
    expect(stdout).toMatch(
      /^failed +addresses: DATABASE_URL: .*set DATABASE_DIRECT_URL to the address of PostgreSQL itself\. Correct this setting/m,
    );
  });

  it('back up and restore past it', async () => {
    const made = await gateway(env, 'backup', backup);
    expect([made.status, made.stderr]).toEqual([0, '']);
    const restored = await gateway(settingsFor(target.url), 'restore', backup);
    expect([restored.status, restored.stderr]).toEqual([0, '']);
    expect(await target.query(`SELECT count(*)::int AS n FROM audit_log WHERE action = 'account.restored'`)).toEqual(
      await target.query('SELECT count(*)::int AS n FROM accounts'),
    );
  });

  it('copy nothing through it', async () => {
    const sentence = /is a connection pooler in transaction mode, and a copy needs a session/;
    const refused = [
      await gateway(withoutDirect(), 'backup', join(folder, 'through')),
      await gateway({ ...withoutDirect(), DATABASE_URL: bouncer.urlOf(target.url) }, 'restore', backup),
    ];
    for (const { status, stderr } of refused) expect([status, stderr]).toEqual([1, expect.stringMatching(sentence)]);
  });
});
