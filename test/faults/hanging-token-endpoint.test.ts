import { IntegrationWorld } from '../integrations/world.js';
import { silence } from '../integrations/scripted-provider.js';
import { type TestServer } from '../support/server.js';
import { until } from '../support/until.js';

const INTEGRATIONS = 50;
/** The renewals of one worker at a time. Two workers may see the same due tokens and share them. */
const AT_ONCE = 25;
const HOUR = 3_600_000;
const LISTS = 60;

describe('while tokens are being renewed at an endpoint that never answers', () => {
  let world: IntegrationWorld;
  let second: TestServer;

  beforeAll(async () => {
    world = await IntegrationWorld.open();
    second = await world.another();
    await Promise.all(Array.from({ length: INTEGRATIONS }, (_, index) => world.connected(`user-${index}`, 'bare_app')));
  });
  afterAll(async () => {
    world.provider.reset();
    await second.close();
    await world.close();
  });

  it('lists are answered, no transaction is open and the pool has connections left', async () => {
    const underWay = new Set<object>();
    world.provider.onToken = (request, response) => {
      underWay.add(request);
      response.once('close', () => underWay.delete(request));
      return silence(request, response);
    };
    await world.server.advance(HOUR);
    await until(() => underWay.size >= AT_ONCE);
    for (let asked = 0; asked < LISTS; asked += 1) {
      expect((await world.client.rest('GET', '/integrations?per_page=20')).status).toBe(200);
    }
    // A transaction that stays open is seen each time; a statement of a periodic job, or one that is ending, only by
    // chance.
    const busy = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
                  AND xact_start IS NOT NULL AND backend_type = 'client backend'`;
    await until(async () => (await world.server.db.query(busy)).length === 0);
    for (const { db } of [world.server, second]) {
      const { master } = db.source.driver as unknown as { master: { waitingCount: number; idleCount: number } };
      // A periodic job may take connections for a moment.
      await until(() => master.waitingCount === 0 && master.idleCount > 0);
    }
    const { body } = await world.client.rest('GET', '/integrations?status=connected');
    expect(body.meta.total).toBe(INTEGRATIONS);
  });
});
