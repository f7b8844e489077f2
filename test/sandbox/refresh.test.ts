import * as oauth from 'oauth4webapi';
import { beginFlow, client, connect, insecure, meStatus, refresh, type Flow } from './oauth-client.js';
import { runSandbox, type RunningSandbox } from './running-sandbox.js';

let sandbox: RunningSandbox;
let flow: Flow;
let elsewhere: Flow;
beforeAll(async () => {
  sandbox = await runSandbox();
  flow = await beginFlow(sandbox.baseUrl);
  elsewhere = await beginFlow(sandbox.baseUrl, { at: sandbox.otherUrl });
});
afterAll(() => sandbox.close());

const invalidGrant = expect.objectContaining({ error: 'invalid_grant', status: 400 }) as Error;

async function revoke(token: string): Promise<void> {
  const response = await oauth.revocationRequest(elsewhere.server, client, oauth.None(), token, insecure);
  await oauth.processRevocationResponse(response);
}

describe('a renewal', () => {
  it('gives a new access token and a new refresh token, on any process', async () => {
    const first = await connect(await beginFlow(sandbox.baseUrl), { lifetime: '20' });
    sandbox.pass(21);
    expect(await meStatus(sandbox.baseUrl, first.access_token)).toBe(401);
    const second = await refresh(elsewhere, first.refresh_token!);
    expect(second).toMatchObject({ expires_in: 20, scope: first.scope });
    expect(second.refresh_token).not.toBe(first.refresh_token);
    expect(await meStatus(sandbox.baseUrl, second.access_token)).toBe(200);
    const third = await refresh(flow, second.refresh_token!);
    expect(await meStatus(sandbox.otherUrl, third.access_token)).toBe(200);
  });

  it('with a used refresh token is refused and ends the whole family, no other', async () => {
    const bystander = await connect(await beginFlow(sandbox.baseUrl));
    const first = await connect(await beginFlow(sandbox.baseUrl));
    const second = await refresh(flow, first.refresh_token!);
    await expect(refresh(elsewhere, first.refresh_token!)).rejects.toThrow(invalidGrant);
    await expect(refresh(flow, second.refresh_token!)).rejects.toThrow(invalidGrant);
    expect(await meStatus(sandbox.baseUrl, second.access_token)).toBe(401);
    expect(await meStatus(sandbox.baseUrl, bystander.access_token)).toBe(200);
  });

  it('tried five times at the same moment succeeds once, and then no token works', async () => {
    const { refresh_token: token } = await connect(await beginFlow(sandbox.baseUrl));
    const tries = await Promise.allSettled([flow, elsewhere, flow, elsewhere, flow].map((at) => refresh(at, token!)));
    const won = tries.filter((result) => result.status === 'fulfilled').map((result) => result.value);
    expect(won).toHaveLength(1);
    expect(await meStatus(sandbox.baseUrl, won[0]!.access_token)).toBe(401);
    await expect(refresh(flow, won[0]!.refresh_token!)).rejects.toThrow(invalidGrant);
  });

  it('can request fewer scopes, never more, and a request for more does not use the token up', async () => {
    const narrow = await beginFlow(sandbox.baseUrl, { scope: 'contacts.read' });
    const first = await connect(narrow);
    await expect(refresh(flow, first.refresh_token!, 'contacts.write')).rejects.toThrow(
      expect.objectContaining({ error: 'invalid_scope' }) as Error,
    );
    expect(await refresh(flow, first.refresh_token!)).toMatchObject({ scope: 'contacts.read' });

    const wide = await connect(await beginFlow(sandbox.baseUrl));
    const less = await refresh(flow, wide.refresh_token!, 'contacts.read');
    expect(less.scope).toBe('contacts.read');
    expect(await refresh(flow, less.refresh_token!)).toMatchObject({ scope: 'contacts.read contacts.write' });
  });

  it('is refused for an access token', async () => {
    const { access_token: token } = await connect(await beginFlow(sandbox.baseUrl));
    await expect(refresh(flow, token)).rejects.toThrow(invalidGrant);
  });

  it('is refused after 90 days', async () => {
    const { refresh_token: token } = await connect(await beginFlow(sandbox.baseUrl));
    sandbox.pass(90 * 24 * 3600);
    await expect(refresh(flow, token!)).rejects.toThrow(invalidGrant);
  });
});

describe('POST /sandbox/oauth/revoke', () => {
  it('ends a refresh token and the access tokens that came with it', async () => {
    const tokens = await connect(await beginFlow(sandbox.baseUrl));
    await revoke(tokens.refresh_token!);
    expect(await meStatus(sandbox.baseUrl, tokens.access_token)).toBe(401);
    await expect(refresh(flow, tokens.refresh_token!)).rejects.toThrow(invalidGrant);
  });

  it('ends an access token alone', async () => {
    const tokens = await connect(await beginFlow(sandbox.baseUrl));
    await revoke(tokens.access_token);
    expect(await meStatus(sandbox.baseUrl, tokens.access_token)).toBe(401);
    await revoke(tokens.access_token);
    expect((await refresh(flow, tokens.refresh_token!)).access_token).toMatch(/^sbx_at_/);
  });

  it('succeeds for an unknown token', async () => {
    await expect(revoke('sbx_rt_unknown')).resolves.toBeUndefined();
  });
});
