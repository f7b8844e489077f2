import * as oauth from 'oauth4webapi';
import { answerConsent, beginFlow, client, grant } from './oauth-client.js';
import { runSandbox, type RunningSandbox } from './running-sandbox.js';

let sandbox: RunningSandbox;
beforeAll(async () => void (sandbox = await runSandbox()));
afterAll(() => sandbox.close());

async function stored(): Promise<number> {
  const [row] = await sandbox.query('SELECT count(*) AS count FROM sandbox_grants');
  return Number(row!['count']);
}

describe('GET /sandbox/oauth/authorize', () => {
  it('asks, changes nothing, and can not be framed', async () => {
    const before = await stored();
    const response = await fetch((await beginFlow(sandbox.baseUrl)).url, { redirect: 'manual' });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(response.headers.get('x-frame-options')).toBe('DENY');
    const page = await response.text();
    for (const text of ['Ada Lovelace', 'Grace Hopper', '20 seconds', '60 days', 'value="deny"', 'value="never"']) {
      expect(page).toContain(text);
    }
    expect(await stored()).toBe(before);
  });

  it.each([
    ['client_id', 'other'],
    ['redirect_uri', 'https://evil.example/oauth/callback/sandbox_oauth'],
  ])('redirects nowhere when %s is %s', async (name, value) => {
    const { url } = await beginFlow(sandbox.baseUrl);
    url.searchParams.set(name, value);
    const response = await fetch(url, { redirect: 'manual' });
    expect(response.status).toBe(400);
    expect(response.headers.get('location')).toBeNull();
  });

  it.each([
    ['response_type', 'token', 'unsupported_response_type'],
    ['state', '', 'invalid_request'],
    ['code_challenge', '', 'invalid_request'],
    ['code_challenge', 'short', 'invalid_request'],
    ['code_challenge_method', 'plain', 'invalid_request'],
    ['scope', 'contacts.read everything', 'invalid_scope'],
  ])('tells the client when %s is "%s"', async (name, value, error) => {
    const flow = await beginFlow(sandbox.baseUrl);
    flow.url.searchParams.set(name, value);
    const response = await fetch(flow.url, { redirect: 'manual' });
    expect(response.status).toBe(303);
    const location = new URL(response.headers.get('location')!);
    expect(location.origin + location.pathname).toBe(flow.redirectUri);
    expect(location.searchParams.get('error')).toBe(error);
    expect(location.searchParams.get('state')).toBe(name === 'state' ? null : flow.state);
    expect(location.searchParams.get('iss')).toBe(`${sandbox.baseUrl}/sandbox`);
  });

  it('refuses a repeated parameter', async () => {
    const { url } = await beginFlow(sandbox.baseUrl);
    url.searchParams.append('state', 'another');
    const response = await fetch(url, { redirect: 'manual' });
    expect(new URL(response.headers.get('location')!).searchParams.get('error')).toBe('invalid_request');
  });

  it('escapes the parameters in the form', async () => {
    const { url } = await beginFlow(sandbox.baseUrl);
    url.searchParams.set('state', '"><script>alert(1)</script>');
    expect(await (await fetch(url)).text()).not.toContain('<script>alert');
  });
});

describe('POST /sandbox/oauth/authorize', () => {
  it('grants with a code, the state and the issuer', async () => {
    const callback = await grant(await beginFlow(sandbox.baseUrl));
    expect(callback.get('code')).toMatch(/^sbx_code_[\w-]{43}$/);
  });

  it('denies with access_denied, the state and the issuer', async () => {
    const flow = await beginFlow(sandbox.baseUrl);
    const response = await answerConsent(flow, { decision: 'deny' });
    const location = new URL(response.headers.get('location')!);
    expect(() => oauth.validateAuthResponse(flow.server, client, location, flow.state)).toThrow(
      expect.objectContaining({ name: 'AuthorizationResponseError', error: 'access_denied' }) as Error,
    );
  });

  it('sends nothing after "Never answer", and links back to the question', async () => {
    const before = await stored();
    const response = await answerConsent(await beginFlow(sandbox.baseUrl), { decision: 'never' });
    expect(response.status).toBe(200);
    expect(await stored()).toBe(before);
    const back = /href="(\/sandbox\/oauth\/authorize[^"]+)"/.exec(await response.text())![1]!.replaceAll('&amp;', '&');
    expect(await (await fetch(sandbox.baseUrl + back)).text()).toContain('value="grant"');
  });

  it('refuses a form that another site posts', async () => {
    const headers = { 'Sec-Fetch-Site': 'cross-site' };
    const response = await answerConsent(await beginFlow(sandbox.baseUrl), { decision: 'grant' }, headers);
    expect(response.status).toBe(400);
  });

  it.each<Record<string, string>>([
    { decision: 'perhaps' },
    { lifetime: '99999999' },
    { account: 'mallory' },
    { refresh: 'maybe' },
  ])('refuses a choice that was not offered: %j', async (choice) => {
    const response = await answerConsent(await beginFlow(sandbox.baseUrl), { decision: 'grant', ...choice });
    expect(response.status).toBe(400);
  });

  it('checks the request again, since a form can be forged', async () => {
    const choice = { decision: 'grant', redirect_uri: 'https://evil.example/' };
    const response = await answerConsent(await beginFlow(sandbox.baseUrl), choice);
    expect([response.status, response.headers.get('location')]).toEqual([400, null]);
  });
});
