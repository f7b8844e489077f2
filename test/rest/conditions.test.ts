import { Client } from '../support/http/client.js';
import { startTestServer, type TestServer } from '../support/server.js';

let server: TestServer;
let client: Client;
let workflow: string;

beforeAll(async () => {
  server = await startTestServer({ env: { ALLOW_PRIVATE_NETWORK: 'true' } });
  client = new Client(server.baseUrl, await server.key());
  workflow = await made('/workflows', { name: 'First', status: 'active' });
  await made('/triggers', { workflow_id: workflow, type: 'manual' });
});
afterAll(() => server.close());

async function made(path: string, body: object): Promise<string> {
  return (await client.rest('POST', path, { body })).body.id as string;
}

it('no shared cache may store a response, and the cache of a client asks each time', async () => {
  const shown = await client.rest('GET', `/workflows/${workflow}`);
  const again = await client.rest('GET', `/workflows/${workflow}`, {
    headers: { 'if-none-match': shown.headers.get('etag')! },
  });
  const others = [await client.rest('GET', '/runs'), await client.rest('GET', '/runs/none')];
  const graphql = await fetch(`${server.baseUrl}/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${client.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query: '{ __typename }' }),
  });
  expect([shown.status, again.status, ...others.map(({ status }) => status)]).toEqual([200, 304, 200, 404]);
  for (const { headers } of [shown, again, ...others]) expect(headers.get('cache-control')).toBe('private, no-cache');
  expect(['private, no-cache', 'no-store']).toContain(graphql.headers.get('cache-control'));
});

const STALE = { status: 412, body: { code: 'precondition_failed' } };

/** What has an entity tag: how it is made, and a change of it. */
const KINDS = {
  workflow: {
    path: async () => `/workflows/${await made('/workflows', { name: 'x' })}`,
    change: { description: 'changed' },
    mutation: `updateWorkflow(id: $id, input: { description: "changed" }, expectedVersion: $version)`,
    remove: 'deleteWorkflow',
  },
  'trigger with a schedule': {
    path: async () =>
      `/triggers/${await made('/triggers', { workflow_id: workflow, type: 'schedule', config: { cron: '0 8 * * *' } })}`,
    change: { config: { cron: '0 9 * * *' } },
    mutation: `updateTrigger(id: $id, input: { config: { cron: "0 9 * * *" } }, expectedVersion: $version)`,
    remove: 'deleteTrigger',
  },
  'trigger with a secret': {
    path: async () =>
      `/triggers/${await made('/triggers', { workflow_id: workflow, type: 'webhook', config: { secret: 'secret-of-a-hook' } })}`,
    change: { status: 'paused' },
    mutation: `updateTrigger(id: $id, input: { status: PAUSED }, expectedVersion: $version)`,
    remove: 'deleteTrigger',
  },
  webhook: {
    path: async () =>
      `/webhooks/${await made('/webhooks', { url: `${server.baseUrl}/x`, events: ['run.failed', 'run.succeeded'] })}`,
    change: { status: 'disabled' },
    mutation: `updateWebhook(id: $id, input: { status: DISABLED }, expectedVersion: $version)`,
    remove: 'deleteWebhook',
  },
};

describe.each(Object.entries(KINDS))('a %s', (_, { path: make, change, mutation, remove }) => {
  const get = (path: string, headers = {}) => client.rest('GET', path, { headers });
  const tagAt = async (path: string) => (await get(path)).headers.get('etag')!;
  const idIn = (path: string) => path.split('/').at(-1)!;

  it('is not sent again to who has it', async () => {
    const path = await make();
    const tag = await tagAt(path);
    expect(tag).toMatch(/^"[\w-]+(?:\.\d+)*"$/);
    for (const known of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
      const answer = await get(path, { 'if-none-match': known });
      expect([known, answer.status, answer.body, answer.headers.get('etag')]).toEqual([known, 304, undefined, tag]);
    }
    for (const other of ['"other"', tag.slice(1, -1), '']) {
      expect((await get(path, { 'if-none-match': other })).status).toBe(200);
    }
    const changed = await client.rest('PUT', path, { body: change });
    expect(changed.status).toBe(200);
    const after = await get(path, { 'if-none-match': tag });
    expect(after.status).toBe(200);
    expect(after.headers.get('etag')).not.toBe(tag);
    expect((await get(path, { 'if-none-match': after.headers.get('etag')! })).status).toBe(304);
  });

  it('is changed by exactly one of those who read the same version', async () => {
    const path = await make();
    const tag = await tagAt(path);
    const put = () => client.rest('PUT', path, { body: change, headers: { 'if-match': tag } });
    const statuses = (await Promise.all([put(), put(), put()])).map(({ status }) => status).sort();
    expect(statuses).toEqual([200, 412, 412]);
    const now = await get(path);
    expect(await client.rest('PUT', path, { body: {}, headers: { 'if-match': tag } })).toMatchObject(STALE);
    expect(await client.rest('DELETE', path, { headers: { 'if-match': tag } })).toMatchObject(STALE);
    expect(await client.rest('DELETE', path, { headers: { 'if-match': `W/${await tagAt(path)}` } })).toMatchObject(
      STALE,
    );
    expect((await get(path)).body).toEqual(now.body);
    const again = await client.rest('PUT', path, { body: change, headers: { 'if-match': await tagAt(path) } });
    expect(again.status).toBe(200);
    const gone = await client.rest('DELETE', path, { headers: { 'if-match': await tagAt(path) } });
    expect(gone.status).toBe(204);
    expect((await get(path)).status).toBe(404);
    expect(await client.rest('PUT', path, { body: change, headers: { 'if-match': tag } })).toMatchObject({
      status: 404,
    });
  });

  it('has the same version in GraphQL', async () => {
    const path = await make();
    const id = idIn(path);
    const type = mutation.slice(6, mutation.indexOf('('));
    const read = await client.graphql(`query ($id: ID!) { node(id: $id) { ... on ${type} { etag } } }`, { id });
    const version = read.body.data.node.etag as string;
    expect(`"${version}"`).toBe(await tagAt(path));
    const update = (expected: string | null) =>
      client.graphql(`mutation ($id: ID!, $version: String) { done: ${mutation} { etag } }`, { id, version: expected });
    const updated = await update(version);
    expect(updated.body.errors).toBeUndefined();
    expect(`"${updated.body.data.done.etag}"`).toBe(await tagAt(path));
    const refused = await update(version);
    expect(refused.body).toMatchObject({
      data: { done: null },
      errors: [{ extensions: { code: 'PRECONDITION_FAILED' } }],
    });
    expect((await update(null)).body.errors).toBeUndefined();
    const deletion = `mutation ($id: ID!, $version: String) { done: ${remove}(id: $id, expectedVersion: $version) }`;
    expect((await client.graphql(deletion, { id, version })).body.errors![0].extensions.code).toBe(
      'PRECONDITION_FAILED',
    );
    const current = (await tagAt(path)).slice(1, -1);
    expect((await client.graphql(deletion, { id, version: current })).body.data.done).toBe(id);
  });
});

describe('a version', () => {
  it('stays when the service counts a run, but a new copy is sent', async () => {
    const path = `/workflows/${workflow}`;
    const before = await client.rest('GET', path);
    const tag = before.headers.get('etag')!;
    expect(await client.rest('POST', `${path}/runs`)).toMatchObject({ status: 201 });
    const after = await client.rest('GET', path, { headers: { 'if-none-match': tag } });
    expect([after.status, after.body.run_count]).toEqual([200, (before.body.run_count as number) + 1]);
    expect(await client.rest('PUT', path, { body: { name: 'Same' }, headers: { 'if-match': tag } })).toMatchObject({
      status: 200,
    });
  });

  it('is refused as a condition for the absence of what is to be changed', async () => {
    const details = [{ field: 'If-None-Match', message: 'is not supported by this request' }];
    const headers = { 'if-none-match': '*' };
    const path = `/workflows/${workflow}`;
    for (const [method, at] of [
      ['PUT', path],
      ['DELETE', path],
      ['POST', `${path}/runs`],
    ] as const) {
      expect(await client.rest(method, at, { headers })).toMatchObject({ status: 400, body: { details } });
    }
    expect((await client.rest('GET', path)).status).toBe(200);
  });

  it('is refused where nothing is compared with it', async () => {
    const details = [{ field: 'If-Match', message: 'is not supported by this request' }];
    const headers = { 'if-match': '"any"' };
    for (const [method, path] of [
      ['GET', `/workflows/${workflow}`],
      ['GET', '/runs'],
      ['POST', `/workflows/${workflow}/runs`],
    ] as const) {
      expect(await client.rest(method, path, { headers })).toMatchObject({ status: 400, body: { details } });
    }
    const runs = await client.rest('GET', '/runs');
    expect(runs.body.meta.total).toBe(1);
  });
});
