import { fromPublicId } from '../../src/platform/ids/ids.js';
import { openCredentials, sealCredentials } from '../../src/features/integrations/tokens/credentials.js';
import { Secrets } from '../../src/platform/encryption/secrets.js';
import { type TestServer, startTestServer } from '../support/server.js';
import { Browser } from '../support/browser/browser.js';
import { Client } from '../support/http/client.js';
import { scriptedApps } from './scripted-apps.js';
import { appsOf, IntegrationWorld, type Started } from './world.js';
import { wrongSecret } from '../support/wrong-secret.js';

const API_KEY = 'good-key-that-nobody-may-read-93f1';

describe('the database and the log', () => {
  let world: IntegrationWorld;

  beforeAll(async () => {
    world = await IntegrationWorld.open();
  });
  afterAll(() => world.close());

  /** Every row of every table, as text. */
  async function dump(): Promise<string> {
    const { db } = world.server;
    const tables = await db.query<{ name: string }>(
      `SELECT quote_ident(table_schema) || '.' || quote_ident(table_name) AS name FROM information_schema.tables
       WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('pg_catalog', 'information_schema')`,
    );
    const texts = await Promise.all(
      tables.map(async ({ name }) => {
        const rows = await db.query<{ row: string }>(`SELECT t::text AS row FROM ${name} t`);
        return rows.map(({ row }) => `${name} ${row}`).join('\n');
      }),
    );
    return texts.join('\n');
  }

  it('contain no tokens, keys, state, code_verifier, tickets or client secrets of an integration', async () => {
    const secrets: string[] = [API_KEY, 'client-secret-4711', world.client.key!];
    const note = ({ state, connectUrl }: Started) => secrets.push(state, connectUrl.split('/').at(-1)!);
    await world.post('/integrations/connect', { type: 'key_app', credentials: { api_key: API_KEY } });
    const denied = await world.start();
    const pending = await world.start();
    const flow = await world.start();
    [denied, pending, flow].forEach(note);
    const browser = new Browser();
    const gone = await browser.visit(flow.connectUrl, { form: {} });
    secrets.push(/connect=([\w-]{43})/.exec(gone.headers.get('set-cookie')!)![1]!);
    await world.callback({ state: denied.state, error: 'access_denied' });
    const tokens = { access_token: 'secret-access-token-5c1', refresh_token: 'secret-refresh-token-5c1' };
    world.provider.onToken = () => ({ body: { ...tokens, token_type: 'bearer', expires_in: 3600 } });
    world.provider.onIdentity = () => ({ body: { data: { id: 'alice', name: 'Alice' } } });
    await world.callback({ state: flow.state, code: 'secret-code-77' }, { browser });
    expect(await world.get(flow.id)).toMatchObject({ status: 'connected' });
    // A renewal, a refusal and garbage, because they might log something.
    await world.server.advance(3_600_000);
    await world.post(`/integrations/${flow.id}/test`);
    world.provider.onToken = () => ({ status: 400, body: { error: 'invalid_grant', echo: tokens } });
    await world.server.advance(3_600_000);
    await world.post(`/integrations/${flow.id}/test`);
    const broken = await world.start();
    note(broken);
    world.provider.onToken = () => ({ body: `{"access_token":"secret-broken-token",` });
    await world.callback({ state: broken.state, code: 'secret-code-77' });
    const verifiers = world.provider.requests('authorization_code').map(({ form }) => form.get('code_verifier')!);
    secrets.push(...Object.values(tokens), ...verifiers, 'secret-code-77', 'secret-broken-token');

    expect(secrets.length).toBeGreaterThanOrEqual(17);
    expect(secrets.every((secret) => secret.length > 10)).toBe(true);
    const [stored, logged] = [await dump(), world.server.logs.join('\n')];
    // The search works: it finds ids.
    expect(stored).toContain(fromPublicId('int', flow.id));
    expect(logged).toContain('oauth flow failed');
    for (const secret of secrets) {
      expect([secret, stored.includes(secret)]).toEqual([secret, false]);
      expect([secret, logged.includes(secret)]).toEqual([secret, false]);
      // bytea is dumped as hexadecimal.
      expect([secret, stored.includes(Buffer.from(secret).toString('hex'))]).toEqual([secret, false]);
    }
  });

  it('contain sealed texts that can’t be opened in another row or account, nor changed', () => {
    const secrets = new Secrets([Buffer.alloc(32, 1)]);
    const owner = { accountId: 'a', uuid: 'u' };
    const sealed = sealCredentials(secrets, owner, { apiKey: 'k' });
    expect(openCredentials(secrets, owner, sealed)).toEqual({ apiKey: 'k' });
    expect(() => openCredentials(secrets, { ...owner, uuid: 'v' }, sealed)).toThrow();
    expect(() => openCredentials(secrets, { ...owner, accountId: 'b' }, sealed)).toThrow();
    expect(() => openCredentials(secrets, owner, wrongSecret(sealed))).toThrow();
  });

  describe('moved or under another key', () => {
    let rotated: TestServer;

    beforeAll(async () => {
      const newest = Buffer.alloc(32, 9).toString('base64');
      const { database, clock, baseUrl } = world.server;
      const env = { BASE_URL: baseUrl, ENCRYPTION_KEY: `${newest},${Buffer.alloc(32).toString('base64')}` };
      rotated = await startTestServer({ database, clock, env, apps: appsOf(scriptedApps(world.provider.url)) });
      world.provider.reset();
    });
    afterAll(() => rotated.close());

    const asks = async (server: TestServer, id: string) =>
      (await new Client(server.url, world.client.key).rest('POST', `/integrations/${id}/test`)).body;

    it('still works with a ring whose older key sealed the text', async () => {
      const id = await world.connected();
      expect(await asks(rotated, id)).toEqual({ ok: true, reason: null });
      const flow = await world.start();
      const landed = await fetch(`${rotated.url}/oauth/callback/oauth_app?state=${flow.state}&code=bob`);
      expect([landed.status, (await world.get(flow.id)).status]).toEqual([200, 'connected']);
    });

    it('does not open when it was copied from another integration', async () => {
      const [victim, thief] = [await world.connected('victim'), await world.connected('thief')];
      await world.server.db.query(
        `UPDATE integrations SET credentials = (SELECT credentials FROM integrations WHERE id = $1) WHERE id = $2`,
        [fromPublicId('int', victim), fromPublicId('int', thief)],
      );
      expect(await asks(world.server, victim)).toEqual({ ok: true, reason: null });
      expect(await asks(world.server, thief)).toMatchObject({ ok: false });
    });
  });
});
