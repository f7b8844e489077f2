import { Client } from '../support/http/client.js';
import { startTestServer, type TestServer } from '../support/server.js';

describe('details of errors', () => {
  let server: TestServer;
  let client: Client;

  beforeAll(async () => {
    server = await startTestServer({ env: { ROLES: 'api', ALLOW_PRIVATE_NETWORK: 'true' } });
    client = new Client(server.baseUrl, await server.key());
  });
  afterAll(() => server.close());

  it.each([
    ['{ input: { name: 1 } }', { input: { name: 1 } }, 'input.name', 'String cannot represent a non string value: 1'],
    ['{}', { input: {} }, 'input.name', 'is required'],
    ['{ input: null }', { input: null }, 'input', 'must not be null'],
    ['nothing', undefined, 'input', 'is required'],
    ['{ input: { name: null } }', { input: { name: null } }, 'input.name', 'must not be null'],
    ['{ input: { name: "x", nmae: 1 } }', { input: { name: 'x', nmae: 1 } }, 'input.nmae', 'is unknown'],
    ['a nasty name', { input: { name: ['" at "input.other"; '] } }, 'input.name', expect.stringContaining('String')],
    [
      'a wrong status',
      { input: { name: 'x', status: 'draft' } },
      'input.status',
      expect.stringContaining('Value "draft" does not exist in "WorkflowStatus" enum.'),
    ],
  ])('name the place and the fault in variables: %s', async (_, variables, field, message) => {
    const query = 'mutation ($input: CreateWorkflowInput!) { createWorkflow(input: $input) { id } }';
    const { body } = await client.graphql(query, variables);
    expect(body.errors!.map(({ extensions }) => extensions)).toEqual([
      { code: 'BAD_USER_INPUT', details: [{ field, message }], requestId: expect.any(String) },
    ]);
  });

  it.each([
    ['createWorkflow(input: { name: 1 }) { id }', 'input.name', 'String cannot represent a non string value: 1'],
    ['createWorkflow(input: {}) { id }', 'input.name', 'is required'],
    ['createWorkflow(input: { name: null }) { id }', 'input.name', 'must not be null'],
    ['createWorkflow(input: { name: "x", nmae: 1 }) { id }', 'input.nmae', 'is unknown'],
    [
      'setWorkflowActions(workflowId: "wf_x", actions: [{ name: "a", kind: DELAY, config: {} }, { name: 2, kind: DELAY, config: {} }]) { id }',
      'actions.1.name',
      'String cannot represent a non string value: 2',
    ],
  ])('name the place and the fault in literals: %s', async (field, place, message) => {
    const { body } = await client.graphql(`mutation { ${field} }`);
    expect(body.errors!.map(({ extensions }) => extensions)).toEqual([
      { code: 'BAD_USER_INPUT', details: [{ field: place, message }], requestId: expect.any(String) },
    ]);
  });

  it('spell constants as their transport does', async () => {
    const { body } = await client.graphql('mutation { createWorkflow(input: { name: "x", status: PAUSED }) { id } }');
    expect(body.errors![0].extensions.details).toEqual([{ field: 'status', message: 'must be ACTIVE or DRAFT' }]);
    const rest = await client.rest('POST', '/workflows', { body: { name: 'x', status: 'paused' } });
    expect(rest.body.details).toEqual([{ field: 'status', message: 'must be active or draft' }]);
    expect(rest.body.message).toBe('status: must be active or draft');
  });

  it('name the credentials that an application refused', async () => {
    const refused = { type: 'sandbox_api_key', credentials: { api_key: 'sandbox_wrong_key' } };
    const query = 'mutation ($input: ConnectIntegrationInput!) { connectIntegration(input: $input) { __typename } }';
    const { body } = await client.graphql(query, { input: refused });
    const details = [{ field: 'credentials.api_key', message: expect.stringContaining('refused the API key') }];
    expect(body.errors![0].extensions).toMatchObject({ code: 'INVALID_CREDENTIALS', details });
    const rest = await client.rest('POST', '/integrations/connect', { body: refused });
    expect(rest).toMatchObject({ status: 422, body: { code: 'invalid_credentials', details } });
  });

  it('name the field of an id that is not there, only where it is in a body', async () => {
    const nobody = '01h455vb4pex5vsknk084sn02q';
    const webhook = { url: server.baseUrl, events: ['run.failed'], workflow_id: `wf_${nobody}` };
    const { id } = (await client.rest('POST', '/workflows', { body: { name: 'x' } })).body;
    const call = (integration: string) => ({
      name: integration,
      kind: 'app_request',
      config: { integration_id: integration, method: 'GET', path: '/x' },
    });
    const lost = { integration_id: `int_${nobody}` };
    for (const [method, path, sent, field] of [
      ['POST', '/triggers', { workflow_id: `wf_${nobody}`, type: 'manual' }, 'workflow_id'],
      ['POST', '/webhooks', webhook, 'workflow_id'],
      ['POST', '/connect_sessions', lost, 'integration_id'],
      ['PUT', `/workflows/${id}/actions`, { actions: [call(lost.integration_id)] }, 'actions.0.config.integration_id'],
      [
        'POST',
        '/triggers',
        { workflow_id: id, type: 'app_event', config: { event: 'sandbox.contact_created', ...lost } },
        'config.integration_id',
      ],
    ] as const) {
      const { status, body } = await client.rest(method, path, { body: sent });
      expect([path, status, body.code, body.details]).toEqual([
        path,
        404,
        'not_found',
        [{ field, message: expect.stringMatching(/^No such (workflow|integration)\.$/) }],
      ]);
    }
    expect((await client.rest('GET', `/workflows/wf_${nobody}`)).body).not.toHaveProperty('details');
  });
});
