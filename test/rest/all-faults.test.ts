import { Client } from '../support/http/client.js';
import { startTestServer, type TestServer } from '../support/server.js';

describe('a refused request', () => {
  let server: TestServer;
  let client: Client;

  beforeAll(async () => {
    server = await startTestServer({ env: { ROLES: 'api' } });
    client = new Client(server.baseUrl, await server.key());
  });
  afterAll(() => server.close());

  it.each([
    [
      'POST',
      '/workflows',
      { nmae: 'x', description: 'x'.repeat(1_001), status: 'archived' },
      {
        nmae: 'is unknown; did you mean name?',
        name: 'is required',
        description: 'must have at most 1000 characters',
        status: 'must be active or draft',
      },
    ],
    [
      'POST',
      '/workflows',
      { name: '', description: 5, status: 'none' },
      {
        name: 'must not be empty',
        description: 'must be a text',
        status: 'must be one of active, draft, paused, archived',
      },
    ],
    ['PUT', '/workflows/wf_x', { name: 1, status: null }, { name: 'must be a text', status: expect.any(String) }],
    [
      'POST',
      '/webhooks',
      { url: 5, events: [], workflow_id: 5 },
      { url: 'must be a text', events: 'must not be empty', workflow_id: 'must be a text' },
    ],
    [
      'GET',
      '/runs?per_page=0&page=x&status=none&created_after=soon',
      undefined,
      {
        page: 'must be a whole number',
        per_page: 'must be at least 1',
        status: expect.stringMatching(/^must be one of/),
        created_after: 'must be a date and time (RFC 3339)',
      },
    ],
    [
      'GET',
      '/webhooks/wh_x/deliveries?type=none&status=none',
      undefined,
      { status: expect.stringMatching(/^must be one of/), type: expect.stringMatching(/^must be one of/) },
    ],
  ])('%s %s names all faults at once', async (method, path, sent, faults) => {
    const { status, body } = await client.rest(method, path, sent === undefined ? {} : { body: sent });
    const found = Object.fromEntries(
      (body.details as { field: string; message: string }[]).map(({ field, message }) => [field, message]),
    );
    expect([status, found]).toEqual([400, faults]);
  });
});
