import { checkAddresses } from '../../src/platform/db/connections/check-addresses.js';
import { recognisePooler } from '../../src/platform/db/connections/recognise-pooler.js';
import { createTestDatabase, type TestDatabase } from '../support/database/database.js';
import { freePort } from '../support/http/free-port.js';
import { ServiceProcess } from '../support/service-process.js';
import { PgBouncer } from './support/pgbouncer.js';

type Mode = 'session' | 'transaction' | 'statement';

describe('the check of the addresses at a start', () => {
  let database: TestDatabase;
  let other: TestDatabase;
  const bouncers = {} as Record<Mode, PgBouncer>;

  beforeAll(async () => {
    [database, other] = [await createTestDatabase(), await createTestDatabase()];
    for (const mode of ['session', 'transaction', 'statement'] as const) {
      bouncers[mode] = await PgBouncer.start(database.url, { pool_mode: mode });
    }
  });
  afterAll(async () => {
    for (const bouncer of Object.values(bouncers)) await bouncer.close();
    await database.drop();
    await other.drop();
  });

  const through = (mode: Mode) => bouncers[mode].urlOf(database.url);

  it.each(['session', 'transaction', 'statement'] as const)(
    'recognises a pooler in %s mode, each time',
    async (mode) => {
      const found = await Promise.all(Array.from({ length: 5 }, () => recognisePooler(through(mode))));
      expect(new Set(found.map((pooler) => pooler?.mode))).toEqual(new Set([mode]));
    },
  );

  it.each([
    [
      'a transaction pooler without a direct address',
      () => ({ url: through('transaction'), directUrl: through('transaction') }),
      'DATABASE_URL: leads to a connection pooler in transaction mode, but migrations and LISTEN need a session; set DATABASE_DIRECT_URL to the address of PostgreSQL itself.',
    ],
    [
      'a transaction pooler that loses prepared statements',
      () => ({ url: through('transaction'), directUrl: database.url }),
      'DATABASE_URL: leads to a connection pooler that loses prepared statements; set DATABASE_PREPARED=off, or max_prepared_statements of PgBouncer (1.21 or later) above 0.',
    ],
    [
      'a statement pooler',
      () => ({ url: through('statement'), directUrl: database.url }),
      'DATABASE_URL: leads to a connection pooler in statement mode, which has no transactions; use transaction mode.',
    ],
    [
      'a direct address that is a transaction pooler',
      () => ({ url: database.url, directUrl: through('transaction') }),
      'DATABASE_DIRECT_URL: leads to a connection pooler in transaction mode, but migrations and LISTEN need a session; use the address of PostgreSQL itself.',
    ],
    [
      'a direct address of another database',
      () => ({ url: through('session'), directUrl: other.url }),
      'DATABASE_DIRECT_URL: leads to another database than DATABASE_URL.',
    ],
  ])('refuses %s', async (_what, addresses, sentence) => {
    await expect(checkAddresses(addresses(), true)).rejects.toThrow(sentence);
  });

  it.each([
    ['a session pooler', () => ({ url: through('session'), directUrl: through('session') }), true],
    [
      'a transaction pooler with a direct address, without prepared statements',
      () => ({ url: through('transaction'), directUrl: database.url }),
      true,
    ],
    ['PostgreSQL itself', () => ({ url: database.url, directUrl: database.url }), false],
  ])('accepts %s', async (_what, addresses, isPooled) => {
    expect(await checkAddresses(addresses(), false)).toBe(isPooled);
  });

  it('ends the process with status 78 and the sentence', async () => {
    const env = { DATABASE_URL: through('transaction'), ENCRYPTION_KEY: Buffer.alloc(32).toString('base64') };
    const start = ServiceProcess.start({ ...env, PORT: String(await freePort()) });
    await expect(start).rejects.toThrow(
      /ended with 78:\n(.*\n)*The configuration has 1 error\(s\), nothing was started:\n {2}DATABASE_URL: leads to a connection pooler/,
    );
  });
});
