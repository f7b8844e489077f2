import { ABANDONED_MS } from '../../../src/features/integrations/integration.job.js';
import { until } from '../../support/until.js';
import { IntegrationWorld, type Started } from '../world.js';

describe('an OAuth flow that does not end at its callback', () => {
  let world: IntegrationWorld;

  beforeAll(async () => {
    world = await IntegrationWorld.open();
  });
  beforeEach(() => world.provider.reset());
  afterAll(() => world.close());

  /** A callback whose token endpoint answers only when released. */
  async function exchanging(
    flow: Started,
  ): Promise<{ release: () => void; landing: Promise<{ status: number; page: string }> }> {
    const released: PromiseWithResolvers<void> = Promise.withResolvers();
    world.provider.onToken = async ({ form }) => {
      await released.promise;
      return world.provider.issue(form);
    };
    const seen = world.provider.tokenRequests.length;
    const landing = world.callback({ state: flow.state, code: 'alice' });
    await until(() => world.provider.tokenRequests.length > seen);
    return { release: released.resolve, landing };
  }

  const authorizations = async () =>
    (await world.server.db.query<{ count: number }>('SELECT count(*) AS count FROM authorizations'))[0]!.count;

  it('times out after ten minutes, not before', async () => {
    const flow = await world.start();
    await world.server.advance(300_000);
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    expect((await world.get(flow.id)).status).toBe('pending');
    await world.server.advance(300_000);
    await until(async () => (await world.get(flow.id)).status !== 'pending');
    expect(await world.get(flow.id)).toMatchObject({
      status: 'disconnected',
      status_reason: 'authorization_timed_out',
      version: 2,
    });
    expect((await world.callback({ state: flow.state, code: 'alice' })).status).toBe(400);
    expect(await authorizations()).toBe(0);
  });

  it('does not accept a state that is ten minutes old, even if the job has not ended its flow yet', async () => {
    const flow = await world.start();
    await world.server.advance(600_000);
    const { status } = await world.callback({ state: flow.state, code: 'alice' });
    expect([status, world.provider.tokenRequests.length]).toEqual([400, 0]);
  });

  it('is ended by the job if a process died after it consumed the state', async () => {
    const flow = await world.start();
    await world.server.db.query(`UPDATE authorizations SET consumed_at = $1`, [world.server.clock.now()]);
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    expect((await world.get(flow.id)).status).toBe('pending');
    await world.server.advance(ABANDONED_MS);
    await until(async () => (await world.get(flow.id)).status !== 'pending');
    expect(await world.get(flow.id)).toMatchObject({
      status: 'disconnected',
      status_reason: 'exchange_failed',
      version: 2,
    });
    expect(await authorizations()).toBe(0);
  });

  it('is ended even if another one can’t be', async () => {
    const [broken, good] = [await world.start(), await world.start()];
    // The counter of this version is taken: recording the end of the first fails each time.
    await world.server.db.query(
      `INSERT INTO integration_changes SELECT gen_random_uuid(), account_id, integration_id, 1000000, 2, status, status, reason, at
       FROM integration_changes WHERE integration_id = (SELECT id FROM integrations ORDER BY id DESC OFFSET 1 LIMIT 1)`,
    );
    await world.server.advance(600_000);
    await until(async () => (await world.get(good.id)).status === 'disconnected');
    expect((await world.get(broken.id)).status).toBe('pending');
    await world.server.db.query(`DELETE FROM integration_changes WHERE position = 1000000`);
    await until(async () => (await world.get(broken.id)).status === 'disconnected');
  });

  it('ends at once when it is disconnected, and its callback comes too late', async () => {
    const flow = await world.start();
    await world.post(`/integrations/${flow.id}/disconnect`);
    expect(await world.get(flow.id)).toMatchObject({
      status: 'disconnected',
      status_reason: 'disconnected_by_user',
      version: 2,
    });
    expect((await world.callback({ state: flow.state, code: 'alice' })).status).toBe(400);
    expect(world.provider.tokenRequests.length).toBe(0);
  });

  it('stays disconnected when that happens during the exchange, and the tokens are revoked', async () => {
    const flow = await world.start();
    const { release, landing } = await exchanging(flow);
    expect((await world.post(`/integrations/${flow.id}/disconnect`)).status).toBe(200);
    release();
    expect(await landing).toMatchObject({ status: 200, page: expect.stringContaining('could not be connected') });
    expect(await world.get(flow.id)).toMatchObject({
      status: 'disconnected',
      status_reason: 'disconnected_by_user',
      version: 2,
    });
    await until(() => world.provider.revoked.length === 2);
  });

  it('is gone when it is deleted during the exchange, and the tokens are revoked', async () => {
    const flow = await world.start();
    const { release, landing } = await exchanging(flow);
    expect((await world.client.rest('DELETE', `/integrations/${flow.id}`)).status).toBe(204);
    release();
    expect((await landing).status).toBe(400);
    expect((await world.client.rest('GET', `/integrations/${flow.id}`)).status).toBe(404);
    await until(() => world.provider.revoked.length === 2);
    const [row] = await world.server.db.query(`SELECT credentials, status FROM integrations ORDER BY id DESC LIMIT 1`);
    expect(row).toEqual({ credentials: null, status: 'disconnected' });
  });

  it('is superseded by a second one, and only the second callback counts', async () => {
    const first = await world.start();
    const second = await world.restart(first.id);
    expect(second.version).toBe(3);
    expect((await world.callback({ state: first.state, code: 'mallory' })).status).toBe(400);
    expect((await world.get(first.id)).status).toBe('pending');
    await world.callback({ state: second.state, code: 'alice' });
    expect(await world.get(first.id)).toMatchObject({ status: 'connected', account: { id: 'alice' }, version: 4 });
    expect(await world.history(first.id)).toEqual([
      '>pending:awaiting_authorization',
      'pending>pending:superseded',
      'pending>pending:awaiting_authorization',
      'pending>connected:connected',
    ]);
  });

  it('is superseded during its exchange: the late tokens are refused and revoked', async () => {
    const first = await world.start();
    const { release, landing } = await exchanging(first);
    const second = await world.restart(first.id);
    release();
    expect((await landing).page).toContain('superseded');
    await until(() => world.provider.revoked.length === 2);
    expect(await world.get(first.id)).toMatchObject({ status: 'pending', version: 3 });
    world.provider.onToken = undefined;
    await world.callback({ state: second.state, code: 'alice' });
    expect((await world.post(`/integrations/${first.id}/test`)).body).toEqual({ ok: true, reason: null });
  });

  it('keeps the tokens if the provider issued the same ones to both flows', async () => {
    const first = await world.start();
    const { release, landing } = await exchanging(first);
    const second = await world.restart(first.id);
    const same = { body: { token_type: 'bearer', access_token: 'shared', refresh_token: 'shared-too' } };
    world.provider.onToken = () => same;
    world.provider.onIdentity = () => ({ body: { data: { id: 'alice' } } });
    await world.callback({ state: second.state, code: 'alice' });
    release();
    await landing;
    await until(() => world.provider.revoked.length === 2);
    expect(world.provider.revoked).not.toContain('shared');
  });
});
