import { hookedWorkflow } from '../faults/support/hooked-workflow.js';
import { Client } from '../support/http/client.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { until } from '../support/until.js';

const POOL = 4;
const PREPARED = `SELECT (SELECT count(*)::int FROM pg_prepared_statements) AS prepared, pg_sleep(0.2)`;

/** The prepared statements of the pool's sessions together; `statements` does not prepare the question itself. */
async function preparedIn({ db }: TestServer): Promise<number> {
  const pool = (
    db.source.driver as unknown as { master: { query(text: string): Promise<{ rows: { prepared: number }[] }> } }
  ).master;
  const counts = await Promise.all(Array.from({ length: POOL }, () => pool.query(PREPARED)));
  return counts.reduce((sum, { rows }) => sum + rows[0]!.prepared, 0);
}

async function use(server: TestServer): Promise<void> {
  const client = new Client(server.url, await server.key());
  const path = new URL(await hookedWorkflow(client, [])).pathname;
  expect((await client.send('POST', path, { body: { a: 1 } })).status).toBe(202);
  await until(async () => (await client.rest('GET', '/runs?status=succeeded')).body.data.length === 1);
}

describe('DATABASE_PREPARED', () => {
  it.each([
    ['on', (count: number) => count > 10],
    ['off', (count: number) => count === 0],
  ])('%s: the service works, and its sessions have prepared statements accordingly', async (setting, isRight) => {
    const server = await startTestServer({ env: { DATABASE_PREPARED: setting, DATABASE_POOL: String(POOL) } });
    try {
      await use(server);
      expect(isRight(await preparedIn(server))).toBe(true);
    } finally {
      await server.close();
    }
  });
});
