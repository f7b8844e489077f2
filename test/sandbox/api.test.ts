import { beginFlow, connect } from './oauth-client.js';
import { runSandbox, type RunningSandbox } from './running-sandbox.js';

let sandbox: RunningSandbox;
let token: string;
beforeAll(async () => {
  sandbox = await runSandbox();
  token = (await connect(await beginFlow(sandbox.baseUrl), { account: 'grace' })).access_token;
});
afterAll(() => sandbox.close());

function call(path: string, authorization?: string, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  if (authorization !== undefined) headers.set('authorization', authorization);
  return fetch(`${sandbox.baseUrl}/sandbox${path}`, { ...init, headers });
}

function contact(body: string, authorization: string, headers: Record<string, string> = {}): Promise<Response> {
  const all = { 'Content-Type': 'application/json', ...headers };
  return call('/api/contacts', authorization, { method: 'POST', headers: all, body });
}

describe('GET /sandbox', () => {
  it('lists existing endpoints, and a key that works for them', async () => {
    const page = await (await call('')).text();
    expect(page).toContain(`<code>${sandbox.baseUrl}/sandbox</code>`);
    const key = /<code>(sandbox_\w+)<\/code>/.exec(page)![1]!;
    const endpoints = [...page.matchAll(/<code>(GET|POST) (\/[\w/]+)<\/code>/g)];
    expect(endpoints).toHaveLength(4);
    for (const [, method, path] of endpoints)
      expect((await call(path!, `Bearer ${key}`, { method })).status).toBe(
        path === '/api/callbacks' ? 400 : 200 + Number(method === 'POST'),
      );
  });
});

describe('GET /sandbox/me', () => {
  it('names the account that granted access', async () => {
    const answer = await (await call('/me', `Bearer ${token}`)).json();
    expect(answer).toEqual({ id: 'grace', name: 'Grace Hopper', email: 'grace@sandbox.example' });
  });

  it('names the owner of the one valid key', async () => {
    const answer = await (await call('/me', 'Bearer sandbox_valid_key')).json();
    expect(answer).toEqual({ id: 'key-owner', name: 'Sandbox key owner' });
  });

  it.each([undefined, 'Basic eDp5', 'Bearer', 'bearer sandbox_valid_key'])('challenges %s', async (authorization) => {
    const response = await call('/me', authorization);
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toBe('Bearer realm="sandbox"');
  });

  it.each(['Bearer wrong', 'Bearer sandbox_valid_key2'])('refuses %s', async (authorization) => {
    const response = await call('/me', authorization);
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toContain('error="invalid_token"');
  });

  it('refuses a token from the second of its expiry', async () => {
    const short = await connect(await beginFlow(sandbox.baseUrl), { lifetime: '20' });
    sandbox.pass(19);
    expect((await call('/me', `Bearer ${short.access_token}`)).status).toBe(200);
    sandbox.pass(1);
    expect((await call('/me', `Bearer ${short.access_token}`)).status).toBe(401);
  });
});

describe('/sandbox/api/contacts', () => {
  it('lists contacts to a bearer only', async () => {
    const answer = (await (await call('/api/contacts', `Bearer ${token}`)).json()) as { data: unknown[] };
    expect(answer.data).toContainEqual({ id: 'contact_1', name: 'Charles Babbage', email: 'charles@sandbox.example' });
    expect((await call('/api/contacts')).status).toBe(401);
  });

  it('returns a new contact with an id and its owner', async () => {
    const response = await contact('{"name":"Ann","tags":["a"]}', `Bearer ${token}`);
    expect(response.status).toBe(201);
    expect(await response.json()).toEqual({
      name: 'Ann',
      tags: ['a'],
      owner: 'grace',
      id: expect.stringMatching(/^contact_/) as string,
    });
  });

  it('returns the same id for the same Idempotency-Key, and another id for another key', async () => {
    const ids = [];
    for (const key of ['k1', 'k1', 'k2']) {
      const response = await contact('{}', 'Bearer sandbox_valid_key', { 'Idempotency-Key': key });
      ids.push(((await response.json()) as { id: string }).id);
    }
    expect(ids[0]).toBe(ids[1]);
    expect(ids[0]).not.toBe(ids[2]);
  });

  it('requires contacts.write for a new contact', async () => {
    const reader = await connect(await beginFlow(sandbox.baseUrl, { scope: 'contacts.read' }));
    expect((await call('/api/contacts', `Bearer ${reader.access_token}`)).status).toBe(200);
    const response = await contact('{}', `Bearer ${reader.access_token}`);
    expect(response.status).toBe(403);
    expect(response.headers.get('www-authenticate')).toContain('error="insufficient_scope"');
  });

  it('refuses a body that is not JSON', async () => {
    const response = await contact('{', `Bearer ${token}`);
    expect([response.status, await response.json()]).toMatchObject([400, { error: 'invalid_request' }]);
  });
});
