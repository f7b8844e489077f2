import { IntegrationWorld } from '../integrations/world.js';

const HOUR = 3_600_000;

describe('a token that is renewed under an Idempotency-Key', () => {
  let world: IntegrationWorld;

  // Without the worker's own renewals.
  beforeAll(async () => {
    world = await IntegrationWorld.open({ env: { ROLES: 'api' } });
  });
  afterAll(() => world.close());

  const credentials = async () => (await world.server.db.query('SELECT credentials FROM integrations'))[0]!.credentials;

  it('is committed before it is used, even if the request fails', async () => {
    const id = await world.connected();
    const old = await credentials();
    await world.server.advance(HOUR);
    const whenUsed: unknown[] = [];
    world.provider.onIdentity = async () => {
      const open = await world.server.db.query(
        `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND state = 'idle in transaction'`,
      );
      whenUsed.push({ stored: (await credentials()) !== old, open: open.length });
      return { status: 200, body: { data: { id: 'alice' } } };
    };
    const headers = { 'idempotency-key': 'test-1' };
    const answer = await world.client.rest('POST', `/integrations/${id}/test`, { headers });
    expect([answer.status, answer.body]).toEqual([200, { ok: true, reason: null }]);
    expect(world.provider.requests('refresh_token')).toHaveLength(1);
    expect(whenUsed).toEqual([{ stored: true, open: 0 }]);
  });
});
