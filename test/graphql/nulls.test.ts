import { Client } from '../support/http/client.js';
import { startTestServer, type TestServer } from '../support/server.js';

describe('null in an input', () => {
  let server: TestServer;
  let client: Client;

  beforeAll(async () => {
    server = await startTestServer({ env: { ROLES: 'api', ALLOW_PRIVATE_NETWORK: 'true' } });
    client = new Client(server.baseUrl, await server.key());
  });
  afterAll(() => server.close());

  async function ask(query: string, variables: object = {}): Promise<any> {
    const { body } = await client.graphql(query, variables as Record<string, unknown>);
    if (body.errors !== undefined) throw new Error(JSON.stringify(body.errors));
    return body.data.done;
  }

  it('means that the field is not given, in variables and in literals', async () => {
    const fields = '{ id name description status }';
    const made = await ask(`mutation { done: createWorkflow(input: { name: "x", status: null }) ${fields} }`);
    expect(made.status).toBe('DRAFT');
    const input = { name: null, status: null };
    const update = `mutation ($id: ID!, $input: UpdateWorkflowInput!) { done: updateWorkflow(id: $id, input: $input) ${fields} }`;
    expect(await ask(update, { id: made.id, input })).toEqual(made);
    const described = await ask(update, { id: made.id, input: { ...input, description: 'why' } });
    expect(described).toEqual({ ...made, description: 'why' });
    // Here null has a meaning: it clears the text.
    expect(await ask(update, { id: made.id, input: { ...input, description: null } })).toEqual(made);

    const trigger = { id: made.id, config: { secret: 'secret-of-a-hook' } };
    const hook = await ask(
      `mutation ($id: ID!, $config: JSONObject) {
         done: createTrigger(input: { workflowId: $id, type: WEBHOOK, config: $config }) { id config status } }`,
      trigger,
    );
    expect(
      await ask(
        `mutation ($id: ID!) { done: updateTrigger(id: $id, input: { config: null, status: null }) { id config status } }`,
        hook,
      ),
    ).toEqual(hook);

    const webhook = await ask(
      `mutation ($url: String!) { done: createWebhook(input: { url: $url, events: ["run.failed"], workflowId: null }) {
         webhook { id url events status } } }`,
      { url: server.baseUrl },
    );
    const nothing = { url: null, events: null, status: null };
    expect(
      await ask(
        `mutation ($id: ID!, $input: UpdateWebhookInput!) {
           done: updateWebhook(id: $id, input: $input) { id url events status } }`,
        { ...webhook.webhook, input: nothing },
      ),
    ).toEqual(webhook.webhook);
  });

  it('is refused where the type has no null, and by REST where its document has none', async () => {
    const { body } = await client.graphql('mutation { createWorkflow(input: { name: null }) { id } }');
    expect(body.errors![0].extensions.details).toEqual([{ field: 'input.name', message: 'must not be null' }]);
    const refused = await client.rest('POST', '/workflows', { body: { name: 'x', status: null } });
    expect([refused.status, refused.body.details[0].field]).toEqual([400, 'status']);
  });

  it('is not in createdAt, also before the first connection', async () => {
    const input = { type: 'sandbox_api_key', credentials: { api_key: 'sandbox_valid_key' } };
    const connected = await ask(
      `mutation ($input: ConnectIntegrationInput!) {
         done: connectIntegration(input: $input) { ... on Integration { createdAt connectedAt } } }`,
      { input },
    );
    expect(Date.parse(connected.createdAt)).toBeLessThanOrEqual(Date.parse(connected.connectedAt));
  });
});
