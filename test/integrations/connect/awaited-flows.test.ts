import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '../../support/http/client.js';
import { IntegrationWorld, stateOf } from '../world.js';

describe('an OAuth flow that a REST client waits for', () => {
  let world: IntegrationWorld;

  beforeAll(async () => {
    world = await IntegrationWorld.open();
  });
  beforeEach(() => world.provider.reset());
  afterAll(() => world.close());

  const waiting = (id: string, query = 'wait=30') => world.client.rest('GET', `/integrations/${id}?${query}`);
  const isOpen = (promise: Promise<unknown>) => Promise.race([promise.then(() => false), sleep(500).then(() => true)]);

  it.each([
    ['alice', { status: 'connected', version: 3 }],
    ['mallory', { status: 'connected', version: 3, status_reason: 'account_mismatch' }],
  ])('of a connected integration is waited for without a version (%s)', async (code, outcome) => {
    const id = await world.connected();
    expect((await waiting(id)).body.version).toBe(2);
    const { state } = await world.restart(id);
    const [get, head] = [waiting(id), world.client.rest('HEAD', `/integrations/${id}?wait=30`)];
    expect(await isOpen(get)).toBe(true);
    await world.callback({ state, code });
    const { status_reason: _, ...expected } = outcome as Record<string, unknown>;
    expect((await get).body).toMatchObject(expected);
    expect((await head).status).toBe(200);
    expect((await waiting(id)).body.version).toBe(3);
  });

  it('is linked by the response that begins it, by its repetition, and by no other', async () => {
    const connect = { type: 'scripted_app' };
    const headers = { 'idempotency-key': 'once' };
    const type = (await world.client.rest('GET', `/integrations/${await world.connected()}`)).body.type as string;
    const begin = () => world.client.rest('POST', '/integrations/connect', { body: { ...connect, type }, headers });
    const [first, again] = [await begin(), await begin()];
    const link = first.headers.get('link')!;
    const id = first.body.integration_id as string;
    expect(link).toBe(`<${world.server.baseUrl}/v1/integrations/${id}?wait=30&after_version=1>; rel="monitor"`);
    expect([again.headers.get('idempotent-replayed'), again.headers.get('link')]).toEqual(['true', link]);
    const state = new URL(first.body.redirect_url as string).searchParams.get('state')!;
    const monitor = new URL(/<(.*)>/.exec(link)![1]!);
    const monitored = world.client.send('GET', monitor.pathname + monitor.search);
    expect(await isOpen(monitored)).toBe(true);
    await world.callback({ state, code: 'alice' });
    expect((await monitored).body).toMatchObject({ id, status: 'connected', version: 2 });

    const flow = await world.client.rest('POST', `/integrations/${id}/reconnect`);
    expect(flow.headers.get('link')).toContain(`/${id}?wait=30&after_version=2>; rel="monitor"`);
    const credentials = { api_key: 'sandbox_valid_key' };
    const direct = await world.client.rest('POST', '/integrations/connect', {
      body: { type: 'sandbox_api_key', credentials },
    });
    expect([direct.status, direct.headers.get('link')]).toEqual([201, null]);
  });

  it('is linked with the version at which it began, however often a connect session starts one', async () => {
    const session = await world.post('/connect_sessions', { type: 'oauth_app' });
    const browser = new Client(world.server.baseUrl, session.body.token as string);
    const begin = async (key: string) => {
      const options = { body: { type: 'oauth_app' }, headers: { 'idempotency-key': key } };
      const { body, headers } = await browser.rest('POST', '/integrations/connect', options);
      expect(Object.keys(body)).toEqual(['redirect_url', 'integration_id']);
      const [, version] = /after_version=(\d+)>; rel="monitor"/.exec(headers.get('link')!)!;
      return { id: body.integration_id as string, state: stateOf(body.redirect_url as string), version };
    };
    const versionOf = async (id: string) => String((await world.get(id)).version);

    const { id, ...first } = await begin('first');
    expect([first.version, await versionOf(id)]).toEqual(['1', '1']);
    const second = await begin('second');
    expect([second.id, second.version, await versionOf(id)]).toEqual([id, '3', '3']);
    await world.callback({ state: second.state, error: 'access_denied' });
    const third = await begin('third');
    expect([third.version, await versionOf(id)]).toEqual(['5', '5']);
    expect([await begin('second'), await begin('third')]).toEqual([second, third]);
    await world.callback({ state: third.state, code: 'alice' });
    expect((await begin('connected')).version).toBe('6');
  });
});
