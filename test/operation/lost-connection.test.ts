import { type Pool, type PoolClient } from 'pg';
import { startTestServer, type TestServer } from '../support/server.js';

describe('a database connection that is lost while it changes hands within the pool', () => {
  let server: TestServer;

  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.close());

  it('does not end the process, and is not used again', async () => {
    const { master: pool } = server.db.source.driver as unknown as { master: Pool };
    await new Promise<void>((resolve, reject) => {
      pool.connect((error: Error | undefined, client: PoolClient | undefined, release: (failed: Error) => void) => {
        if (client === undefined) return reject(error!);
        // At this moment no listener is attached, and an `error` event without a listener is thrown.
        const lost = new Error('terminating connection due to administrator command');
        expect(() => client.emit('error', lost)).not.toThrow();
        release(lost);
        resolve();
      });
    });
    expect(await server.db.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });
});
