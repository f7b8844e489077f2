import { setTimeout as sleep } from 'node:timers/promises';
import { createDataSource } from '../../src/platform/db/data-source.js';
import { Database } from '../../src/platform/db/database.js';
import { toAppError } from '../../src/platform/errors.js';
import { createTestDatabase, type TestDatabase } from '../support/database/database.js';
import { until } from '../support/until.js';
import { startTcpProxy, type TcpProxy } from '../support/http/tcp-proxy.js';

const POOL = 5;
/** The connections that one party may have. */
const LIMIT = 3;

describe('a silent database', () => {
  let test: TestDatabase;
  let proxy: TcpProxy;
  let db: Database;

  beforeEach(async () => {
    test = await createTestDatabase();
    proxy = await startTcpProxy(test.url);
    db = new Database(createDataSource({ url: proxy.url, poolSize: POOL }, []));
    await db.source.initialize();
  });
  afterEach(async () => {
    await db.source.destroy();
    await proxy.close();
    await test.drop();
  });

  const many = (count: number, text = 'SELECT 1 AS one') =>
    Promise.all(Array.from({ length: count }, () => db.query(text).catch((error: unknown) => toAppError(error).code)));

  const connections = () => (db.source.driver as unknown as { master: { totalCount: number } }).master.totalCount;

  it.each([
    [
      'opens no connection',
      async () => {
        proxy.cut();
        await until(() => connections() === 0);
        proxy.swallow();
      },
    ],
    ['is silent on open ones', async () => void (await many(LIMIT, 'SELECT pg_sleep(0.1)'), proxy.swallow())],
  ])('that %s is asked only once: what waits is refused with the first', async (_, strike) => {
    await strike();
    const before = db.statements;
    const first = many(LIMIT);
    // Their own patience must not end at the same time.
    await sleep(500);
    const waiting = many(7);
    expect(await Promise.all([first, waiting])).toEqual([
      Array(LIMIT).fill('unavailable'),
      Array(7).fill('unavailable'),
    ]);
    expect(db.statements - before).toBe(LIMIT);
    expect([db.turns.inUse, db.turns.waiting]).toEqual([0, 0]);
    proxy.restore();
    expect(await many(10)).toEqual(Array(10).fill([{ one: 1 }]));
  });

  it('leaves no dead connection behind for later statements', async () => {
    await many(LIMIT, 'SELECT pg_sleep(0.1)');
    const [row] = await db.query<{ name: string }>(`SELECT current_setting('application_name') AS name`);
    proxy.swallowOnly(row!.name);
    expect(await many(1)).toEqual(['unavailable']);
    expect(await many(LIMIT)).toEqual(Array(LIMIT).fill([{ one: 1 }]));
  });
});
