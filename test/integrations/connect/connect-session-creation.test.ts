import { Client } from '../../support/http/client.js';
import { appsOf } from '../world.js';
import { SessionWorld, SHOP } from './session-world.js';

const UNKNOWN = 'int_01h455vb4pex5vsknk084sn02q';

let world: SessionWorld;
let stranger: Client;
beforeAll(async () => {
  world = await SessionWorld.open({
    apps: appsOf([
      {
        type: 'tenant_app',
        name: 'Tenant App',
        auth: {
          kind: 'api_key',
          placement: { in: 'header', name: 'Authorization', prefix: 'Bearer ' },
          verify: { method: 'GET', url: 'https://{tenant}.example/me', ok: [200] },
        },
        api_base_url: 'https://{tenant}.example',
        parameters: { tenant: { description: 'Your subdomain', pattern: '^[a-z]{1,9}$' } },
      },
    ]),
  });
  stranger = new Client(world.server.baseUrl, await world.server.key('read-write', 'stranger'));
});
afterAll(() => world.close());

const create = (body: Record<string, unknown>, client = world.owner) =>
  client.rest('POST', '/connect_sessions', { body });

describe('POST /v1/connect_sessions', () => {
  it('returns a token, a page and their expiry', async () => {
    const before = world.server.clock.now().getTime();
    const { status, body } = await create({
      type: 'sandbox_oauth',
      label: 'a',
      reference: 'b',
      return_url: `${SHOP}/x`,
    });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^cs_[0-9a-z]{26}$/),
      token: expect.stringMatching(/^wfs_[0-9A-Za-z]{38}$/),
      connect_url: expect.stringMatching(/^http:\/\/localhost:\d+\/connect\/[0-9A-Za-z]{38}$/),
      expires_at: expect.any(String),
    });
    const life = Date.parse(body.expires_at as string) - before;
    expect(life).toBeGreaterThanOrEqual(1_800_000);
    expect(life).toBeLessThan(1_830_000);
  });

  it.each([
    [{}],
    [{ type: null, integration_id: null, label: null, reference: null, parameters: null, return_url: null }],
    [{ expires_in: null }],
    [{ expires_in: 60 }],
    [{ expires_in: 3600 }],
    [{ label: 'é'.repeat(255), reference: 'x'.repeat(255) }],
    [{ type: 'sandbox_api_key' }],
    [{ type: 'tenant_app' }],
    [{ type: 'tenant_app', parameters: { tenant: 'acme' } }],
    [{ parameters: { whatever: 'fits some type' } }],
  ])('takes %j', async (body) => {
    expect((await create(body)).status).toBe(201);
  });

  it.each([
    ['type', { type: 'no_such_app' }],
    ['type', { type: '' }],
    ['type', { type: 7 }],
    ['expires_in', { expires_in: 59 }],
    ['expires_in', { expires_in: 3601 }],
    ['expires_in', { expires_in: 90.5 }],
    ['expires_in', { expires_in: '60' }],
    ['label', { integration_id: UNKNOWN, label: 'a' }],
    ['reference', { integration_id: UNKNOWN, reference: 'a' }],
    ['label', { label: '' }],
    ['label', { label: 'x'.repeat(256) }],
    ['label', { label: 'a\0' }],
    ['reference', { reference: '' }],
    ['reference', { reference: 'x'.repeat(256) }],
    ['return_url', { return_url: 'https://evil.example/' }],
    ['return_url', { return_url: 'javascript:alert(1)' }],
    ['return_url', { return_url: '/done' }],
    ['parameters', { parameters: [] }],
    ['parameters.tenant', { type: 'tenant_app', parameters: {} }],
    ['parameters.tenant', { type: 'tenant_app', parameters: { tenant: 'A.b' } }],
    ['parameters.other', { type: 'tenant_app', parameters: { tenant: 'a', other: 'b' } }],
  ])('refuses a bad %s: %j', async (field, body) => {
    const answer = await create(body);
    expect([answer.status, answer.body.code, answer.body.details?.[0].field]).toEqual([400, 'validation_error', field]);
  });

  it('refuses an integration that is foreign (401), unknown (404) or of another type (400)', async () => {
    const [own, foreign] = [await world.connected(), await world.connected(stranger)];
    expect((await create({ integration_id: own })).status).toBe(201);
    expect((await create({ integration_id: own, type: 'sandbox_api_key' })).status).toBe(201);
    expect((await create({ integration_id: foreign })).status).toBe(401);
    for (const id of [UNKNOWN, 'nonsense', '']) {
      expect((await create({ integration_id: id })).status).toBe(404);
    }
    const { status, body } = await create({ integration_id: own, type: 'sandbox_oauth' });
    expect([status, body.details[0].field]).toEqual([400, 'type']);
  });

  it('refuses an application that the operator has not configured', async () => {
    const { status, body } = await create({ type: 'slack' });
    expect([status, body.code]).toEqual([409, 'conflict']);
  });

  it('needs a read-write key', async () => {
    const reader = new Client(world.server.baseUrl, await world.server.key('read-only'));
    expect((await create({}, reader)).status).toBe(403);
    expect((await create({}, new Client(world.server.baseUrl))).status).toBe(401);
    const { token } = await world.session({});
    expect((await create({}, new Client(world.server.baseUrl, token))).status).toBe(403);
  });
});

describe('createConnectSession', () => {
  it('is the same in GraphQL', async () => {
    const { body } = await world.owner.graphql(
      `mutation { createConnectSession(input: { type: "sandbox_oauth", expiresIn: 90 }) { id token connectUrl expiresAt } }`,
    );
    const { id, token, connectUrl, expiresAt } = body.data.createConnectSession;
    expect([id, token, connectUrl]).toEqual([
      expect.stringMatching(/^cs_/),
      expect.stringMatching(/^wfs_/),
      expect.stringContaining('/connect/'),
    ]);
    expect(Date.parse(expiresAt as string) - world.server.clock.now().getTime()).toBeLessThanOrEqual(90_000);
    const refused = await world.owner.graphql(
      `mutation { createConnectSession(input: { returnUrl: "https://evil.example" }) { id } }`,
    );
    expect(refused.body.errors![0].extensions).toEqual({
      code: 'VALIDATION_ERROR',
      details: [{ field: 'returnUrl', message: expect.any(String) }],
      requestId: expect.any(String),
    });
  });
});

describe('a session that fixes parameters of its type', () => {
  it('accepts no others', async () => {
    const { client } = await world.browser({ type: 'tenant_app', parameters: { tenant: 'acme' } });
    const body = { type: 'tenant_app', parameters: { tenant: 'BAD' }, credentials: { api_key: 'k' } };
    // The application is unreachable, so the URL was accepted.
    expect((await client.rest('POST', '/integrations/connect', { body })).status).toBe(502);
    const open = await world.browser({ type: 'tenant_app' });
    expect((await open.client.rest('POST', '/integrations/connect', { body })).status).toBe(400);
  });
});

describe('expired sessions', () => {
  it('are removed, and stay refused', async () => {
    const { client } = await world.browser({ expires_in: 60 });
    await world.server.advance(60_000);
    await world.server.db.query('DELETE FROM connect_sessions WHERE expires_at <= clock_now()');
    expect((await client.rest('GET', '/integration_types')).status).toBe(401);
  });
});
