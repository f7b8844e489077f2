import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { type App, defineApp } from '../../src/features/integrations/apps/app.js';
import { Client } from '../support/http/client.js';
import { startTestServer, type TestServer } from '../support/server.js';

const QUERY = '{ viewer { account { name } } }';
const ANSWER = { data: { viewer: { account: { name: 'default' } } } };

describe('/graphql', () => {
  let server: TestServer;
  let client: Client;

  beforeAll(async () => {
    server = await startTestServer({ env: { ROLES: 'api' } });
    client = new Client(server.baseUrl, await server.key());
  });
  afterAll(() => server.close());

  const post = (body: unknown, headers: Record<string, string> = {}) =>
    client.send('POST', '/graphql', { body, headers });
  const get = (parameters: Record<string, string>, headers: Record<string, string> = {}) =>
    client.send('GET', `/graphql?${new URLSearchParams(parameters).toString()}`, { headers });

  describe('methods', () => {
    it.each(['PUT', 'PATCH', 'DELETE'])('%s is 405 with Allow, whatever the body', async (method) => {
      for (const call of [{}, { body: '{ not json' }, { body: 'x', headers: { 'content-type': 'text/plain' } }]) {
        const { status, headers, body } = await client.send(method, '/graphql', call);
        expect([status, headers.get('allow')]).toEqual([405, 'GET, POST']);
        expect(body.errors[0].extensions.code).toBe('METHOD_NOT_ALLOWED');
      }
    });

    it('HEAD is 405 without a body', async () => {
      const { status, body } = await client.send('HEAD', '/graphql');
      expect([status, body]).toEqual([405, undefined]);
    });

    it('GET answers a query', async () => {
      expect(await get({ query: QUERY })).toMatchObject({ status: 200, body: ANSWER });
    });

    it('GET takes variables and the operation’s name', async () => {
      const { body } = await get({
        query: 'query A { __typename } query B ($n: Int!) { workflows(perPage: $n) { meta { perPage } } }',
        variables: '{"n":7}',
        operationName: 'B',
      });
      expect(body).toEqual({ data: { workflows: { meta: { perPage: 7 } } } });
    });

    it.each(['mutation { deleteWorkflow(id: "wf_x") }', 'subscription { integrationStatusChanged { id } }'])(
      'GET refuses `%s` with 405',
      async (query) => {
        const { status, headers, body } = await get({ query });
        expect([status, headers.get('allow'), body.errors[0].extensions.code]).toEqual([405, 'POST', 'BAD_REQUEST']);
      },
    );

    it.each([
      ['variables that are no JSON', { query: QUERY, variables: '{' }],
      ['variables that are no object', { query: QUERY, variables: '[]' }],
      ['no query', {}],
    ])('GET refuses %s with 400', async (_what, parameters) => {
      const { status, body } = await get(parameters);
      expect([status, body.errors[0].extensions.code]).toEqual([400, 'BAD_REQUEST']);
    });

    it('GET refuses a parameter that is given twice with 400', async () => {
      expect((await client.send('GET', '/graphql?query={a}&query={b}')).status).toBe(400);
    });

    it('GET refuses variables that nest 200 levels, like a body of 201', async () => {
      const nested = (levels: number) => `{"x":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
      expect((await get({ query: QUERY, variables: nested(199) })).status).toBe(200);
      const { status, body } = await get({ query: QUERY, variables: nested(200) });
      expect([status, body.errors[0].extensions.code]).toEqual([400, 'VALIDATION_ERROR']);
    });

    it('a trailing slash changes nothing', async () => {
      expect(await client.send('POST', '/graphql/', { body: { query: QUERY } })).toMatchObject({
        status: 200,
        body: ANSWER,
      });
    });
  });

  describe('bodies', () => {
    it.each([
      ['a list of one', [{ query: QUERY }]],
      ['an empty list', []],
      ['an empty object', {}],
      ['null', 'null'],
      ['a number', '5'],
      ['a text', '"{ __typename }"'],
      ['nothing', ''],
      ['no query', { variables: {} }],
      ['a query that is a number', { query: 5 }],
      ['a query that is a list', { query: [QUERY] }],
      ['a query that is an object', { query: { kind: 'Document' } }],
      ['variables that are a text', { query: QUERY, variables: '{}' }],
      ['variables that are a list', { query: QUERY, variables: [] }],
      ['an operation name that is a number', { query: QUERY, operationName: 1 }],
      ['extensions that are a list', { query: QUERY, extensions: [] }],
    ])('refuses %s with 400', async (_what, body) => {
      const answer = await post(body);
      expect([answer.status, answer.body.errors[0].extensions.code]).toEqual([400, 'BAD_REQUEST']);
    });

    it('ignores further keys', async () => {
      expect(await post({ query: QUERY, id: 1, nested: { a: [] } })).toMatchObject({ status: 200, body: ANSWER });
    });

    it('refuses what is no JSON with 400', async () => {
      const { status, body } = await post('{"query":');
      expect([status, body.errors[0].extensions.code]).toEqual([400, 'INVALID_JSON']);
    });

    it('refuses other media types with 415', async () => {
      for (const type of [
        'text/plain',
        'application/graphql',
        'application/x-www-form-urlencoded',
        'multipart/form-data; boundary=x',
      ]) {
        const { status, body } = await post(JSON.stringify({ query: QUERY }), { 'content-type': type });
        expect([status, body.errors[0].extensions.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
      }
    });

    it('takes 102,400 bytes and refuses one more with 413', async () => {
      const bodyOf = (bytes: number) => {
        const [start, end] = [`{"query":"${QUERY}`, '"}'];
        return start + ' '.repeat(bytes - start.length - end.length) + end;
      };
      expect((await post(bodyOf(102_400))).status).toBe(200);
      const { status, body } = await post(bodyOf(102_401));
      expect([status, body.errors[0].extensions.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    });

    it('takes a body of 200 levels and refuses 201 with 400', async () => {
      const bodyOf = (levels: number) =>
        `{"query":"${QUERY}","variables":{"x":${'['.repeat(levels - 2)}${']'.repeat(levels - 2)}}}`;
      expect((await post(bodyOf(200))).status).toBe(200);
      const { status, body } = await post(bodyOf(201));
      expect([status, body.errors[0].extensions.code]).toEqual([400, 'VALIDATION_ERROR']);
    });

    it.each(['[', '{a:'])('refuses a literal of 201 levels of `%s` with 400', async (opening) => {
      const literal = (levels: number) => {
        const closing = opening === '[' ? ']' : '}';
        return `{ x: ${opening.repeat(levels - 1)}1${closing.repeat(levels - 1)} }`;
      };
      const ask = (levels: number) =>
        post({
          query: `mutation { createTrigger(input: { workflowId: "wf_x", type: MANUAL, config: ${literal(levels)} }) { id } }`,
        });
      expect((await ask(200)).body.errors[0].extensions.code).toBe('NOT_FOUND');
      const { status, body } = await ask(201);
      expect([status, body.errors[0].extensions.code]).toEqual([400, 'BAD_USER_INPUT']);
    });
  });

  describe('media types of answers', () => {
    it.each([
      [undefined, 'application/json; charset=utf-8'],
      ['*/*', 'application/json; charset=utf-8'],
      ['application/json', 'application/json; charset=utf-8'],
      ['application/graphql-response+json', 'application/graphql-response+json; charset=utf-8'],
      ['application/graphql-response+json, application/json;q=0.9', 'application/graphql-response+json; charset=utf-8'],
      ['text/html, */*;q=0.1', 'application/json; charset=utf-8'],
    ])('for Accept %s: %s', async (accept, type) => {
      const headers: Record<string, string> = accept === undefined ? {} : { accept };
      for (const answer of [await post({ query: QUERY }, headers), await get({ query: QUERY }, headers)]) {
        expect([answer.status, answer.headers.get('content-type'), answer.body]).toEqual([200, type, ANSWER]);
      }
    });

    it('an Accept that takes no JSON is 406', async () => {
      expect((await post({ query: QUERY }, { accept: 'text/html' })).status).toBe(406);
      expect((await get({ query: QUERY }, { accept: 'text/html' })).status).toBe(406);
    });

    it('a refusal before execution has the requested type', async () => {
      const { headers } = await post('{', { accept: 'application/graphql-response+json' });
      expect(headers.get('content-type')).toBe('application/graphql-response+json; charset=utf-8');
    });
  });

  it('answers no page of another site: without the key it is 401, with it the browser asks first', async () => {
    const forged = await fetch(`${server.baseUrl}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'text/plain', origin: 'https://evil.example', cookie: 'session=x' },
      body: JSON.stringify({ query: QUERY }),
    });
    expect(forged.status).toBe(401);
    const preflight = await fetch(`${server.baseUrl}/graphql`, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://evil.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization',
      },
    });
    expect(preflight.headers.get('access-control-allow-origin')).toBeNull();
  });

  it('ends a wait of more than 10 s in time, with what there is then', async () => {
    const { body } = await client.rest('POST', '/integrations/connect', { body: { type: 'sandbox_oauth' } });
    const answer = await client.graphql('query ($id: ID!) { integration(id: $id, wait: 30) { status } }', {
      id: body.integration_id,
    });
    expect(answer).toMatchObject({ status: 200, body: { data: { integration: { status: 'PENDING' } } } });
    // The answer to an operation of more than 10 s is 503.
  });

  it('answers 503 after 10 s when an operation takes longer', async () => {
    const application = createServer((_request, response) => void setTimeout(() => response.end('{}'), 3_700));
    await new Promise<void>((resolve) => application.listen(0, resolve));
    const address = `http://localhost:${(application.address() as AddressInfo).port}`;
    const slow = await startTestServer({ env: { ROLES: 'api' }, apps: [slowApp(address)] });
    try {
      const connect = 'connectIntegration(input: { type: "slow_app", credentials: { api_key: "k" } }) { __typename }';
      const { status, body, headers } = await new Client(slow.baseUrl, await slow.key()).graphql(
        `mutation { a: ${connect} b: ${connect} c: ${connect} }`,
      );
      expect([status, body.errors![0].extensions.code, headers.get('retry-after')]).toEqual([503, 'UNAVAILABLE', '1']);
    } finally {
      await slow.close();
      application.close();
    }
  });
});

function slowApp(address: string): App {
  return defineApp({
    type: 'slow_app',
    name: 'Slow App',
    auth: {
      kind: 'api_key',
      placement: { in: 'header', name: 'Authorization', prefix: 'Bearer ' },
      verify: { method: 'GET', url: `${address}/me`, ok: [200] },
    },
    apiBaseUrl: address,
  });
}
