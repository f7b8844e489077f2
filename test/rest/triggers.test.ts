import { Client } from '../support/http/client.js';
import { startTestServer, type TestServer } from '../support/server.js';

const FIELDS = ['id', 'workflow_id', 'type', 'config', 'status', 'created_at'];
const WEBHOOK_FIELDS = ['id', 'workflow_id', 'type', 'config', 'status', 'webhook_url', 'created_at'];

let server: TestServer;
let client: Client;
let workflowId: string;

beforeAll(async () => {
  server = await startTestServer();
  client = new Client(server.baseUrl, await server.key());
  workflowId = (await client.rest('POST', '/workflows', { body: { name: 'x' } })).body.id;
  const credentials = { api_key: 'sandbox_valid_key' };
  await client.rest('POST', '/integrations/connect', { body: { type: 'sandbox_api_key', credentials } });
});
afterAll(() => server.close());

const post = (body: object) => client.rest('POST', '/triggers', { body: { workflow_id: workflowId, ...body } });

describe('POST /v1/triggers', () => {
  it.each([
    ['schedule', { cron: '*/5 * * * *', timezone: 'Europe/Berlin' }],
    ['app_event', { event: 'item.created', filter: { 'a.b': 1 } }],
    ['manual', { note: 'mine' }],
  ])('answers 201 with an active %s trigger, its config as sent and no webhook_url', async (type, config) => {
    const { status, body } = await post({ type, config });
    expect([status, Object.keys(body)]).toEqual([201, FIELDS]);
    expect(body).toMatchObject({ workflow_id: workflowId, type, config, status: 'active' });
    expect(body.id).toMatch(/^trg_[0-9a-z]{26}$/);
    expect(new Date(body.created_at).toISOString()).toBe(body.created_at);
  });

  it('answers a webhook trigger with an address of its own', async () => {
    const [one, two] = [await post({ type: 'webhook' }), await post({ type: 'webhook', config: null })];
    for (const { status, body } of [one, two]) {
      expect([status, Object.keys(body), body.config]).toEqual([201, WEBHOOK_FIELDS, {}]);
      expect(body.webhook_url.slice(0, server.baseUrl.length)).toBe(server.baseUrl);
      expect(body.webhook_url.slice(server.baseUrl.length)).toMatch(/^\/hooks\/[A-Za-z0-9_-]{43}$/);
    }
    expect(one.body.webhook_url).not.toBe(two.body.webhook_url);
  });

  it.each([
    [{}, 'type'],
    [{ type: null }, 'type'],
    [{ type: 'SCHEDULE' }, 'type'],
    [{ type: 'cron' }, 'type'],
    [{ type: 'webhook', workflow_id: undefined }, 'workflow_id'],
    [{ type: 'webhook', workflow_id: null }, 'workflow_id'],
    [{ type: 'webhook', workflow_id: 5 }, 'workflow_id'],
    [{ type: 'manual', config: [] }, 'config'],
    [{ type: 'manual', config: 'x' }, 'config'],
    [{ type: 'schedule' }, 'config.cron'],
    [{ type: 'schedule', config: {} }, 'config.cron'],
    [{ type: 'schedule', config: { cron: '0 0 1 1 * *' } }, 'config.cron'],
    [{ type: 'schedule', config: { cron: '@daily' } }, 'config.cron'],
    [{ type: 'schedule', config: { cron: '0 0 31 2 *' } }, 'config.cron'],
    [{ type: 'schedule', config: { cron: '0 0 * * *', timezone: 'Mars/Olympus' } }, 'config.timezone'],
    [{ type: 'schedule', config: { cron: '0 0 * * *', catch_up: 'all' } }, 'config.catch_up'],
    [{ type: 'app_event' }, 'config.event'],
    [{ type: 'app_event', config: { event: 'nothing.happened' } }, 'config.event'],
    [{ type: 'app_event', config: { event: 'contact.created' } }, 'config.event'],
  ])('refuses %j', async (body, field) => {
    expect(await post(body)).toMatchObject({ status: 400, body: { code: 'validation_error', details: [{ field }] } });
  });

  it('answers 404 for an unknown workflow or integration, and refuses those of others', async () => {
    const other = new Client(server.baseUrl, await server.key('read-write', 'other'));
    const foreign = (await other.rest('POST', '/workflows', { body: { name: 'theirs' } })).body.id;
    const connect = { type: 'sandbox_api_key', credentials: { api_key: 'sandbox_valid_key' } };
    const integration = (await other.rest('POST', '/integrations/connect', { body: connect })).body.id;
    const config = (integration_id: string) => ({ config: { event: 'item.created', integration_id } });
    expect((await post({ type: 'manual', workflow_id: foreign })).status).toBe(401);
    expect((await post({ type: 'app_event', ...config(integration) })).status).toBe(401);
    expect((await post({ type: 'manual', workflow_id: 'wf_01h455vb4pex5vsknk084sn02q' })).status).toBe(404);
    expect((await post({ type: 'app_event', ...config('int_01h455vb4pex5vsknk084sn02q') })).status).toBe(404);
    expect((await post({ type: 'app_event', ...config('nonsense') })).status).toBe(404);
  });
});

describe('one trigger', () => {
  it('is read, changed and deleted', async () => {
    const made = (await post({ type: 'webhook', config: { b: 1, a: 2 } })).body;
    const one = `/triggers/${made.id}`;
    expect(JSON.stringify((await client.rest('GET', one)).body)).toBe(JSON.stringify(made));
    const changed = await client.rest('PUT', one, { body: { config: { c: [] }, status: 'paused' } });
    expect([changed.status, changed.body]).toEqual([200, { ...made, config: { c: [] }, status: 'paused' }]);
    expect((await client.rest('PUT', one, { body: {} })).body).toEqual(changed.body);
    expect((await client.rest('PUT', one)).body).toEqual(changed.body);
    const deleted = await client.rest('DELETE', one);
    expect([deleted.status, deleted.body]).toEqual([204, undefined]);
    for (const method of ['GET', 'PUT', 'DELETE']) expect((await client.rest(method, one)).status).toBe(404);
  });

  it('has next_fire_at if it is a schedule: null while nothing will fire it', async () => {
    const config = { cron: '0 9 * * *', timezone: 'Europe/Zurich' };
    const { id } = (await post({ type: 'schedule', config })).body;
    const one = async () => (await client.rest('GET', `/triggers/${id}`)).body;
    expect(await one()).toMatchObject({ type: 'schedule', next_fire_at: null });
    await client.rest('PUT', `/workflows/${workflowId}`, { body: { status: 'active' } });
    const { next_fire_at: next } = await one();
    expect(next).toMatch(/^\d{4}-\d\d-\d\dT0[78]:00:00\.000Z$/);
    expect(Date.parse(next)).toBeGreaterThan(server.clock.now().getTime());
    const listed = (await client.rest('GET', `/triggers?workflow_id=${workflowId}&type=schedule`)).body.data;
    expect(Object.keys(listed[0])).toEqual(FIELDS);
  });

  it.each([
    [{ status: 'error' }, 'status'],
    [{ status: null }, 'status'],
    [{ status: 'ACTIVE' }, 'status'],
    [{ config: null }, 'config'],
    [{ config: [] }, 'config'],
    [{ config: { secret: '' } }, 'config.secret'],
  ])('refuses the change %j and stays as it is', async (body, field) => {
    const made = (await post({ type: 'webhook', config: { secret: 's' } })).body;
    const answer = await client.rest('PUT', `/triggers/${made.id}`, { body: { ...body } });
    expect(answer).toMatchObject({ status: 400, body: { code: 'validation_error', details: [{ field }] } });
    expect((await client.rest('GET', `/triggers/${made.id}`)).body).toEqual(made);
  });
});

describe('GET /v1/triggers', () => {
  it('lists newest first, filtered by workflow and type, as single objects are', async () => {
    const workflow = (await client.rest('POST', '/workflows', { body: { name: 'listed' } })).body.id;
    const made = [];
    for (const type of ['manual', 'webhook', 'manual'])
      made.unshift((await post({ workflow_id: workflow, type })).body);
    const list = (query: string) => client.rest('GET', `/triggers?workflow_id=${workflow}${query}`);
    const { status, body } = await list('');
    expect([status, Object.keys(body)]).toEqual([200, ['data', 'meta']]);
    expect(JSON.stringify(body.data)).toBe(JSON.stringify(made));
    expect(body.meta).toEqual({ total: 3, page: 1, per_page: 20 });
    expect((await list('&type=webhook')).body).toEqual({ data: [made[1]], meta: { total: 1, page: 1, per_page: 20 } });
    expect((await list('&page=2&per_page=2')).body).toEqual({
      data: [made[2]],
      meta: { total: 3, page: 2, per_page: 2 },
    });
    expect((await list('&page=9')).body.data).toEqual([]);
  });

  it('matches nothing for a foreign or unknown workflow', async () => {
    const other = new Client(server.baseUrl, await server.key('read-write', 'other'));
    for (const id of [workflowId, 'wf_01h455vb4pex5vsknk084sn02q', 'nonsense']) {
      expect(await other.rest('GET', `/triggers?workflow_id=${id}`)).toMatchObject({ status: 200, body: { data: [] } });
    }
  });
});
