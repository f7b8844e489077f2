import { Client } from '../support/http/client.js';
import { startTestServer, type TestServer } from '../support/server.js';

let server: TestServer;
let client: Client;

beforeAll(async () => {
  server = await startTestServer({ env: { ROLES: 'api' } });
  client = new Client(server.baseUrl, await server.key());
});
afterAll(() => server.close());

describe('JSON that stands in a document', () => {
  it('is taken as an argument like a variable', async () => {
    const connect =
      'connectIntegration(input: { type: "sandbox_api_key", credentials: { api_key: "sandbox_valid_key" } })';
    const { body } = await client.graphql(`mutation { ${connect} { ... on Integration { id status } } }`);
    const { id, status } = body.data.connectIntegration;
    expect(status).toBe('CONNECTED');
    const reconnect = (literal: string, declared = '') =>
      client.graphql(
        `mutation ($id: ID! ${declared}) { reconnectIntegration(id: $id, credentials: ${literal}) { __typename } }`,
        {
          id,
          key: 'sandbox_valid_key',
        },
      );
    for (const answer of [
      await reconnect('{ api_key: "sandbox_valid_key" }'),
      await reconnect('{ api_key: $key }', '$key: JSON'),
    ]) {
      expect(answer.body).toEqual({ data: { reconnectIntegration: { __typename: 'Integration' } } });
    }
    const refused = await reconnect('{ api_key: "another" }');
    expect(refused.body.errors![0].extensions.code).toBe('INVALID_CREDENTIALS');
  });

  it('keeps its keys in their order, those of every object’s prototype too', async () => {
    const { body } = await client.graphql('mutation { createWorkflow(input: { name: "x" }) { id } }');
    const literal = '{ z: 1, __proto__: { a: [{ constructor: null }] }, a: "\\u2028", toString: [1.5, true] }';
    const made = await client.graphql(
      `mutation ($id: ID!) { createTrigger(input: { workflowId: $id, type: MANUAL, config: ${literal} }) { config } }`,
      { id: body.data.createWorkflow.id },
    );
    expect(JSON.stringify(made.body.data.createTrigger.config)).toBe(
      '{"z":1,"__proto__":{"a":[{"constructor":null}]},"a":"\u2028","toString":[1.5,true]}',
    );
  });
});
