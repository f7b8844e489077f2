import { type ServerResponse } from 'node:http';
import { until } from '../../support/until.js';
import { type Answer, silence } from '../scripted-provider.js';
import { IntegrationWorld } from '../world.js';

const good = { access_token: 'tok-1', token_type: 'bearer' };

describe('a token endpoint during a callback', () => {
  let world: IntegrationWorld;

  beforeAll(async () => {
    world = await IntegrationWorld.open();
  });
  beforeEach(() => world.provider.reset());
  afterAll(() => world.close());

  /** The integration after a flow of an app without identity, with this response of the endpoint. */
  async function after(answer: Answer | ((response: ServerResponse) => void)): Promise<Record<string, any>> {
    world.provider.onToken = (_, response) => {
      if (typeof answer !== 'function') return answer;
      answer(response);
      return undefined;
    };
    const { id, state } = await world.start('bare_app');
    const { status } = await world.callback({ state, code: 'alice' }, { type: 'bare_app' });
    expect(status).toBe(200);
    return world.get(id);
  }

  it.each<[string, Answer]>([
    ['a good answer', { body: good }],
    ['status 201', { status: 201, body: good }],
    [
      'form fields',
      { type: 'application/x-www-form-urlencoded', body: 'access_token=tok-1&token_type=bearer&scope=a%2Cb' },
    ],
    ['form fields said to be text', { type: 'text/plain', body: 'access_token=tok-1&scope=repo' }],
    ['JSON said to be text', { type: 'text/html', body: good }],
    ['no token_type', { body: { access_token: 'tok-1' } }],
    ['token_type in capitals', { body: { ...good, token_type: 'BEARER' } }],
    ['an id_token that is garbage', { body: { ...good, id_token: 'x.y.z' } }],
    ['a null refresh token', { body: { ...good, refresh_token: null } }],
    ['a scope that is a list', { body: { ...good, scope: ['a'] } }],
    ['a scope with NUL', { body: { ...good, scope: 'a\0b c' } }],
    ['unknown fields', { body: { ...good, error_uri: null, authed_user: { id: 'U' } } }],
  ])('connects by %s', async (_, answer) => {
    expect(await after(answer)).toMatchObject({ status: 'connected', version: 2, expires_at: null });
  });

  it.each<[string, Answer, string[]]>([
    ['a list with commas', { body: { ...good, scope: 'a,b, c' } }, ['a', 'b', 'c']],
    ['none', { body: good }, ['read', 'write']],
    ['one that can’t be stored', { body: { ...good, scope: 'a\0b c' } }, ['c']],
  ])('reads scopes from %s', async (_, answer, scopes) => {
    expect((await after(answer)).scopes).toEqual(scopes);
  });

  it('reads each scope once, 200 at most', async () => {
    const scopes = Array.from({ length: 201 }, (_, index) => `scope${index}`);
    const scope = (count: number) => [...scopes, ...scopes].slice(201 - count, 201).join(' ');
    expect((await after({ body: { ...good, scope: `${scope(200)} ${scope(200)}` } })).scopes).toEqual(scopes.slice(1));
    expect((await after({ body: { ...good, scope: scope(201) } })).scopes).toEqual(scopes.slice(0, 200));
  });

  it('reads scopes of 16,384 bytes at most', async () => {
    const scopes = ['a', 'b', 'c', 'd'].map((letter) => letter.repeat(4_096));
    expect((await after({ body: { ...good, scope: scopes.join(' ') } })).scopes).toEqual(scopes);
    expect((await after({ body: { ...good, scope: `${scopes.join(' ')}d` } })).scopes).toEqual(scopes.slice(0, 3));
  });

  it('may answer with 65,536 bytes, and not one more', async () => {
    const frame = JSON.stringify({ ...good, access_token: '' }).length;
    const answer = (bytes: number) => ({ body: { ...good, access_token: 't'.repeat(bytes - frame) } });
    expect(await after(answer(65_536))).toMatchObject({ status: 'connected' });
    expect(await after(answer(65_537))).toMatchObject({ status: 'disconnected', status_reason: 'exchange_failed' });
  });

  it.each<[string, unknown, number | null]>([
    ['a number', 60, 60],
    ['a fraction', 59.5, 59.5],
    ['a number in quotes', '3600', 3600],
    ['a word', 'soon', null],
    ['zero', 0, null],
    ['a negative number', -5, null],
    ['null', null, null],
    ['a list', [1], null],
    ['more than a date holds', 1e300, 3_155_760_000],
  ])('reads expires_in that is %s', async (_, expires_in, seconds) => {
    const { connected_at, expires_at, status } = await after({ body: { ...good, expires_in } });
    expect(status).toBe('connected');
    if (seconds === null) expect(expires_at).toBeNull();
    else expect(Math.abs(Date.parse(expires_at) - Date.parse(connected_at) - seconds * 1_000)).toBeLessThan(500);
  });

  const endless = (response: ServerResponse): void => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const write = (): void => {
      while (!response.destroyed && response.write(' '.repeat(65_536)));
      if (!response.destroyed) response.once('drain', write);
    };
    write();
  };

  it.each<[string, Answer | ((response: ServerResponse) => void)]>([
    ['status 500', { status: 500, body: good }],
    ['status 503 with invalid_grant', { status: 503, body: { error: 'invalid_grant' } }],
    ['an error', { status: 400, body: { error: 'invalid_grant' } }],
    ['an error with status 200', { body: { error: 'bad_verification_code' } }],
    ['an error beside a token', { body: { ...good, error: 'nearly' } }],
    ['ok: false with status 200', { body: { ok: false, error: 'invalid_code' } }],
    ['garbage', { body: '<html>Bad gateway</html>' }],
    ['nothing', { body: '' }],
    ['status 204', { status: 204 }],
    ['a list', { body: [good] }],
    ['a text', { body: '"token"' }],
    ['no access token', { body: { token_type: 'bearer' } }],
    ['an empty access token', { body: { ...good, access_token: '' } }],
    ['an access token that is a number', { body: { ...good, access_token: 7 } }],
    ['another token_type', { body: { ...good, token_type: 'mac' } }],
    ['a DPoP token', { body: { ...good, token_type: 'DPoP' } }],
    ['JSON 201 levels deep', { body: `{"access_token":"t","x":${'['.repeat(200)}${']'.repeat(200)}}` }],
    ['a redirect', { status: 307, headers: { location: 'http://localhost:9/' }, body: good }],
    ['a body without end', endless],
    ['a connection cut in the headers', (response) => void response.destroy()],
    [
      'a connection cut in the body',
      (response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': 500 });
        response.write('{"access_token":');
        setTimeout(() => response.destroy(), 20);
      },
    ],
  ])('ends the flow as exchange_failed by %s', async (_, answer) => {
    expect(await after(answer)).toMatchObject({
      status: 'disconnected',
      status_reason: 'exchange_failed',
      connected_at: null,
      version: 2,
    });
  });

  it('is awaited for 7 s, and exchange and identity together for no longer than 10 s', async () => {
    const flows = { slow: await world.start(), silent: await world.start(), late: await world.start() };
    world.provider.onToken = async (request) => {
      const code = request.form.get('code');
      if (code === 'silent') return silence(request, undefined as never);
      if (code === 'slow') await new Promise((resolve) => setTimeout(resolve, 7_000));
      return world.provider.issue(request.form);
    };
    // The identity of the late one never comes: the exchange was quick, so all but that is left of the 10 s.
    const held: (() => void)[] = [];
    world.provider.onIdentity = async () => {
      const user = held.length === 0 ? 'late' : 'slow';
      if (user === 'late') await new Promise<void>((resolve) => held.push(resolve));
      return { body: { data: { id: user, name: user } } };
    };
    const started = performance.now();
    const took = Object.fromEntries(
      await Promise.all(
        Object.entries(flows).map(async ([code, { state }]) => {
          await world.callback({ state, code });
          return [code, performance.now() - started] as const;
        }),
      ),
    );
    held.forEach((release) => release());
    const reasons = await Promise.all(Object.values(flows).map(async ({ id }) => (await world.get(id)).status_reason));
    expect(reasons).toEqual([undefined, 'exchange_failed', 'verification_failed']);
    for (const code of ['silent', 'late']) expect(took[code]).toBeGreaterThan(9_500);
  });

  it('holds no database connection or transaction while it does not respond', async () => {
    const released: PromiseWithResolvers<void> = Promise.withResolvers();
    world.provider.onToken = async ({ form }) => released.promise.then(() => world.provider.issue(form));
    const flows = await Promise.all(Array.from({ length: 8 }, () => world.start()));
    const landings = flows.map(({ state }) => world.callback({ state, code: 'a' }));
    await until(() => world.provider.tokenRequests.length === 8);
    // Jobs of the worker have one open for a moment, each; a flow would have it as long as the silence lasts.
    await until(async () => {
      const open = await world.server.db.query(
        `SELECT state, query FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
           AND (state LIKE 'idle in transaction%' OR xact_start IS NOT NULL)`,
      );
      return open.length === 0;
    });
    // More silent flows than connections in the pool, and the service still answers.
    expect((await world.client.rest('GET', '/integrations')).status).toBe(200);
    released.resolve();
    await Promise.all(landings);
  });
});
