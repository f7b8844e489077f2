import { beginFlow, connect, exchange, grant, meStatus, type Flow } from './oauth-client.js';
import { runSandbox, type RunningSandbox } from './running-sandbox.js';

let sandbox: RunningSandbox;
beforeAll(async () => void (sandbox = await runSandbox()));
afterAll(() => sandbox.close());

const invalidGrant = expect.objectContaining({ error: 'invalid_grant', status: 400 }) as Error;

/** Posts a form to the token endpoint: a flow's correct parameters with `changes`. */
async function post(changes: [string, string][], flow?: Flow, code = ''): Promise<Response> {
  const names = new Set(changes.map(([name]) => name));
  const right: [string, string][] = [
    ['grant_type', 'authorization_code'],
    ['client_id', 'sandbox'],
    ['code', code],
    ['code_verifier', flow?.verifier ?? ''],
    ['redirect_uri', flow?.redirectUri ?? ''],
  ];
  const body = new URLSearchParams([...right.filter(([name]) => !names.has(name)), ...changes]);
  return fetch(`${sandbox.baseUrl}/sandbox/oauth/token`, { method: 'POST', body });
}

describe('the exchange of a code', () => {
  it('returns Bearer tokens, on any process', async () => {
    const tokens = await connect(await beginFlow(sandbox.baseUrl, { at: sandbox.otherUrl }));
    expect(tokens).toMatchObject({ token_type: 'bearer', expires_in: 3600, scope: 'contacts.read contacts.write' });
    expect(tokens.access_token).toMatch(/^sbx_at_[\w-]{43}$/);
    expect(tokens.refresh_token).toMatch(/^sbx_rt_[\w-]{43}$/);
    expect(await meStatus(sandbox.baseUrl, tokens.access_token)).toBe(200);
  });

  it('returns what was chosen on the consent page', async () => {
    const tokens = await connect(await beginFlow(sandbox.baseUrl), { lifetime: '691200', refresh: 'no' });
    expect(tokens.expires_in).toBe(8 * 24 * 3600);
    expect(tokens.refresh_token).toBeUndefined();
  });

  it('must not be cached', async () => {
    const flow = await beginFlow(sandbox.baseUrl);
    const response = await post([], flow, (await grant(flow)).get('code')!);
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('no-store');
  });

  it('happens once: a second one fails and ends the tokens of the first', async () => {
    const flow = await beginFlow(sandbox.baseUrl);
    const callback = await grant(flow);
    const tokens = await exchange(flow, callback);
    await expect(exchange(flow, callback)).rejects.toThrow(invalidGrant);
    expect(await meStatus(sandbox.baseUrl, tokens.access_token)).toBe(401);
  });

  it('happens once among many at the same moment', async () => {
    const flow = await beginFlow(sandbox.baseUrl);
    const code = (await grant(flow)).get('code')!;
    const statuses = await Promise.all(Array.from({ length: 8 }, async () => (await post([], flow, code)).status));
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 400)).toHaveLength(7);
  });

  it('fails after a minute', async () => {
    const flow = await beginFlow(sandbox.baseUrl);
    const callback = await grant(flow);
    sandbox.pass(60);
    await expect(exchange(flow, callback)).rejects.toThrow(invalidGrant);
  });

  it('needs the verifier of the challenge', async () => {
    const flow = await beginFlow(sandbox.baseUrl);
    await expect(exchange(flow, await grant(flow), 'x'.repeat(43))).rejects.toThrow(invalidGrant);
  });

  it('needs the redirect_uri of the authorization', async () => {
    const flow = await beginFlow(sandbox.baseUrl);
    const code = (await grant(flow)).get('code')!;
    const response = await post([['redirect_uri', `${flow.redirectUri}/`]], flow, code);
    expect(await response.json()).toMatchObject({ error: 'invalid_grant' });
  });
});

describe('the token endpoint', () => {
  it('knows one public client', async () => {
    const changes: [string, string][][] = [[['client_id', 'other']], [['client_id', '']], [['client_secret', 'guess']]];
    for (const change of changes) {
      const response = await post(change);
      expect(response.status).toBe(401);
      expect(response.headers.get('www-authenticate')).toMatch(/^Basic /);
      expect(await response.json()).toMatchObject({ error: 'invalid_client' });
    }
  });

  it.each<[string, [string, string][], string]>([
    ['a grant type that it does not have', [['grant_type', 'password']], 'unsupported_grant_type'],
    ['no grant type', [['grant_type', '']], 'invalid_request'],
    ['no code', [], 'invalid_request'],
    [
      'a parameter given twice',
      [
        ['code', 'a'],
        ['code', 'b'],
      ],
      'invalid_request',
    ],
  ])('refuses %s', async (_what, changes, error) => {
    const response = await post(changes);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error });
  });

  it('refuses a form too large to be one', async () => {
    const response = await post([['code', 'x'.repeat(20_000)]]);
    expect([response.status, await response.json()]).toMatchObject([400, { error: 'invalid_request' }]);
  });

  it('reads no JSON', async () => {
    const headers = { 'Content-Type': 'application/json' };
    const response = await fetch(`${sandbox.baseUrl}/sandbox/oauth/token`, { method: 'POST', headers, body: '{}' });
    expect(response.status).toBe(401);
  });
});

describe('the table of grants', () => {
  it('holds digests, never a code or token', async () => {
    const flow = await beginFlow(sandbox.baseUrl);
    const callback = await grant(flow);
    const { access_token: access, refresh_token: renewal } = await exchange(flow, callback);
    const rows = JSON.stringify(await sandbox.query("SELECT *, encode(digest, 'escape') FROM sandbox_grants"));
    expect(rows).toContain('"ada"');
    for (const secret of [callback.get('code')!, access, renewal!]) {
      const random = secret.replace(/^sbx_[a-z]+_/, '');
      expect(random).toHaveLength(43);
      for (const part of [random.slice(0, 12), random.slice(12, 24), random.slice(-12)]) {
        expect(rows).not.toContain(part);
      }
    }
  });

  it('removes expired rows when a new one is stored', async () => {
    await connect(await beginFlow(sandbox.baseUrl), { lifetime: '20' });
    sandbox.pass(100 * 24 * 3600);
    await grant(await beginFlow(sandbox.baseUrl));
    const left = await sandbox.query("SELECT kind FROM sandbox_grants WHERE kind <> 'ended'");
    expect(left).toEqual([{ kind: 'code' }]);
  });
});
