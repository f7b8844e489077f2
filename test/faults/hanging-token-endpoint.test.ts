import { IntegrationWorld } from '../integrations/world.js';
import { silence } from '../integrations/scripted-provider.js';
import { type TestServer } from '../support/server.js';
import { until } from '../support/until.js';

const INTEGRATIONS = 50;
const HOUR = 3_600_000;
const LISTS = 60;

describe('while 50 tokens are being renewed at an endpoint that never answers', () => {
  let world: IntegrationWorld;
  let second: TestServer;

  beforeAll(async () => {
    // Workers renew what is due, 25 each at a time.
    world = await IntegrationWorld.open();
    second = await world.another();
    await Promise.all(Array.from({ length: INTEGRATIONS }, (_, index) => world.connected(`user-${index}`, 'bare_app')));
  });
  afterAll(async () => {
    world.provider.reset();
    await second.close();
    await world.close();
  });

  /** The time of a list in milliseconds: of the quickest tenth, which has the processor to itself whatever else the machine does. */
  async function listTime(): Promise<number> {
    const times: number[] = [];
    for (let asked = 0; asked < LISTS; asked += 1) {
      const started = performance.now();
      expect((await world.client.rest('GET', '/integrations?per_page=20')).status).toBe(200);
      times.push(performance.now() - started);
    }
    return times.sort((a, b) => a - b)[LISTS / 10]!;
  }

  it('lists are as quick as before, no transaction is open and the pool has connections left', async () => {
    const before = await listTime();
    world.provider.onToken = silence;
    await world.server.advance(HOUR);
    await until(() => world.provider.requests('refresh_token').length === INTEGRATIONS);
    const during = await listTime();
    // One that stays open is seen each time; a sweep's statement, or one that is just ending, only by chance.
    const busy = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
                  AND xact_start IS NOT NULL AND backend_type = 'client backend'`;
    // Far less than the endpoint has: by then one that waits for it would be over.
    await until(async () => (await world.server.db.query(busy)).length === 0, 3_000);
    for (const { db } of [world.server, second]) {
      const { master } = db.source.driver as unknown as { master: { waitingCount: number; idleCount: number } };
      expect(master.waitingCount).toBe(0);
      expect(master.idleCount).toBeGreaterThan(0);
    }
    expect(during / before).toBeLessThan(3);
    const { body } = await world.client.rest('GET', '/integrations?status=connected');
    expect(body.meta.total).toBe(INTEGRATIONS);
  }, 60_000);
});
