import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { Browser } from '../../support/browser/browser.js';
import { type Answer, Client } from '../../support/http/client.js';
import { until } from '../../support/until.js';
import { oauthApp } from '../scripted-apps.js';
import { IntegrationWorld, stateOf } from '../world.js';

const TYPE = 'tenant_keys';

describe('a connection of one tenant', () => {
  let world: IntegrationWorld;
  let app: Server;
  /** Path and key of each request to the application, which accepts the key `k<tenant>` below `/<tenant>`. */
  const seen: string[] = [];
  let gate: Promise<void> | undefined;

  beforeAll(async () => {
    app = createServer((request, response) => {
      const key = request.headers.authorization?.replace('Bearer ', '') ?? '';
      const [, tenant] = request.url!.split('/');
      seen.push(`${request.url} ${key}`);
      void Promise.resolve(gate).then(() => response.writeHead(key === `k${tenant}` ? 200 : 401).end('{}'));
    });
    await new Promise<void>((resolve) => app.listen(0, 'localhost', resolve));
    const url = `http://localhost:${(app.address() as AddressInfo).port}`;
    world = await IntegrationWorld.open({ env: { ALLOW_PRIVATE_NETWORK: 'true' } }, (baseUrl) => [
      {
        ...oauthApp(baseUrl, TYPE),
        auth: [
          oauthApp(baseUrl, TYPE).auth,
          {
            kind: 'api_key',
            placement: { in: 'header', name: 'Authorization', prefix: 'Bearer ' },
            verify: { method: 'GET', url: `${url}/{tenant}/key`, ok: [200] },
          },
        ],
        identity: undefined,
        api_base_url: `${url}/{tenant}`,
        parameters: { tenant: { description: 'Tenant', pattern: '[a-z]+' } },
      },
    ]);
  });
  beforeEach(() => {
    world.provider.reset();
    seen.length = 0;
    gate = undefined;
  });
  afterAll(async () => {
    app.close();
    await world.close();
  });

  async function session(type: string): Promise<{ connect: (body: object) => Promise<Answer>; url: string }> {
    const { body } = await world.client.rest('POST', '/connect_sessions', { body: { type } });
    const client = new Client(world.server.baseUrl, body.token as string);
    return {
      connect: (more) => client.rest('POST', '/integrations/connect', { body: { type, ...more } }),
      url: body.connect_url as string,
    };
  }
  const keyOf = (tenant: string) => ({ credentials: { api_key: `k${tenant}` }, parameters: { tenant } });
  const call = (id: string) => world.post(`/integrations/${id}/call`, { path: '/x' });
  const conflict = (type: string) => ({
    status: 409,
    body: {
      code: 'conflict',
      message: `This session has connected ${type} with other parameters (tenant): leave them out to connect it again. Other parameters need another session.`,
    },
  });

  it('is not repeated with the key of another tenant, and no key goes there', async () => {
    const { connect } = await session(TYPE);
    const { id } = (await connect(keyOf('aaa'))).body;
    expect(await connect(keyOf('bbb'))).toMatchObject(conflict(TYPE));
    expect((await call(id as string)).body.status).toBe(200);
    expect(seen).toEqual(['/aaa/key kaaa', '/aaa/x kaaa']);
  });

  it('is repeated with the same parameters, or without any', async () => {
    const { connect } = await session(TYPE);
    const { id } = (await connect(keyOf('aaa'))).body;
    const again = [await connect(keyOf('aaa')), await connect({ credentials: { api_key: 'kaaa' } })];
    expect(again.map(({ status, body }) => [status, body.id])).toEqual([
      [201, id],
      [201, id],
    ]);
    expect((await connect({ ...keyOf('aaa'), parameters: { tenant: 'aaa', other: 'x' } })).body.details).toEqual([
      { field: 'parameters.other', message: `is not a parameter of ${TYPE}` },
    ]);
  });

  it('is repeated on the page of its session, which asks for no parameter', async () => {
    const { connect, url } = await session(TYPE);
    const { id } = (await connect(keyOf('aaa'))).body;
    const again = await fetch(`${url}?again=1`);
    expect(await again.text()).not.toContain('parameter.tenant');
    const form = { type: TYPE, auth: 'api_key', api_key: 'kaaa' };
    expect((await new Browser().visit(url, { form })).status).toBe(303);
    expect((await world.get(id as string)).version).toBe(2);
  });

  it('by OAuth is not repeated with another tenant either', async () => {
    const { connect } = await session('tenant_app');
    const { integration_id: id, redirect_url } = (await connect({ parameters: { tenant: 'aaa' } })).body;
    await world.callback({ state: stateOf(redirect_url as string), code: 'alice' }, { type: 'tenant_app' });
    expect(await connect({ parameters: { tenant: 'bbb' } })).toMatchObject(conflict('tenant_app'));
    expect((await connect({})).body).toMatchObject({ integration_id: id });
  });

  it('is the only one of two that a session makes at the same time', async () => {
    const { connect } = await session(TYPE);
    const released: PromiseWithResolvers<void> = Promise.withResolvers();
    gate = released.promise;
    const both = [connect(keyOf('aaa')), connect(keyOf('bbb'))];
    await until(() => seen.length === 2);
    released.resolve();
    const answers = await Promise.all(both);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409]);
    const first = answers.findIndex(({ status }) => status === 201);
    await call(answers[first]!.body.id as string);
    const tenant = ['aaa', 'bbb'][first]!;
    expect(seen.at(-1)).toBe(`/${tenant}/x k${tenant}`);
  });

  it('does not get a key that was proven before its tenant changed', async () => {
    const { connect } = await session(TYPE);
    const { integration_id: id } = (await connect({ auth: 'oauth2', parameters: { tenant: 'aaa' } })).body;
    const released: PromiseWithResolvers<void> = Promise.withResolvers();
    gate = released.promise;
    const reconnecting = world.post(`/integrations/${id}/reconnect`, { credentials: { api_key: 'kaaa' } });
    await until(() => seen.length === 1);
    expect((await connect({ auth: 'oauth2', parameters: { tenant: 'bbb' } })).status).toBe(200);
    released.resolve();
    expect(await reconnecting).toMatchObject({ status: 409, body: { code: 'conflict' } });
    expect((await world.get(id as string)).status).toBe('pending');
  });
});
