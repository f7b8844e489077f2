import { IntegrationWorld } from '../world.js';

describe('a token that the application refuses through the proxy', () => {
  let world: IntegrationWorld;
  beforeAll(async () => {
    world = await IntegrationWorld.open({ env: { ROLES: 'api' } });
  });
  beforeEach(() => world.provider.reset());
  afterAll(() => world.close());

  const post = async (id: string, body: string) => {
    const response = await fetch(`${world.server.baseUrl}/v1/integrations/${id}/proxy/api/x`, {
      method: 'POST',
      headers: { authorization: `Bearer ${world.client.key}` },
      body,
    });
    await response.arrayBuffer();
    return { status: response.status, proxyStatus: response.headers.get('proxy-status') };
  };
  const received = (status: number) => ({ status, proxyStatus: `workflow-gateway; received-status=${status}` });
  const SHORT = 'x'.repeat(65_536);

  it('is renewed, and a short request sent again', async () => {
    const id = await world.connected();
    world.provider.endAccess('alice');
    expect(await post(id, SHORT)).toEqual(received(200));
    expect([world.provider.calls.length, world.provider.requests('refresh_token').length]).toEqual([2, 1]);
  });

  it('is renewed for the next request where a long one was streamed', async () => {
    const id = await world.connected('bob');
    world.provider.endAccess('bob');
    expect(await post(id, `${SHORT}x`)).toEqual(received(401));
    expect([world.provider.calls.length, world.provider.requests('refresh_token').length]).toEqual([1, 1]);
    expect(await post(id, `${SHORT}x`)).toEqual(received(200));
    expect(await world.get(id)).toMatchObject({ status: 'connected' });
  });

  it.each([
    ['a short request', SHORT],
    ['a long one', `${SHORT}x`],
  ])('is 502 for %s while it can\u2019t be renewed, and 409 once the renewal is refused', async (name, body) => {
    const user = name.replaceAll(/\W/g, '');
    const id = await world.connected(user);
    world.provider.endAccess(user);
    world.provider.onToken = () => ({ status: 503 });
    expect(await post(id, body)).toEqual({
      status: 502,
      proxyStatus: 'workflow-gateway; error=destination_unavailable',
    });
    world.provider.onToken = () => ({ status: 400, body: { error: 'invalid_grant' } });
    await world.server.advance(60_000);
    const denied = { status: 409, proxyStatus: 'workflow-gateway; error=http_request_denied' };
    expect(await post(id, body)).toEqual(denied);
    expect(await world.get(id)).toMatchObject({ status: 'expired', status_reason: 'refresh_refused' });
    const sent = world.provider.calls.length;
    expect(await post(id, body)).toEqual(denied);
    expect(world.provider.calls).toHaveLength(sent);
  });
});
