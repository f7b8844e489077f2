import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from '../support/http/client.js';
import { startTestServer, type TestServer } from '../support/server.js';

let server: TestServer;
let client: Client;
let workflow: string;
beforeAll(async () => {
  server = await startTestServer();
  client = new Client(server.url, await server.key());
  workflow = (await client.rest('POST', '/workflows', { body: { name: 'Flow' } })).body.id;
});
afterAll(() => server.close());

const CREATE = `mutation ($config: JSONObject) {
  createTrigger(input: { workflowId: "$id", type: WEBHOOK, config: $config }) { id etag config } }`;
const SET = `mutation ($actions: [ActionInput!]!) { setWorkflowActions(workflowId: "$id", actions: $actions) { id } }`;

function send(query: string, variables: object, headers: Record<string, string> = {}) {
  const body = JSON.stringify({ query: query.replace('$id', workflow), variables });
  return client.send('POST', '/graphql', { body, headers });
}

describe('names in a config over GraphQL', () => {
  it('are named in Ignored-Fields if they are unknown', async () => {
    const { body, headers } = await send(CREATE, { config: { signing_secret: 'x', secret: 'y' } });
    expect(body.errors).toBeUndefined();
    expect(headers.get('ignored-fields')).toBe('config.signing_secret');
    const actions = [{ name: 'wait', kind: 'DELAY', config: { seconds: 1, jitter: true } }];
    expect((await send(SET, { actions })).headers.get('ignored-fields')).toBe('actions.0.config.jitter');
    expect((await send(CREATE, { config: { secret: 'y' } })).headers.get('ignored-fields')).toBeNull();
  });

  it('are named on a replayed response too', async () => {
    const repeat = async () => {
      const headers = { 'idempotency-key': 'ignored-names' };
      const answer = await send(CREATE, { config: { signing_secret: 'x' } }, headers);
      return [answer.headers.get('idempotent-replayed'), answer.headers.get('ignored-fields')];
    };
    expect([await repeat(), await repeat()]).toEqual([
      [null, 'config.signing_secret'],
      ['true', 'config.signing_secret'],
    ]);
  });

  it('are refused with Prefer: handling=strict', async () => {
    const { body, headers } = await send(CREATE, { config: { signing_secret: 'x' } }, { prefer: 'handling=strict' });
    expect(headers.get('preference-applied')).toBe('handling=strict');
    expect(body.errors[0].extensions).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [{ field: 'config.signing_secret', message: 'is unknown' }],
    });
  });
});

describe('names of a GraphQL request', () => {
  const query = 'query ($status: WorkflowStatus) { workflows(status: $status) { meta { total } } }';
  const post = (body: object, headers: Record<string, string> = {}) =>
    client.send('POST', '/graphql', { body: JSON.stringify(body), headers });

  it('are named in Ignored-Fields if they are unknown', async () => {
    const { status, headers } = await post({ query, variables: { Status: 'ACTIVE' }, variabels: {} });
    expect([status, headers.get('ignored-fields')]).toEqual([200, 'variabels, variables.Status']);
    const known = { query, variables: { status: 'ACTIVE' }, operationName: null, extensions: {} };
    expect((await post(known)).headers.get('ignored-fields')).toBeNull();
  });

  it('are named if they stand in the URL, where a POST has no operation', async () => {
    const search = '?foo=1&variables=%7B%7D';
    const post = await client.send('POST', `/graphql${search}`, { body: JSON.stringify({ query }) });
    expect([post.status, post.headers.get('ignored-fields')]).toEqual([200, 'foo, variables']);
    const get = (headers: Record<string, string> = {}) =>
      client.send('GET', `/graphql${search}&query=${encodeURIComponent(query)}`, { headers });
    expect((await get()).headers.get('ignored-fields')).toBe('foo');
    const { status, body } = await get({ prefer: 'handling=strict' });
    expect([status, body.errors[0].extensions.details]).toEqual([400, [{ field: 'foo', message: 'is unknown' }]]);
  });

  it('are refused with Prefer: handling=strict', async () => {
    const { status, body } = await post({ query, variables: { Status: 'ACTIVE' } }, { prefer: 'handling=strict' });
    expect([status, body.errors[0].extensions.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(body.errors[0].extensions.details).toEqual([{ field: 'variables.Status', message: 'is unknown' }]);
  });
});

describe('a condition on /graphql', () => {
  it.each(['If-Match', 'If-None-Match'])('is refused, and nothing changes: %s', async (field) => {
    const query = `mutation { updateWorkflow(id: "$id", input: { name: "Other" }) { name } }`;
    const { status, body } = await send(query, {}, { [field]: '"x"' });
    expect(status).toBe(400);
    expect(body.errors[0].extensions).toMatchObject({ code: 'VALIDATION_ERROR', details: [{ field }] });
    expect((await client.rest('GET', `/workflows/${workflow}`)).body.name).toBe('Flow');
  });
});
