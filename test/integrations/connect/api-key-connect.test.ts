import { IntegrationWorld } from '../world.js';

describe('POST /v1/integrations/connect with an API key', () => {
  let world: IntegrationWorld;

  beforeAll(async () => {
    world = await IntegrationWorld.open({ env: { CORS_ORIGINS: 'https://app.example' } });
  });
  beforeEach(() => world.provider.reset());
  afterAll(() => world.close());

  const connect = (body: Record<string, unknown>) =>
    world.post('/integrations/connect', { type: 'key_app', credentials: { api_key: 'good-ada' }, ...body });
  const total = async () => (await world.client.rest('GET', '/integrations?per_page=1')).body.meta.total as number;
  const fieldsOf = (body: any) => body.details?.map(({ field }: { field: string }) => field);

  it('answers 201 with the six documented fields', async () => {
    const { status, body } = await connect({});
    expect([status, body]).toEqual([
      201,
      {
        id: expect.stringMatching(/^int_/),
        type: 'key_app',
        name: 'key_app',
        status: 'connected',
        connected_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        expires_at: null,
      },
    ]);
    expect(await world.get(body.id as string)).toEqual({
      ...body,
      version: 1,
      account: { id: 'ada', name: 'ada@app.test' },
      renews: false,
    });
    expect(await world.history(body.id as string)).toEqual(['>connected:connected']);
  });

  it('writes an account id that is a number as text', async () => {
    const { body } = await connect({ credentials: { api_key: 'good' } });
    expect((await world.get(body.id as string)).account).toEqual({ id: '42', name: 'undefined@app.test' });
  });

  it('accepts a label of 1 and of 255 characters, counted in code points, untrimmed', async () => {
    for (const label of ['x', ' ', '🙂'.repeat(255), ' a ']) {
      const { status, body } = await connect({ label });
      expect([status, body.name]).toEqual([201, label]);
    }
  });

  it('keeps the reference, by which lists filter', async () => {
    const { body } = await connect({ reference: 'user 7/ü' });
    expect(await world.get(body.id as string)).toMatchObject({ reference: 'user 7/ü' });
    await connect({ reference: 'user 8' });
    const found = await world.client.rest('GET', `/integrations?reference=${encodeURIComponent('user 7/ü')}`);
    expect([found.body.meta.total, found.body.data[0].id]).toEqual([1, body.id]);
  });

  it.each([400, 401, 403])('answers 422 and stores nothing when the application answers %i', async (status) => {
    world.provider.onVerify = () => ({ status });
    const before = await total();
    const answer = await connect({});
    expect([answer.status, answer.body.code]).toEqual([422, 'invalid_credentials']);
    expect(await total()).toBe(before);
  });

  it.each([500, 503, 404, 429, 302, 204])(
    'answers 502 and stores nothing when the application says %i',
    async (status) => {
      world.provider.onVerify = () => ({ status, headers: { location: `${world.provider.url}/me` } });
      const before = await total();
      const answer = await connect({});
      expect([answer.status, answer.body.code]).toEqual([502, 'provider_unavailable']);
      expect(await total()).toBe(before);
    },
  );

  it('answers 502 and stores nothing when the application does not respond within 5 s, or is unreachable', async () => {
    world.provider.onVerify = () => new Promise<never>(() => undefined);
    const before = await total();
    const [silent, away] = await Promise.all([connect({}), connect({ type: 'lost_app' })]);
    expect([silent.status, silent.body.code]).toEqual([502, 'provider_unavailable']);
    expect([away.status, away.body.code]).toEqual([502, 'provider_unavailable']);
    expect(await total()).toBe(before);
  });

  it.each([
    ['no credentials', { credentials: undefined }, ['credentials']],
    ['null credentials', { credentials: null }, ['credentials']],
    ['credentials that are a text', { credentials: 'good' }, ['credentials']],
    ['credentials that are a list', { credentials: ['good'] }, ['credentials']],
    ['no key in them', { credentials: {} }, ['credentials.api_key']],
    ['a key that is a number', { credentials: { api_key: 7 } }, ['credentials.api_key']],
    ['an empty key', { credentials: { api_key: '' } }, ['credentials.api_key']],
    ['a key with NUL', { credentials: { api_key: 'good\0' } }, ['credentials.api_key']],
    ['a key with a lone surrogate', { credentials: { api_key: 'good\ud800' } }, ['credentials.api_key']],
    ['a key of 4,097 characters', { credentials: { api_key: 'g'.repeat(4097) } }, ['credentials.api_key']],
    ['an unknown type', { type: 'no_such_app' }, ['type']],
    ['no type', { type: undefined }, ['type']],
    ['an empty label', { label: '' }, ['label']],
    ['a label of 256 characters', { label: 'x'.repeat(256) }, ['label']],
    ['a label with NUL', { label: 'a\0b' }, ['label']],
    ['an empty reference', { reference: '' }, ['reference']],
    ['a reference of 256 characters', { reference: 'x'.repeat(256) }, ['reference']],
    ['a parameter that the app does not have', { parameters: { tenant: 'x' } }, ['parameters.tenant']],
    ['a missing parameter', { type: 'tenant_app', credentials: undefined }, ['parameters.tenant']],
    [
      'a parameter outside its pattern',
      { type: 'tenant_app', credentials: null, parameters: { tenant: 'A1' } },
      ['parameters.tenant'],
    ],
    ['credentials for an OAuth type', { type: 'oauth_app' }, ['credentials']],
  ])('answers 400 to %s', async (_, body, fields) => {
    const before = await total();
    const answer = await connect(body);
    expect([answer.status, answer.body.code, fieldsOf(answer.body)]).toEqual([400, 'validation_error', fields]);
    expect(await total()).toBe(before);
  });

  it('answers 422 to a key that cannot be sent in a header', async () => {
    const answer = await connect({ credentials: { api_key: 'good\nX-Admin: 1' } });
    expect([answer.status, answer.body.code]).toEqual([422, 'invalid_credentials']);
  });

  it('answers 409 for an OAuth type without a client', async () => {
    const answer = await world.post('/integrations/connect', { type: 'google_calendar' });
    expect([answer.status, answer.body.code]).toEqual([409, 'conflict']);
  });

  it.each(['https://app.example/done?x=1', 'https://app.example', '/done'])(
    'validates the return_url %s by its origin',
    async (url) => {
      const isOurs = url.startsWith('/');
      const address = isOurs ? world.server.baseUrl + url : url;
      const { status } = await world.post('/integrations/connect', { type: 'oauth_app', return_url: address });
      expect(status).toBe(200);
    },
  );

  it.each([
    'https://evil.example/',
    'https://app.example.evil.example/',
    'https://app.example@evil.example/',
    'https://user:pass@app.example/',
    'http://app.example/',
    'https://app.example:444/',
    'blob:https://app.example/7d4d',
    'javascript:alert(1)//https://app.example',
    '/relative',
    'null',
    '',
  ])('answers 400 to the return_url %j', async (return_url) => {
    const answer = await world.post('/integrations/connect', { type: 'oauth_app', return_url });
    expect([answer.status, fieldsOf(answer.body)]).toEqual([400, ['return_url']]);
  });

  it('reconnects with a new key, and keeps id, label and position', async () => {
    const { body } = await connect({ label: 'Mine' });
    await world.post(`/integrations/${body.id}/disconnect`);
    const again = await world.post(`/integrations/${body.id}/reconnect`, { credentials: { api_key: 'good-ada' } });
    expect([again.status, again.body]).toMatchObject([
      200,
      { id: body.id, name: 'Mine', status: 'connected', version: 3, account: { id: 'ada' } },
    ]);
    expect(await world.history(body.id as string)).toEqual([
      '>connected:connected',
      'connected>disconnected:disconnected_by_user',
      'disconnected>connected:reconnected',
    ]);
  });

  it('refuses another account’s key, a bad one and none in reconnect, and changes nothing', async () => {
    const { body } = await connect({});
    const reconnect = (call: unknown) => world.post(`/integrations/${body.id}/reconnect`, call);
    expect((await reconnect({ credentials: { api_key: 'good-bob' } })).status).toBe(409);
    expect((await reconnect({ credentials: { api_key: 'bad' } })).status).toBe(422);
    expect((await reconnect({})).status).toBe(400);
    expect(await world.get(body.id as string)).toMatchObject({
      status: 'connected',
      version: 1,
      account: { id: 'ada' },
    });
    expect((await world.post(`/integrations/${body.id}/test`)).body).toEqual({ ok: true, reason: null });
  });

  it('disconnects in a test only if the application no longer accepts the key', async () => {
    const { body } = await connect({});
    const test = async () => (await world.post(`/integrations/${body.id}/test`)).body;
    world.provider.onVerify = () => ({ status: 500 });
    expect(await test()).toEqual({ ok: false, reason: 'provider_unavailable' });
    expect(await world.get(body.id as string)).toMatchObject({ status: 'connected', version: 1 });
    world.provider.onVerify = () => ({ status: 401 });
    expect(await test()).toEqual({ ok: false, reason: 'key_refused' });
    expect(await world.get(body.id as string)).toMatchObject({
      status: 'disconnected',
      status_reason: 'key_refused',
      version: 2,
    });
    const [row] = await world.server.db.query(
      `SELECT credentials FROM integrations WHERE status_reason = 'key_refused'`,
    );
    expect(row).toEqual({ credentials: null });
    expect(await test()).toEqual({ ok: false, reason: 'disconnected' });
  });

  it('keeps a key that replaced the old one during its refusal', async () => {
    const { body } = await connect({});
    let reconnected: Promise<unknown> | undefined;
    world.provider.onVerify = async () => {
      if (reconnected !== undefined) return { status: 200 };
      reconnected = world.post(`/integrations/${body.id}/reconnect`, { credentials: { api_key: 'good-ada' } });
      await reconnected;
      return { status: 401 };
    };
    expect((await world.post(`/integrations/${body.id}/test`)).body).toEqual({ ok: true, reason: null });
    expect(await world.get(body.id as string)).toMatchObject({ status: 'connected', version: 2 });
  });

  it('is 404 for every operation after its deletion', async () => {
    const { body } = await connect({});
    expect((await world.client.rest('DELETE', `/integrations/${body.id}`)).status).toBe(204);
    const statuses = await Promise.all([
      world.client.rest('GET', `/integrations/${body.id}`),
      world.client.rest('DELETE', `/integrations/${body.id}`),
      ...['reconnect', 'disconnect', 'test'].map((verb) => world.post(`/integrations/${body.id}/${verb}`)),
    ]);
    expect(statuses.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
  });
});
