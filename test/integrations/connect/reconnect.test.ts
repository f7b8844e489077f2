import { until } from '../../support/until.js';
import { IntegrationWorld } from '../world.js';

describe('reconnecting an OAuth integration', () => {
  let world: IntegrationWorld;

  beforeAll(async () => {
    world = await IntegrationWorld.open();
  });
  beforeEach(() => world.provider.reset());
  afterAll(() => world.close());

  const test = async (id: string) => (await world.post(`/integrations/${id}/test`)).body;
  const idle = () => new Promise((resolve) => setTimeout(resolve, 200));

  /** Connects once, then expires without a refresh token. */
  async function expired(): Promise<string> {
    world.provider.extra = { expires_in: 60 };
    world.provider.onToken = () => ({ body: { access_token: 'short', token_type: 'bearer', expires_in: 60 } });
    const { id, state } = await world.start('bare_app');
    await world.callback({ state, code: 'alice' }, { type: 'bare_app' });
    await world.server.advance(61_000);
    await until(async () => (await world.get(id)).status === 'expired');
    world.provider.reset();
    return id;
  }

  it('returns redirect_url, integration_id and the current version, and does not change a connected integration', async () => {
    const id = await world.connected();
    const before = await world.get(id);
    const { status, body } = await world.post(`/integrations/${id}/reconnect`);
    expect([status, body]).toEqual([200, { redirect_url: expect.any(String), integration_id: id, version: 2 }]);
    expect(await world.get(id)).toEqual(before);
    expect(await test(id)).toEqual({ ok: true, reason: null });
  });

  it('replaces the tokens of a connected one: reason reconnected, the old tokens revoked, the new ones not', async () => {
    const id = await world.connected();
    const { state } = await world.restart(id);
    await world.server.advance(1_000);
    const before = await world.get(id);
    await world.callback({ state, code: 'alice' });
    const after = await world.get(id);
    expect(after).toMatchObject({ status: 'connected', version: 3, account: { id: 'alice' } });
    expect(after).not.toHaveProperty('status_reason');
    expect(Date.parse(after.connected_at)).toBeGreaterThan(Date.parse(before.connected_at));
    expect((await world.history(id)).at(-1)).toBe('connected>connected:reconnected');
    await until(() => world.provider.revoked.length === 2);
    await idle();
    expect(world.provider.revoked.length).toBe(2);
    expect(await test(id)).toEqual({ ok: true, reason: null });
  });

  it.each([
    ['access_denied', { error: 'access_denied' }],
    ['exchange_failed', { code: '' }],
    ['account_mismatch', { code: 'mallory' }],
  ])('does not change a connected integration and its tokens when it ends as %s', async (reason, query) => {
    const id = await world.connected();
    const [before, [credentials]] = [
      await world.get(id),
      await world.server.db.query('SELECT credentials FROM integrations ORDER BY id DESC LIMIT 1'),
    ];
    const { state } = await world.restart(id);
    await world.callback({ state, ...query });
    expect(await world.get(id)).toEqual({ ...before, version: 3, status_reason: reason });
    expect(await world.server.db.query('SELECT credentials FROM integrations ORDER BY id DESC LIMIT 1')).toEqual([
      credentials,
    ]);
    expect((await world.history(id)).at(-1)).toBe(`connected>connected:${reason}`);
    expect(await test(id)).toEqual({ ok: true, reason: null });
    if (reason === 'account_mismatch') {
      await until(() => world.provider.revoked.length === 2);
      expect(world.provider.revoked.every((token) => token.includes('mallory'))).toBe(true);
    }
  });

  it('records a change even when the flow of a connected integration times out', async () => {
    const id = await world.connected();
    await world.restart(id);
    await world.server.advance(600_000);
    await until(async () => (await world.get(id)).version === 3);
    expect(await world.get(id)).toMatchObject({ status: 'connected', status_reason: 'authorization_timed_out' });
  });

  it('sets an expired integration to pending, without its dates, and restores it when the flow fails', async () => {
    const id = await expired();
    const before = await world.get(id);
    expect(before).toMatchObject({ status: 'expired', status_reason: 'token_expired', version: 3 });
    const { state, version } = await world.restart(id);
    expect(version).toBe(4);
    expect(await world.get(id)).toMatchObject({ status: 'pending', connected_at: null, expires_at: null, version: 4 });
    await world.callback({ state, error: 'access_denied' }, { type: 'bare_app' });
    expect(await world.get(id)).toEqual({ ...before, version: 5, status_reason: 'access_denied' });
    const again = await world.restart(id);
    await world.callback({ state: again.state, code: 'alice' }, { type: 'bare_app' });
    expect(await world.get(id)).toMatchObject({ status: 'connected', version: 7 });
    expect((await world.history(id)).slice(2)).toEqual([
      'connected>expired:token_expired',
      'expired>pending:awaiting_authorization',
      'pending>expired:access_denied',
      'expired>pending:awaiting_authorization',
      'pending>connected:reconnected',
    ]);
  });

  it('restores the status before the first flow when a second one fails', async () => {
    const id = await expired();
    await world.restart(id);
    const { state } = await world.restart(id);
    await world.callback({ state, error: 'access_denied' }, { type: 'bare_app' });
    expect(await world.get(id)).toMatchObject({ status: 'expired', status_reason: 'access_denied' });
  });

  it('connects a disconnected integration again, but not to another account', async () => {
    const id = await world.connected();
    await world.post(`/integrations/${id}/disconnect`);
    const wrong = await world.restart(id);
    expect((await world.get(id)).status).toBe('pending');
    await world.callback({ state: wrong.state, code: 'mallory' });
    expect(await world.get(id)).toMatchObject({
      status: 'disconnected',
      status_reason: 'account_mismatch',
      account: { id: 'alice' },
    });
    const right = await world.restart(id);
    await world.callback({ state: right.state, code: 'alice' });
    expect(await world.get(id)).toMatchObject({ status: 'connected', account: { id: 'alice' } });
  });

  it('continues when the connection expires in between, with any outcome', async () => {
    for (const ending of ['denied', 'timed out', 'superseded', 'granted']) {
      world.provider.reset();
      const id = await world.connected();
      // The hour's token is renewed when at most 80 % of its life have passed.
      await world.server.advance(2_400_000);
      const { state } = await world.restart(id);
      world.provider.onToken = () => ({ status: 400, body: { error: 'invalid_grant' } });
      await world.server.advance(500_000);
      await until(async () => (await world.get(id)).status === 'expired');
      world.provider.reset();
      if (ending === 'denied') await world.callback({ state, error: 'access_denied' });
      if (ending === 'timed out') await world.server.advance(600_000);
      if (ending === 'superseded') expect((await world.restart(id)).version).toBe(5);
      if (ending === 'granted') await world.callback({ state, code: 'alice' });
      const expected = { denied: 'expired', 'timed out': 'expired', superseded: 'pending', granted: 'connected' }[
        ending
      ]!;
      await until(async () => (await world.get(id)).version > 3);
      expect([ending, (await world.get(id)).status]).toEqual([ending, expected]);
    }
  });

  it('does not revoke old tokens if that would end the new grant, and ends the grant on disconnect', async () => {
    const id = await world.connected('alice', 'one_grant_app');
    const { state } = await world.restart(id);
    await world.callback({ state, code: 'alice' }, { type: 'one_grant_app' });
    const failed = await world.restart(id);
    world.provider.onIdentity = () => ({ status: 500 });
    await world.callback({ state: failed.state, code: 'alice' }, { type: 'one_grant_app' });
    world.provider.onIdentity = undefined;
    await idle();
    expect(world.provider.revoked).toEqual([]);
    expect(await test(id)).toEqual({ ok: true, reason: null });

    const twin = await world.connected('alice', 'sister_app');
    await world.connected('bob', 'sister_app');
    await world.post(`/integrations/${id}/disconnect`);
    await idle();
    expect(world.provider.revoked).toEqual([]);
    expect(await test(twin)).toEqual({ ok: true, reason: null });
    await world.client.rest('DELETE', `/integrations/${twin}`);
    await until(() => world.provider.revoked.length === 2);
  });

  it('only logs a failed revocation', async () => {
    const id = await world.connected();
    world.provider.onRevoke = () => ({ status: 503, body: 'no' });
    const { status, body } = await world.post(`/integrations/${id}/disconnect`);
    expect([status, body.status]).toEqual([200, 'disconnected']);
    await until(() => world.provider.revoked.length === 2);
    await until(() => world.server.logs.some((line) => line.includes('tokens could not be revoked')));
    const again = await world.post(`/integrations/${id}/disconnect`);
    expect([again.status, again.body]).toEqual([200, body]);
  });

  it('refuses credentials for an OAuth app, and an id of another account', async () => {
    const id = await world.connected();
    expect((await world.post(`/integrations/${id}/reconnect`, { credentials: { api_key: 'x' } })).status).toBe(400);
    expect((await world.post('/integrations/int_01h455vb4pex5vsknk084sn02q/reconnect')).status).toBe(404);
  });
});
