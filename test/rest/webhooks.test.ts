import { serveHttp } from '../http/loopback.js';
import { Client } from '../support/http/client.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { until } from '../support/until.js';

const FIELDS = ['id', 'url', 'events', 'workflow_id', 'status', 'created_at'];
const DELIVERY_FIELDS = [
  'id',
  'type',
  'status',
  'attempts',
  'response_status',
  'next_attempt_at',
  'created_at',
  'completed_at',
];
const EVENTS = ['run.failed', 'integration.expired'];
const TARGET = 'http://127.0.0.1:9/hooks?source=us';

let server: TestServer;
let client: Client;

beforeAll(async () => {
  server = await startTestServer({ env: { ALLOW_PRIVATE_NETWORK: 'true', ROLES: 'api' } });
  client = new Client(server.baseUrl, await server.key());
});
afterAll(() => server.close());

const post = (body: object, as = client) => as.rest('POST', '/webhooks', { body });
const made = async (body: object = {}) => (await post({ url: TARGET, events: EVENTS, ...body })).body;

describe('POST /v1/webhooks', () => {
  it('answers 201 with an enabled webhook and the secret that Standard Webhooks wants', async () => {
    const { status, body } = await post({ url: TARGET, events: EVENTS });
    expect([status, Object.keys(body)]).toEqual([201, [...FIELDS, 'secret']]);
    expect(body).toMatchObject({ url: TARGET, events: EVENTS, workflow_id: null, status: 'enabled' });
    expect(body.id).toMatch(/^wh_[0-9a-z]{26}$/);
    expect(body.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(new Date(body.created_at).toISOString()).toBe(body.created_at);
  });

  it('ties a webhook to a workflow', async () => {
    const workflow = (await client.rest('POST', '/workflows', { body: { name: 'x' } })).body.id;
    const events = ['run.failed', 'workflow.updated'];
    const { id } = await made({ workflow_id: workflow, events });
    expect((await client.rest('GET', `/webhooks/${id}`)).body).toMatchObject({ workflow_id: workflow, events });
    expect(await made({ workflow_id: null })).toMatchObject({ workflow_id: null });
    expect((await post({ url: TARGET, events, workflow_id: 'wf_nonsense' })).status).toBe(404);
    const stranger = new Client(server.baseUrl, await server.key('read-write', 'stranger'));
    expect((await post({ url: TARGET, events, workflow_id: workflow }, stranger)).status).toBe(401);
  });

  it('refuses events of integrations for a webhook of one workflow, also when they are changed', async () => {
    const workflow = (await client.rest('POST', '/workflows', { body: { name: 'x' } })).body.id;
    const details = [{ field: 'events.1', message: expect.stringContaining('not about workflows') }];
    const refused = await post({ url: TARGET, events: EVENTS, workflow_id: workflow });
    expect(refused).toMatchObject({ status: 400, body: { code: 'validation_error', details } });
    const { id } = await made({ workflow_id: workflow, events: ['run.failed'] });
    const changed = await client.rest('PUT', `/webhooks/${id}`, { body: { url: `${TARGET}/new`, events: EVENTS } });
    expect(changed).toMatchObject({ status: 400, body: { code: 'validation_error', details } });
    expect((await client.rest('GET', `/webhooks/${id}`)).body).toMatchObject({ url: TARGET, events: ['run.failed'] });
  });

  it.each([
    [{ url: undefined }, 'url'],
    [{ url: null }, 'url'],
    [{ url: '' }, 'url'],
    [{ url: 7 }, 'url'],
    [{ url: 'nowhere' }, 'url'],
    [{ url: 'ftp://127.0.0.1/' }, 'url'],
    [{ url: 'http://user:pass@127.0.0.1/' }, 'url'],
    [{ url: `http://127.0.0.1/${'x'.repeat(2_000)}` }, 'url'],
    [{ url: 'http://nowhere.invalid/' }, 'url'],
    [{ events: undefined }, 'events'],
    [{ events: null }, 'events'],
    [{ events: [] }, 'events'],
    [{ events: 'run.failed' }, 'events'],
    [{ events: ['run.started'] }, 'events.0'],
    [{ events: ['run.failed', 'webhook.test'] }, 'events.1'],
    [{ events: ['run.failed', 'run.failed'] }, 'events.1'],
    [{ events: Array.from({ length: 100 }, () => 'run.failed') }, 'events'],
    [{ workflow_id: 7 }, 'workflow_id'],
  ])('refuses %j', async (fault, field) => {
    const { status, body } = await post({ url: TARGET, events: EVENTS, ...fault });
    expect([status, body.code, body.details?.map((detail: any) => detail.field)]).toEqual([
      400,
      'validation_error',
      [field],
    ]);
  });

  it('refuses the 51st of an account', async () => {
    const full = new Client(server.baseUrl, await server.key('read-write', 'full'));
    const answers = await Promise.all(Array.from({ length: 52 }, () => post({ url: TARGET, events: EVENTS }, full)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(50);
    expect(answers.find(({ status }) => status !== 201)).toMatchObject({
      status: 400,
      body: { code: 'validation_error' },
    });
  });
});

describe('the addresses of webhooks', () => {
  it('may not lead into private networks, neither when they are given nor when they are sent to', async () => {
    const guarded = await startTestServer({ env: { BASE_URL: 'http://gateway.test' } });
    const user = new Client(guarded.url, await guarded.key());
    for (const url of [
      'http://127.0.0.1/',
      'http://10.0.0.1/',
      'http://[::1]/',
      'http://localhost/',
      'http://2130706433/',
    ]) {
      expect(await post({ url, events: EVENTS }, user)).toMatchObject({
        status: 400,
        body: { details: [{ field: 'url' }] },
      });
    }
    // As if a name had led elsewhere when it was registered.
    await guarded.db.query(
      `INSERT INTO webhooks (id, account_id, url, host, events, secret, status, created_at)
       SELECT gen_random_uuid(), id, 'http://127.0.0.1:1/', '127.0.0.1:1', '{workflow.created}', '', 'disabled', now() FROM accounts`,
    );
    const [webhook] = (await user.rest('GET', '/webhooks')).body.data;
    const secret = await user.rest('POST', `/webhooks/${webhook.id}/rotate_secret`);
    expect(secret.status).toBe(200);
    await guarded.db.query(`UPDATE webhooks SET status = 'enabled'`);
    await user.rest('POST', `/webhooks/${webhook.id}/test`);
    const log = `query ($id: ID!) { webhook(id: $id) { deliveries { items { status error responseStatus } } } }`;
    const first = async () => (await user.graphql(log, { id: webhook.id })).body.data.webhook.deliveries.items[0];
    await until(async () => (await first()).status !== 'PENDING');
    expect(await first()).toEqual({
      status: 'FAILED',
      responseStatus: null,
      error: '127.0.0.1 is in a private or reserved network. ALLOW_PRIVATE_NETWORK=true allows that.',
    });
    await guarded.close();
  });

  it('may lead to this machine while BASE_URL does, when they are given and when they are sent to', async () => {
    const local = await startTestServer();
    const user = new Client(local.url, await local.key());
    const receiver = await serveHttp((_request, response) => response.end());
    const url = `http://localhost:${receiver.port}/`;
    const { status, body: webhook } = await post({ url, events: EVENTS }, user);
    expect(status).toBe(201);
    await user.rest('POST', `/webhooks/${webhook.id}/test`);
    const first = async () => (await user.rest('GET', `/webhooks/${webhook.id}/deliveries`)).body.data[0];
    await until(async () => (await first())?.status === 'succeeded');
    expect(await post({ url: 'http://10.0.0.1/', events: EVENTS }, user)).toMatchObject({
      status: 400,
      body: { details: [{ field: 'url', message: expect.stringContaining('ALLOW_PRIVATE_NETWORK') }] },
    });
    await receiver.close();
    await local.close();
  });
});

describe('GET /v1/webhooks', () => {
  it('lists newest first, without secrets', async () => {
    const own = new Client(server.baseUrl, await server.key('read-write', 'lister'));
    const [first, second] = [
      await post({ url: TARGET, events: EVENTS }, own),
      await post({ url: TARGET, events: EVENTS }, own),
    ];
    const { body } = await own.rest('GET', '/webhooks?per_page=1');
    const { secret: _, ...shown } = second.body;
    expect(body).toEqual({ data: [shown], meta: { total: 2, page: 1, per_page: 1 } });
    expect((await own.rest('GET', '/webhooks?page=2&per_page=1')).body.data[0].id).toBe(first.body.id);
  });
});

describe('GET /v1/webhooks/:id', () => {
  it('answers one, without its secret', async () => {
    const { secret: _, ...webhook } = await made();
    expect(await client.rest('GET', `/webhooks/${webhook.id}`)).toMatchObject({ status: 200, body: webhook });
    expect(Object.keys((await client.rest('GET', `/webhooks/${webhook.id}`)).body)).toEqual(FIELDS);
    expect((await client.rest('GET', '/webhooks/wh_nonsense')).status).toBe(404);
  });
});

describe('PUT /v1/webhooks/:id', () => {
  it('changes what is given', async () => {
    const { id, secret: _, ...webhook } = await made();
    const put = async (body: object) => (await client.rest('PUT', `/webhooks/${id}`, { body })).body;
    expect(await put({})).toEqual({ id, ...webhook });
    expect(await put({ status: 'disabled' })).toEqual({ id, ...webhook, status: 'disabled' });
    const url = 'http://127.0.0.1:10/';
    expect(await put({ url, events: ['run.succeeded'] })).toEqual({
      id,
      ...webhook,
      url,
      events: ['run.succeeded'],
      status: 'disabled',
    });
  });

  it.each([{ url: null }, { url: 'x' }, { events: [] }, { events: null }, { status: null }, { status: 'ENABLED' }])(
    'refuses %j',
    async (body) => {
      const { id } = await made();
      expect(await client.rest('PUT', `/webhooks/${id}`, { body })).toMatchObject({
        status: 400,
        body: { details: [{ field: Object.keys(body)[0] }] },
      });
    },
  );
});

describe('DELETE /v1/webhooks/:id', () => {
  it('answers 204, and then the webhook is gone', async () => {
    const { id } = await made();
    expect((await client.rest('DELETE', `/webhooks/${id}`)).status).toBe(204);
    expect((await client.rest('DELETE', `/webhooks/${id}`)).status).toBe(404);
    expect((await client.rest('GET', `/webhooks/${id}/deliveries`)).status).toBe(404);
  });
});

describe('GET /v1/webhooks/:id/deliveries', () => {
  it('lists newest first', async () => {
    const { id } = await made();
    const { status, body: first } = await client.rest('POST', `/webhooks/${id}/test`);
    expect([status, Object.keys(first)]).toEqual([202, ['delivery_id']]);
    const again = await client.rest('POST', `/webhooks/${id}/deliveries/${first.delivery_id}/redeliver`);
    expect([again.status, Object.keys(again.body)]).toEqual([202, ['delivery_id']]);
    const { body } = await client.rest('GET', `/webhooks/${id}/deliveries`);
    expect(body.meta).toEqual({ total: 2, page: 1, per_page: 20 });
    expect(body.data.map((delivery: any) => delivery.id)).toEqual([again.body.delivery_id, first.delivery_id]);
    expect(Object.keys(body.data[0])).toEqual(DELIVERY_FIELDS);
    expect(body.data[0]).toMatchObject({
      type: 'webhook.test',
      status: 'pending',
      attempts: 0,
      response_status: null,
      completed_at: null,
    });
    expect(body.data[0].next_attempt_at).toBe(body.data[0].created_at);
  });

  it('filters by status', async () => {
    const { id } = await made();
    const { delivery_id: ended } = (await client.rest('POST', `/webhooks/${id}/test`)).body;
    // Disabling a webhook ends what is pending.
    for (const status of ['disabled', 'enabled']) await client.rest('PUT', `/webhooks/${id}`, { body: { status } });
    const { delivery_id: pending } = (await client.rest('POST', `/webhooks/${id}/test`)).body;
    const list = (status: string) => client.rest('GET', `/webhooks/${id}/deliveries?status=${status}`);
    for (const [status, ids] of [
      ['pending', [pending]],
      ['failed', [ended]],
      ['succeeded', []],
    ] as const) {
      const { body } = await list(status);
      expect([status, body.data.map((delivery: any) => delivery.id), body.meta.total]).toEqual([
        status,
        ids,
        ids.length,
      ]);
    }
    expect(await list('PENDING')).toMatchObject({ status: 400, body: { details: [{ field: 'status' }] } });
  });
});
