import { afterEach, describe, expect, it } from '@jest/globals';
import { PatientPool } from '../../src/platform/db/connections/patient-pool.js';
import { createTestDatabase } from '../support/database/database.js';
import { startTcpProxy } from '../support/http/tcp-proxy.js';
import { until } from '../support/until.js';

const { now } = performance;
afterEach(() => {
  performance.now = now;
});

describe('a pool whose database refuses connections', () => {
  it('bridges each absence, also after one in which an open connection went on', async () => {
    const database = await createTestDatabase();
    const proxy = await startTcpProxy(database.url);
    const pool = new PatientPool({ connectionString: proxy.url, max: 2 });
    const open = await pool.connect();
    proxy.refuse();
    await expect(pool.connect()).rejects.toThrow('Connection terminated');
    expect((await open.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);

    // An hour later.
    performance.now = () => now.call(performance) + 3_600_000;
    const refused = proxy.refused;
    const waiting = pool.connect();
    await Promise.race([until(() => proxy.refused > refused + 3), waiting]);
    proxy.restore();
    (await waiting).release();

    open.release();
    await pool.end();
    await proxy.close();
    await database.drop();
  });
});
