import { fromPublicId } from '../../../src/platform/ids/ids.js';
import { openCredentials, type OAuthCredentials } from '../../../src/features/integrations/tokens/credentials.js';
import { Secrets } from '../../../src/platform/encryption/secrets.js';
import { Client } from '../../support/http/client.js';
import { OAuthProvider } from '../../support/worlds/oauth-provider.js';
import { startTestServer, type TestServer } from '../../support/server.js';
import { AppCalls } from './app-calls.js';
import { oauthApp } from '../scripted-apps.js';
import { appsOf } from '../world.js';

/** Whether the provider gives refresh tokens to the client of a type. */
const TYPES = { renewing_app: true, ending_app: false };
type Type = keyof typeof TYPES;

describe('a grant that a real authorization server has ended', () => {
  let provider: OAuthProvider;
  let server: TestServer;
  let client: Client;
  let calls: AppCalls;

  beforeAll(async () => {
    provider = await OAuthProvider.start();
    const { issuer } = provider;
    server = await startTestServer({ apps: (baseUrl) => registered(issuer, baseUrl) });
    client = new Client(server.baseUrl, await server.key());
    // Its API has one endpoint: who the user is.
    calls = new AppCalls({ client }, '/me');
  });
  afterAll(async () => {
    await server.close();
    await provider.stop();
  });

  function registered(issuer: string, baseUrl: string) {
    const types = Object.entries(TYPES);
    provider.register(
      types.map(([type, renews]) => ({
        client_id: type,
        client_secret: `secret of ${type}`,
        grant_types: ['authorization_code', ...(renews ? ['refresh_token'] : [])],
        redirect_uris: [`${baseUrl}/oauth/callback/${type}`],
      })),
    );
    const auth = {
      authorization_url: `${issuer}/auth`,
      revocation_url: `${issuer}/token/revocation`,
      scopes: ['openid'],
    };
    const identity = { url: `${issuer}/me`, id: 'sub', name: 'email' };
    return appsOf(
      types.map(([type]) =>
        oauthApp(issuer, type, { ...auth, client_id: type, client_secret: `secret of ${type}` }, { identity }),
      ),
    );
  }

  const get = async (id: string) => (await client.rest('GET', `/integrations/${id}`)).body;
  const test = async (id: string) => (await client.rest('POST', `/integrations/${id}/test`)).body;
  const connect = async (type: Type): Promise<string> => {
    const { body } = await client.rest('POST', '/integrations/connect', { body: { type } });
    await fetch(await provider.browserOf('alice').leave(body.redirect_url as string));
    expect(await get(body.integration_id as string)).toMatchObject({ type, status: 'connected' });
    return body.integration_id as string;
  };
  const tokensOf = async (id: string): Promise<OAuthCredentials> => {
    const uuid = fromPublicId('int', id)!;
    const [row] = await server.db.query<{ accountId: string; credentials: string }>(
      `SELECT account_id AS "accountId", credentials FROM integrations WHERE id = $1`,
      [uuid],
    );
    const owner = { uuid, accountId: row!.accountId };
    return openCredentials(new Secrets([Buffer.alloc(32)]), owner, row!.credentials) as OAuthCredentials;
  };
  /** What the user does at the provider, in the place of whom the client itself can. */
  const revoke = async (type: Type, token: string) => {
    const { status } = await fetch(`${provider.issuer}/token/revocation`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`${type}:${encodeURIComponent(`secret of ${type}`)}`)}` },
      body: new URLSearchParams({ token }),
    });
    expect(status).toBe(200);
  };
  const statusesOf = async (path: string, work: () => Promise<unknown>) => {
    const before = provider.at(path).length;
    await work();
    return provider
      .at(path)
      .slice(before)
      .map(({ status }) => status);
  };

  it('lives on where only the access token has ended', async () => {
    const id = await connect('renewing_app');
    await provider.endAccessToken((await tokensOf(id)).accessToken);
    const asked = await statusesOf('/me', async () =>
      expect(await calls.call(id)).toMatchObject({ error: null, status: 'succeeded', attempt: 1 }),
    );
    expect(asked).toEqual([401, 200]);
    expect(await get(id)).toMatchObject({ status: 'connected', version: 2 });
    await provider.endAccessToken((await tokensOf(id)).accessToken);
    expect(await test(id)).toEqual({ ok: true, reason: null });
  });

  it.each(['call', 'test'])('expires by a %s where the whole grant was revoked', async (use) => {
    const id = await connect('renewing_app');
    await revoke('renewing_app', (await tokensOf(id)).refreshToken!);
    const renewals = await statusesOf('/token', async () => {
      if (use === 'test') expect(await test(id)).toEqual({ ok: false, reason: 'refresh_refused' });
      else expect((await calls.call(id)).status).toBe('failed');
    });
    expect(renewals).toEqual([400]);
    expect(await get(id)).toMatchObject({ status: 'expired', status_reason: 'refresh_refused', version: 3 });
  });

  it.each(['call', 'test'])('expires by a %s where nothing renews the token that was revoked', async (use) => {
    const id = await connect('ending_app');
    const { accessToken, refreshToken } = await tokensOf(id);
    expect(refreshToken).toBeNull();
    await revoke('ending_app', accessToken);
    const asked = await statusesOf('/me', async () => {
      if (use === 'test') expect(await test(id)).toEqual({ ok: false, reason: 'refresh_refused' });
      else expect(await calls.call(id)).toMatchObject({ status: 'failed', error: { code: 'http_401' } });
    });
    expect(asked).toEqual(use === 'test' ? [401] : [401, 401]);
    expect(await get(id)).toMatchObject({ status: 'expired', status_reason: 'refresh_refused', version: 3 });
  });
});
