import { MAX_WAITING_TRIGGERS } from '../../../../src/features/triggers/changes/waiting-changes.js';
import { fromPublicId } from '../../../../src/platform/ids/ids.js';
import { until } from '../../../support/until.js';
import { type Started, IntegrationWorld } from '../../world.js';

describe('GET /oauth/callback/:type', () => {
  let world: IntegrationWorld;

  beforeAll(async () => {
    world = await IntegrationWorld.open({ env: { CORS_ORIGINS: 'https://app.example' } });
  });
  beforeEach(() => world.provider.reset());
  afterAll(() => world.close());

  /** Expects a 400 page that names no integration, and no change. */
  async function expectNothing(query: Record<string, string>, flow?: Started, type = 'oauth_app'): Promise<void> {
    const before = flow && (await world.get(flow.id));
    const asked = world.provider.tokenRequests.length;
    const { status, page } = await world.callback(query, { type });
    expect([status, page]).toEqual([400, expect.stringContaining('no longer valid')]);
    expect(page).not.toMatch(/int_|data-/);
    expect(world.provider.tokenRequests.length).toBe(asked);
    if (flow) expect(await world.get(flow.id)).toEqual(before);
  }

  it('changes nothing for a forged, empty or missing state', async () => {
    const flow = await world.start();
    await expectNothing({ state: 'x'.repeat(43), code: 'alice' }, flow);
    await expectNothing({ state: '', code: 'alice' }, flow);
    await expectNothing({ code: 'alice' }, flow);
    await expectNothing({ error: 'access_denied' }, flow);
    await expectNothing({ state: `${flow.state}\0`, code: 'alice' }, flow);
    await expectNothing({ state: flow.state.toUpperCase(), code: 'alice' }, flow);
  });

  it('accepts a state once', async () => {
    const flow = await world.start();
    expect((await world.callback({ state: flow.state, code: 'alice' })).status).toBe(200);
    await expectNothing({ state: flow.state, code: 'alice' }, flow);
    await expectNothing({ state: flow.state, error: 'access_denied' }, flow);
  });

  it('accepts one of 20 simultaneous callbacks with the same state', async () => {
    const flow = await world.start();
    const landings = await Promise.all(
      Array.from({ length: 20 }, () => world.callback({ state: flow.state, code: 'alice' })),
    );
    expect(landings.filter(({ status }) => status === 200).length).toBe(1);
    expect(world.provider.requests('authorization_code').length).toBe(1);
    expect(await world.history(flow.id)).toEqual(['>pending:awaiting_authorization', 'pending>connected:connected']);
  });

  it('does not consume a state at another type’s callback, and then accepts it at the right one', async () => {
    const flow = await world.start();
    await expectNothing({ state: flow.state, code: 'mallory' }, flow, 'other_app');
    await expectNothing({ state: flow.state, code: 'mallory' }, flow, 'no_such_app');
    await expectNothing({ state: flow.state, code: 'mallory' }, flow, 'key_app');
    const { status } = await world.callback({ state: flow.state, code: 'alice' });
    expect([status, (await world.get(flow.id)).status]).toEqual([200, 'connected']);
  });

  it('ends the flow without an exchange when `iss` is another’s', async () => {
    const flow = await world.start('oauth_app', { returnUrl: 'https://app.example/' });
    const query = { state: flow.state, code: 'alice', iss: 'https://evil.example' };
    const landing = await world.callback(query);
    expect([landing.status, landing.location]).toEqual([400, null]);
    expect(landing.page).toContain('data-target-origin="https://app.example"');
    expect(world.provider.tokenRequests.length).toBe(0);
    expect(await world.get(flow.id)).toMatchObject({
      status: 'disconnected',
      status_reason: 'exchange_failed',
      version: 2,
    });
    await expectNothing({ ...query, iss: world.provider.url }, flow);
  });

  it('accepts the right `iss`, none, and any if the app names none', async () => {
    const [right, none, bare] = [await world.start(), await world.start(), await world.start('bare_app')];
    await world.callback({ state: right.state, code: 'a', iss: world.provider.url });
    await world.callback({ state: none.state, code: 'a' });
    await world.callback({ state: bare.state, code: 'a', iss: 'https://any.example' }, { type: 'bare_app' });
    for (const { id } of [right, none, bare]) expect((await world.get(id)).status).toBe('connected');
  });

  it('distinguishes denial from other errors', async () => {
    const [denied, failed] = [await world.start(), await world.start()];
    await world.callback({ state: denied.state, error: 'access_denied' });
    await world.callback({ state: failed.state, error: 'server_error', error_description: '<script>' });
    expect((await world.get(denied.id)).status_reason).toBe('access_denied');
    expect((await world.get(failed.id)).status_reason).toBe('exchange_failed');
    expect(world.provider.tokenRequests.length).toBe(0);
  });

  it('ends the flow when there is neither code nor error', async () => {
    const flow = await world.start();
    expect((await world.callback({ state: flow.state })).status).toBe(200);
    expect(await world.get(flow.id)).toMatchObject({ status: 'disconnected', status_reason: 'exchange_failed' });
  });

  it('asks for the account before the integration is connected', async () => {
    const flow = await world.start();
    let duringIdentity: Record<string, unknown> | undefined;
    world.provider.onIdentity = async () => {
      duringIdentity = await world.get(flow.id);
      return { body: { data: { id: 9007199254740991, name: null } } };
    };
    await world.callback({ state: flow.state, code: 'alice' });
    expect(duringIdentity).toMatchObject({ status: 'pending', version: 1, connected_at: null });
    expect(await world.get(flow.id)).toMatchObject({
      status: 'connected',
      account: { id: '9007199254740991', name: null },
    });
  });

  it.each([
    ['refuses', { status: 401 }],
    ['fails', { status: 500 }],
    ['names nobody', { body: { data: {} } }],
    ['names an empty id', { body: { data: { id: '' } } }],
    ['talks nonsense', { body: '<html>' }],
    ['redirects', { status: 302, headers: { location: '/me' } }],
  ])('is verification_failed when the application %s, and revokes the tokens', async (_, answer) => {
    const flow = await world.start();
    world.provider.onIdentity = () => answer;
    await world.callback({ state: flow.state, code: 'alice' });
    expect(await world.get(flow.id)).toMatchObject({
      status: 'disconnected',
      status_reason: 'verification_failed',
      version: 2,
    });
    await until(() => world.provider.revoked.length === 2);
  });

  it('shows a page that posts the outcome only to our origin', async () => {
    const flow = await world.start();
    const { page } = await world.callback({ state: flow.state, code: 'alice' });
    expect(page).toContain(`data-integration-id="${flow.id}"`);
    expect(page).toContain('data-status="connected"');
    expect(page).toContain(`data-target-origin="${world.server.baseUrl}"`);
  });

  it.each([
    ['https://app.example', 'https://app.example/?'],
    ['https://app.example/a?b=c%20d&e', 'https://app.example/a?b=c%20d&e&'],
    ['https://app.example/?status=old&x=1&integration_id=7#part', 'https://app.example/?x=1&'],
  ])('goes back to %s with integration_id and status, and nothing else', async (returnUrl, start) => {
    const flow = await world.start('oauth_app', { returnUrl });
    const { status, location } = await world.callback({ state: flow.state, code: 'alice' });
    const end = returnUrl.includes('#') ? '#part' : '';
    expect([status, location]).toEqual([303, `${start}integration_id=${flow.id}&status=connected${end}`]);
    const denied = await world.start('oauth_app', { returnUrl });
    const back = await world.callback({ state: denied.state, error: 'access_denied' });
    expect(back.location).toBe(`${start}integration_id=${denied.id}&status=disconnected${end}`);
  });

  it('does not consume a state by HEAD', async () => {
    const flow = await world.start();
    const url = `${world.server.baseUrl}/oauth/callback/oauth_app?state=${flow.state}&code=alice`;
    const { status } = await fetch(url, { method: 'HEAD' });
    expect(status).toBe(405);
    expect((await world.get(flow.id)).version).toBe(1);
  });

  it('forbids storing, framing and referring from its pages', async () => {
    const flow = await world.start();
    const response = await fetch(`${world.server.baseUrl}/oauth/callback/oauth_app?state=${flow.state}&code=alice`);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(response.headers.get('referrer-policy')).toBe('same-origin');
  });
});

describe('a flow that ends while too many changes of triggers are to be reported', () => {
  let world: IntegrationWorld;

  // No worker reports them.
  beforeAll(async () => {
    world = await IntegrationWorld.open({ env: { ROLES: 'api', ALLOW_PRIVATE_NETWORK: 'true' } });
  });
  afterAll(() => world.close());

  it('fails and revokes its tokens; a later one succeeds', async () => {
    const flow = await world.start();
    const { db } = world.server;
    await world.post('/webhooks', { url: 'http://127.0.0.1:9/', events: ['trigger.updated'] });
    const { body } = await world.post('/workflows', { name: 'Flow' });
    await world.post('/triggers', { workflow_id: body.id, type: 'manual' });
    await db.query(`UPDATE triggers SET type = 'app_event', status = 'error', integration_id = $1`, [
      fromPublicId('int', flow.id),
    ]);
    await db.query(
      `INSERT INTO trigger_change_fan_outs (account_id, triggers, status, hops, at, webhooks)
       SELECT id, ARRAY(SELECT gen_random_uuid() FROM generate_series(1, $1::int)), 'error', 0, now(), '{}' FROM accounts`,
      [MAX_WAITING_TRIGGERS],
    );
    const { status } = await world.callback({ state: flow.state, code: 'alice' });
    expect([status, (await world.get(flow.id)).status_reason]).toEqual([200, 'exchange_failed']);
    await until(() => world.provider.revoked.length > 0);
    const again = await world.restart(flow.id);
    await db.query('DELETE FROM trigger_change_fan_outs');
    await world.callback({ state: again.state, code: 'alice' });
    expect((await world.get(flow.id)).status).toBe('connected');
  });
});
