import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { MAX_WAITING } from '../../src/features/sandbox/callbacks.router.js';
import { IntegrationWorld } from '../integrations/world.js';
import { Browser } from '../support/browser/browser.js';
import { until } from '../support/until.js';
import { beginFlow, connect } from './oauth-client.js';

describe('the sandbox, broken from outside', () => {
  let world: IntegrationWorld;
  beforeAll(async () => {
    world = await IntegrationWorld.open();
  });
  afterAll(() => world.close());

  const control = (path: string, body: object, headers: Record<string, string> = {}) =>
    world.client.send('POST', `/sandbox/controls/${path}`, { body, headers });
  const call = async (id: string, path = '/api/contacts') =>
    (await world.post(`/integrations/${id}/call`, { path })).body as Record<string, any>;
  const withKey = async (): Promise<string> => {
    const credentials = { api_key: 'sandbox_valid_key' };
    return (await world.post('/integrations/connect', { type: 'sandbox_api_key', credentials })).body.id as string;
  };
  /** Connects as Ada, on the sandbox's own consent page. */
  const byConsent = async (): Promise<string> => {
    const { id, redirectUrl } = await world.start('sandbox_oauth');
    const browser = new Browser();
    const page = await (await browser.visit(redirectUrl)).text();
    const fields = [...page.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)].map(([, name, value]) => [
      name!,
      value!,
    ]);
    const body = new URLSearchParams([...fields, ['account', 'ada'], ['decision', 'grant']] as [string, string][]);
    const decided = await fetch(`${world.server.baseUrl}/sandbox/oauth/authorize`, {
      method: 'POST',
      body,
      redirect: 'manual',
    });
    await browser.visit(decided.headers.get('location')!);
    return id;
  };

  it('answers with the status and the Retry-After that it is asked for', async () => {
    const id = await withKey();
    const answer = await call(id, '/api/status/429?retry_after=2');
    expect(answer).toMatchObject({ status: 429, headers: { 'retry-after': '2' } });
    expect(await world.get(id)).toHaveProperty('blocked_until');
    const other = await withKey();
    expect(await call(other, '/api/status/599')).toMatchObject({ status: 599 });
    expect(await call(other, '/api/status/999')).toMatchObject({ status: 400 });
    expect((await call(other, '/api/status/429?retry_after=a%0d%0aX-B:1')).headers).not.toHaveProperty('x-b');
  });

  it('refuses its key, and takes it again', async () => {
    const id = await withKey();
    expect((await control('key', { key: 'refused' })).body).toEqual({ key: 'refused' });
    expect(await call(id)).toMatchObject({ status: 401 });
    expect(await world.get(id)).toMatchObject({ status: 'disconnected', status_reason: 'key_refused' });
    expect((await control('key', { key: 'valid' })).body).toEqual({ key: 'valid' });
    expect(await call(await withKey())).toMatchObject({ status: 200 });
  });

  it('revokes the access tokens of an account, which are renewed, or all of them', async () => {
    const id = await byConsent();
    expect(await call(id)).toMatchObject({ status: 200 });
    await control('tokens', { account: 'grace' });
    await control('tokens', { account: 'ada', tokens: 'access' });
    expect(await call(id)).toMatchObject({ status: 200 });
    await control('tokens', { account: 'ada' });
    expect(await call(id)).toMatchObject({ code: 'not_connected' });
    expect(await world.get(id)).toMatchObject({ status: 'expired', status_reason: 'refresh_refused' });
  });

  it('takes no orders from a page of another origin, and no others', async () => {
    expect((await control('key', { key: 'refused' }, { origin: 'https://evil.test' })).status).toBe(403);
    expect((await control('key', { key: 'other' })).status).toBe(400);
    expect((await control('tokens', { account: 'nobody' })).status).toBe(400);
    expect((await control('tokens', { account: 'ada', tokens: 'code' })).status).toBe(400);
    expect((await control('key', { key: 'valid' })).body).toEqual({ key: 'valid' });
  });
});

describe('a callback of the sandbox', () => {
  let world: IntegrationWorld;
  let receiver: Server;
  const received: string[] = [];
  const hops: unknown[] = [];
  beforeAll(async () => {
    world = await IntegrationWorld.open({ env: { ALLOW_PRIVATE_NETWORK: 'true' } });
    receiver = createServer((request, response) => {
      hops.push(request.headers['workflow-hops']);
      request.on('data', (chunk: Buffer) => received.push(chunk.toString()));
      request.on('end', () => response.end());
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  });
  afterAll(async () => {
    await world.close();
    receiver.close();
  });

  const call = async (body: object, server = world.server.baseUrl, more: Record<string, string> = {}) => {
    const headers = { authorization: 'Bearer sandbox_valid_key', 'content-type': 'application/json', ...more };
    const response = await fetch(`${server}/sandbox/api/callbacks`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    return response.status;
  };
  const url = () => `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;

  it('comes after its delay', async () => {
    expect(await call({ url: url(), delay_seconds: 1, body: { paid: true } })).toBe(202);
    expect(received).toEqual([]);
    await until(() => received.length > 0);
    expect(received).toEqual(['{"paid":true}']);
  });

  it('carries the hops of its request on, so that a workflow that fires itself comes to an end', async () => {
    hops.length = 0;
    expect(await call({ url: url() }, undefined, { 'workflow-hops': '4' })).toBe(202);
    await until(() => hops.length > 0);
    expect(hops).toEqual(['4']);
  });

  it('has a place among those of its caller: 66 wait for one token, and another token finds one', async () => {
    const { baseUrl } = world.server;
    const token = (await connect(await beginFlow(baseUrl), { account: 'ada' })).access_token;
    const waiting = { url: url(), delay_seconds: 60 };
    const most = Math.floor((2 * MAX_WAITING) / 3);
    for (let post = 0; post < most; post += 1) expect(await call(waiting)).toBe(202);
    expect(await call(waiting)).toBe(429);
    expect(await call(waiting, undefined, { authorization: `Bearer ${token}` })).toBe(202);
  });

  it('needs an address that users may call, and a delay within a minute', async () => {
    expect(await call({ delay_seconds: 1 })).toBe(400);
    expect(await call({ url: 'ftp://x.test' })).toBe(400);
    expect(await call({ url: url(), delay_seconds: 61 })).toBe(400);
    expect(await call({ url: url(), delay_seconds: -1 })).toBe(400);
    const guarded = await IntegrationWorld.open();
    expect(await call({ url: 'http://10.0.0.1/' }, guarded.server.baseUrl)).toBe(400);
    await guarded.close();
  });
});
