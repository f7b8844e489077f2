import { LastUses } from '../../src/features/api-keys/last-uses.js';
import { systemClock } from '../../src/platform/clock.js';
import { createLogger } from '../../src/platform/logging/logger.js';
import { type Database } from '../../src/platform/db/database.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { until } from '../support/until.js';
import { makeKey, statusWith } from './key-world.js';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ env: { ROLES: 'api' } });
});
afterAll(() => server.close());

const keysOf = (count: number) => Promise.all(Array.from({ length: count }, () => makeKey(server)));
const uuidsOf = (keys: Awaited<ReturnType<typeof keysOf>>) => keys.map(({ apiKey }) => apiKey.uuid);

/** How many of these keys have a last use. */
async function used(uuids: readonly string[]): Promise<number> {
  const rows = await server.db.query('SELECT 1 FROM api_keys WHERE id = ANY($1) AND last_used_at IS NOT NULL', [uuids]);
  return rows.length;
}

/** The statements that wait for a lock. */
const blocked = () =>
  server.db.query(`SELECT query FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`);

/** A database whose statements end when the test says so. */
function slow(): { db: Database; sent: string[][]; end: (free: boolean) => Promise<void> } {
  const sent: string[][] = [];
  const open: ((free: boolean) => void)[] = [];
  const query = (text: string, [keys]: [string[]]) => {
    sent.push(keys);
    return new Promise((resolve, reject) => {
      open.push((free) => (free ? resolve([]) : reject(new Error('away'))));
    });
  };
  const end = async (free: boolean): Promise<void> => {
    open.splice(0).forEach((settle) => settle(free));
    await new Promise(setImmediate);
  };
  return { db: { query } as unknown as Database, sent, end };
}

describe('the last use of a key whose row is locked', () => {
  it('waits for no lock, and is stored once the row is free', async () => {
    const locked = await keysOf(12);
    const free = await keysOf(12);
    await server.db.transaction(async (tx) => {
      await tx.query('SELECT 1 FROM api_keys WHERE id = ANY($1) FOR UPDATE', [uuidsOf(locked)]);
      const statuses = await Promise.all([...locked, ...free].map(({ secret }) => statusWith(server, secret)));
      expect(new Set(statuses)).toEqual(new Set([200]));
      await until(async () => (await blocked()).length > 0 || (await used(uuidsOf(free))) === 12);
      expect([(await blocked()).length, await used(uuidsOf(free)), await used(uuidsOf(locked))]).toEqual([0, 12, 0]);
    });
    await until(async () => (await used(uuidsOf(locked))) === 12);
  });

  it('is stored when the service stops', async () => {
    const other = await startTestServer({ env: { ROLES: 'api' }, database: server.database });
    const [key] = await keysOf(1);
    await server.db.transaction(async (tx) => {
      await tx.query('SELECT 1 FROM api_keys WHERE id = ANY($1) FOR UPDATE', [uuidsOf([key!])]);
      expect(await statusWith(other, key!.secret)).toBe(200);
    });
    await other.close();
    expect(await used(uuidsOf([key!]))).toBe(1);
  });
});

describe('the last uses of many keys', () => {
  it('are written by one statement at a time', async () => {
    const { db, sent, end } = slow();
    const uses = new LastUses(db, systemClock, createLogger('silent'));
    for (let n = 0; n < 1_500; n += 1) uses.note(`key ${n}`);
    expect(sent.map(({ length }) => length)).toEqual([1]);
    await end(true);
    await end(true);
    await end(true);
    expect(sent.map(({ length }) => length)).toEqual([1, 1_000, 499]);
  });

  it('are tried again after a failure', async () => {
    const { db, sent, end } = slow();
    const uses = new LastUses(db, systemClock, createLogger('silent'));
    uses.note('a');
    uses.note('b');
    await end(false);
    await end(true);
    const stopped = uses.stop();
    await end(true);
    await stopped;
    expect(sent).toEqual([['a'], ['b'], ['a']]);
  });
});
