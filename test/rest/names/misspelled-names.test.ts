import { Client } from '../../support/http/client.js';
import { startTestServer, type TestServer } from '../../support/server.js';

let server: TestServer;
let client: Client;

beforeAll(async () => {
  server = await startTestServer({ env: { ROLES: 'api', CORS_ORIGINS: 'https://app.example' } });
  client = new Client(server.baseUrl, await server.key());
});
afterAll(() => server.close());

const STRICT = { prefer: 'handling=strict' };

/** The refused fields of a request with their messages; a status that is not 400 instead. */
async function refused(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
  const answer = await client.rest(method, path, { body, headers });
  if (answer.status !== 400) return answer.status;
  return Object.fromEntries(
    (answer.body.details as { field: string; message: string }[]).map(({ field, message }) => [field, message]),
  );
}
const made = async () => (await client.rest('POST', '/workflows', { body: { name: 'w' } })).body.id as string;
const meant = (name: string) => `is unknown; did you mean ${name}?`;

describe('a misspelled name', () => {
  it('is refused in a query', async () => {
    expect(await refused('GET', '/workflows?statuss=active')).toEqual({ statuss: meant('status') });
    expect(await refused('GET', '/workflows?Per-Page=1')).toEqual({ 'Per-Page': meant('per_page') });
    expect((await client.rest('HEAD', '/workflows?statuss=active')).status).toBe(400);
    expect(await refused('GET', '/workflows?status=active&statuss=active')).toBe(200);
  });

  it('is refused in a body, and nothing changes', async () => {
    const id = await made();
    expect(await refused('PUT', `/workflows/${id}`, { stauts: 'paused', nmae: 'x' })).toEqual({
      stauts: meant('status'),
      nmae: meant('name'),
    });
    expect((await client.rest('GET', `/workflows/${id}`)).body.name).toBe('w');
    expect(await refused('POST', '/workflows', { Name: 'w' })).toEqual({ Name: meant('name'), name: 'is required' });
    const { body } = await client.rest('GET', '/workflows?per_page=100');
    expect((body.data as { name: string }[]).filter(({ name }) => name !== 'w')).toEqual([]);
  });

  it('is refused together with the other faults of the body', async () => {
    expect(await refused('POST', '/workflows', { name: 7, descriptoin: 'x' })).toEqual({
      descriptoin: meant('description'),
      name: 'must be a text',
    });
  });

  it('is refused in an object of a config, over both doors', async () => {
    const connection = { type: 'sandbox_api_key', refrence: 'a', if_missing: 'wait' };
    const config = { connection, method: 'GET', path: '/x' };
    const path = `/workflows/${await made()}/actions`;
    const near = { 'actions.0.config.connection.refrence': meant('reference') };
    const missing = { 'actions.0.config.connection.reference': 'is required' };
    const put = (headers = {}) =>
      refused('PUT', path, { actions: [{ name: 'a', kind: 'app_request', config }] }, headers);
    expect(await put()).toEqual({ ...near, ...missing });
    Object.assign(connection, { reference: 'a', refrence: undefined });
    expect(await put(STRICT)).toEqual({ 'actions.0.config.connection.if_missing': 'is unknown' });
    const { headers } = await client.rest('PUT', path, {
      body: { actions: [{ name: 'a', kind: 'app_request', config }] },
    });
    expect(headers.get('ignored-fields')).toBe('actions.0.config.connection.if_missing');
    const variables = { id: path.split('/')[2], actions: [{ name: 'a', kind: 'APP_REQUEST', config }] };
    const query = `mutation ($id: ID!, $actions: [ActionInput!]!) { setWorkflowActions(workflowId: $id, actions: $actions) { id } }`;
    const over = await client.send('POST', '/graphql', { body: JSON.stringify({ query, variables }) });
    expect(over.headers.get('ignored-fields')).toBe('actions.0.config.connection.if_missing');
    Object.assign(config, { connection: { type: 'sandbox_api_key', reference: 'a' }, wait_seconds: 100 });
    expect(await put()).toEqual({ 'actions.0.config.wait_seconds': 'needs if_missing: "wait"' });
    Object.assign(config, { if_missing: 'wait' });
    expect(await put()).toBe(200);
  });

  it('is refused where its field is nested', async () => {
    const actions = [{ name: 'a', knid: 'delay', config: { seconds: 1 } }];
    expect(await refused('PUT', `/workflows/${await made()}/actions`, { actions })).toEqual({
      'actions.0.knid': meant('kind'),
      'actions.0.kind': 'is required',
    });
  });

  it('is refused in the config of a trigger, on both doors and in a change', async () => {
    const workflow_id = await made();
    const config = { cron: '0 9 * * *', tz: 'Europe/Berlin' };
    const fault = { 'config.tz': meant('timezone') };
    expect(await refused('POST', '/triggers', { workflow_id, type: 'schedule', config })).toEqual(fault);
    const { body: answer } = await client.graphql(
      `mutation ($input: CreateTriggerInput!) { createTrigger(input: $input) { id } }`,
      { input: { workflowId: workflow_id, type: 'SCHEDULE', config } },
    );
    expect(answer.errors![0].extensions.details).toEqual([{ field: 'config.tz', message: meant('timezone') }]);
    const { body } = await client.rest('POST', '/triggers', {
      body: { workflow_id, type: 'schedule', config: { cron: '0 9 * * *' } },
    });
    expect(await refused('PUT', `/triggers/${body.id as string}`, { config })).toEqual(fault);
    const hook = await client.rest('POST', '/triggers', {
      body: { workflow_id, type: 'webhook', config: { secret: 'old' } },
    });
    expect(await refused('PUT', `/triggers/${hook.body.id as string}`, { config: { Secret: 'new' } })).toEqual({
      'config.Secret': meant('secret'),
    });
    const both = { cron: 'x', time_zone: 'Europe/Berlin' };
    expect(Object.keys((await refused('PUT', `/triggers/${body.id as string}`, { config: both })) as object)).toEqual([
      'config.time_zone',
      'config.cron',
    ]);
  });

  it('is taken in the config of a manual trigger, which holds anything', async () => {
    const trigger = { workflow_id: await made(), type: 'manual', config: { tz: 'x', timezon: 'x' } };
    expect(await refused('POST', '/triggers', trigger, STRICT)).toBe(201);
  });

  it('is refused in the config of an action, but not in what it passes on', async () => {
    const path = `/workflows/${await made()}/actions`;
    const of = (config: object) => ({ actions: [{ name: 'a', kind: 'http_request', config }] });
    expect(await refused('PUT', path, of({ url: 'https://a.example', method: 'POST', header: {} }))).toEqual({
      'actions.0.config.header': meant('headers'),
    });
    expect(
      await refused('PUT', path, of({ url: 'https://a.example', method: 'POST', body: { header: 1 } }), STRICT),
    ).toBe(200);
  });

  it('stays in a stored config that the client does not change', async () => {
    const { body } = await client.rest('POST', '/triggers', {
      body: { workflow_id: await made(), type: 'schedule', config: { cron: '0 9 * * *' } },
    });
    const path = `/triggers/${body.id as string}`;
    const old = { cron: '0 9 * * *', time_zone: 'Europe/Berlin' };
    await server.db.query('UPDATE triggers SET config = $1', [old]);
    expect(await refused('PUT', path, { status: 'paused' })).toBe(200);
    expect(await refused('PUT', path, { config: old, status: 'active' })).toBe(200);
  });
});

describe('a query parameter that is given more than once', () => {
  it('is refused', async () => {
    const fault = 'must not be given more than once';
    expect(await refused('GET', '/workflows?status=active&status=draft')).toEqual({ status: fault });
    expect(await refused('DELETE', `/workflows/${await made()}?x=1&x=1&x=2`)).toEqual({ x: fault });
  });
});

describe('Prefer: handling=strict', () => {
  it('refuses every unknown name, and says that it did', async () => {
    expect(await refused('GET', '/workflows?q=x', undefined, STRICT)).toEqual({ q: 'is unknown' });
    expect(await refused('GET', `/workflows/${await made()}?q=x`, undefined, STRICT)).toEqual({ q: 'is unknown' });
    const workflow_id = await made();
    const config = { cron: '0 9 * * *', note: 'x' };
    const trigger = { workflow_id, type: 'schedule', config, owner: 'x' };
    expect(await refused('POST', '/triggers', trigger, STRICT)).toEqual({ owner: 'is unknown' });
    expect(await refused('POST', '/triggers', { ...trigger, owner: undefined }, STRICT)).toEqual({
      'config.note': 'is unknown',
    });
    const actions = [{ name: 'a', kind: 'delay', config: { seconds: 1, note: 'x' } }];
    expect(await refused('PUT', `/workflows/${workflow_id}/actions`, { actions }, STRICT)).toEqual({
      'actions.0.config.note': 'is unknown',
    });
    expect(await refused('PUT', `/workflows/${workflow_id}/actions`, { actions })).toBe(200);
    const { headers } = await client.rest('GET', '/workflows', { headers: STRICT });
    expect(headers.get('preference-applied')).toBe('handling=strict');
  });

  it('refuses the config of a trigger whose type only the service knows', async () => {
    const trigger = { workflow_id: await made(), type: 'webhook' };
    const { body } = await client.rest('POST', '/triggers', { body: trigger });
    const change = { config: { cron: '* * * * *' } };
    expect(await refused('PUT', `/triggers/${body.id as string}`, change, STRICT)).toEqual({
      'config.cron': 'is unknown',
    });
    expect(await refused('PUT', `/triggers/${body.id as string}`, change)).toBe(200);
  });

  it.each([
    ['handling=strict', true],
    ['respond-async, Handling = "strict"; x=1, wait=10', true],
    ['handling=strict, handling=lenient', true],
    ['handling=lenient, handling=strict', false],
    ['handling=stricter', false],
    ['strict', false],
    ['respond-async', false],
  ])('is read from "%s"', async (prefer, applied) => {
    const { status, headers } = await client.rest('GET', '/workflows?q=x', { headers: { prefer } });
    expect([status, headers.get('preference-applied')]).toEqual(applied ? [400, 'handling=strict'] : [200, null]);
  });

  it('can be sent by a listed page, which can read the answer', async () => {
    const origin = { origin: 'https://app.example' };
    const { headers } = await client.rest('GET', '/workflows', { headers: { ...STRICT, ...origin } });
    expect(headers.get('access-control-expose-headers')!.split(',')).toContain('Preference-Applied');
    const preflight = await fetch(`${server.baseUrl}/v1/workflows`, {
      method: 'OPTIONS',
      headers: { ...origin, 'access-control-request-method': 'GET', 'access-control-request-headers': 'prefer' },
    });
    expect(preflight.headers.get('access-control-allow-headers')!.split(',')).toContain('prefer');
  });
});
