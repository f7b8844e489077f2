import { Browser } from '../../support/browser/browser.js';
import { Client } from '../../support/http/client.js';
import { startTestServer, type TestServer } from '../../support/server.js';
import { AppCalls } from '../tokens/app-calls.js';
import { ScriptedProvider } from '../scripted-provider.js';
import { oauthApp } from '../scripted-apps.js';
import { appsOf } from '../world.js';

const REGION = { description: 'Your region', choices: { us: 'a', eu: 'b' }, default: 'us' };

describe('an application with regions', () => {
  let server: TestServer;
  let provider: ScriptedProvider;
  let client: Client;
  let calls: AppCalls;

  beforeAll(async () => {
    provider = await ScriptedProvider.start();
    const parameters = { region: REGION };
    const verify = { method: 'GET', url: `${provider.url}/api/{region}/verify`, ok: [200] };
    const auth = { kind: 'api_key', placement: { in: 'header', name: 'Authorization', prefix: 'Bearer ' }, verify };
    const url = `${provider.url}/api/{region}`;
    server = await startTestServer({
      env: { ALLOW_PRIVATE_NETWORK: 'true' },
      apps: appsOf([
        { type: 'keyed', name: 'Keyed', auth, api_base_url: url, parameters },
        oauthApp(provider.url, 'signed', { authorization_url: `${provider.url}/{region}/authorize` }, { parameters }),
      ]),
    });
    client = new Client(server.baseUrl, await server.key());
    calls = new AppCalls({ client }, '/things');
  });
  beforeEach(() => provider.reset());
  afterAll(async () => {
    await server.close();
    await provider.stop();
  });

  const connect = async (parameters?: unknown) => {
    const body = { type: 'keyed', credentials: { api_key: 'good' }, parameters };
    return client.rest('POST', '/integrations/connect', { body });
  };
  const paths = () => provider.calls.map(({ path }) => path);

  it('is verified and called in the chosen one', async () => {
    const { status, body } = await connect({ region: 'eu' });
    expect(status).toBe(201);
    await calls.call(body.id as string);
    expect(paths()).toEqual(['/api/b/verify', '/api/b/things']);
  });

  it('is in the default one if none is chosen, also if the connection is older than the choice', async () => {
    const { id } = (await connect()).body as { id: string };
    await server.db.query(`UPDATE integrations SET parameters = '{}'`);
    await calls.call(id);
    expect(paths()).toEqual(['/api/a/verify', '/api/a/things']);
  });

  it('refuses another value before it asks anything', async () => {
    expect(await connect({ region: 'b' })).toMatchObject({
      status: 400,
      body: { details: [{ field: 'parameters.region', message: 'must match us|eu' }] },
    });
    expect(paths()).toEqual([]);
  });

  it('signs in at the chosen one', async () => {
    const body = { type: 'signed', parameters: { region: 'eu' } };
    const { redirect_url: url } = (await client.rest('POST', '/integrations/connect', { body })).body as {
      redirect_url: string;
    };
    expect(new URL(url).pathname).toBe('/b/authorize');
  });

  it('lists the choices and the default', async () => {
    const { body } = await client.rest('GET', '/integration_types?search=keyed');
    expect(body.data[0].parameters).toEqual([
      { name: 'region', description: 'Your region', pattern: 'us|eu', default: 'us', choices: ['us', 'eu'] },
    ]);
    const zendesk = (await client.rest('GET', '/integration_types?search=zendesk')).body.data[0].parameters;
    expect(zendesk).toMatchObject([{ name: 'subdomain', default: null, choices: [] }]);
  });

  it('offers the choices on the page of a connect session, the default first chosen', async () => {
    const { body } = await client.rest('POST', '/connect_sessions', { body: { type: 'keyed' } });
    const url = body.connect_url as string;
    const page = await (await fetch(url)).text();
    expect(page).toMatch(/<select name="parameter\.region" required>/);
    expect([...page.matchAll(/<option value="(\w+)" (selected)?>/g)].map(([, ...found]) => found)).toEqual([
      ['us', 'selected'],
      ['eu', undefined],
    ]);
    const form = { type: 'keyed', api_key: 'bad', 'parameter.region': 'eu' };
    const refused = await (await new Browser().visit(url, { form })).text();
    expect(refused).toMatch(/<option value="eu" selected>/);
    await new Browser().visit(url, { form: { ...form, api_key: 'good' } });
    expect(paths()).toEqual(['/api/b/verify', '/api/b/verify']);
  });
});
