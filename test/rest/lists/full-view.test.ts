import { Client } from '../../support/http/client.js';
import { startTestServer, type TestServer } from '../../support/server.js';

describe('a list with view=full', () => {
  let server: TestServer;
  let client: Client;

  beforeAll(async () => {
    server = await startTestServer({ env: { ROLES: 'api' } });
    client = new Client(server.baseUrl, await server.key());
    const make = async (path: string, body: object) => (await client.rest('POST', path, { body })).body;
    const { id: workflow_id } = await make('/workflows', { name: 'x', description: 'why', status: 'active' });
    await make('/workflows', { name: 'y' });
    await make('/triggers', { workflow_id, type: 'schedule', config: { cron: '0 8 * * *' } });
    await make('/triggers', { workflow_id, type: 'webhook' });
    const credentials = { api_key: 'sandbox_valid_key' };
    await make('/integrations/connect', { type: 'sandbox_api_key', credentials, reference: 'customer-1' });
    await make('/integrations/connect', { type: 'sandbox_oauth' });
  });
  afterAll(() => server.close());

  it.each(['workflows', 'triggers', 'integrations'])('of %s has the rows of the single resource', async (noun) => {
    const brief = (await client.rest('GET', `/${noun}`)).body;
    const { status, body, headers } = await client.rest('GET', `/${noun}?view=full&per_page=1`);
    expect([status, body.data.length]).toEqual([200, 1]);
    const next = new URL(/<(.*)>/.exec(headers.get('link')!)![1]!);
    expect(next.searchParams.get('view')).toBe('full');
    const rest = await client.send('GET', next.pathname + next.search);
    const rows = [...body.data, ...rest.body.data];
    expect(rows).toHaveLength(2);
    for (const row of rows) expect(row).toEqual((await client.rest('GET', `/${noun}/${row.id}`)).body);
    expect(rows.map(({ id }) => id)).toEqual(brief.data.map(({ id }: { id: string }) => id));
    expect(rows).not.toEqual(brief.data);
  });

  it('is the only other view, and only of these lists', async () => {
    for (const view of ['brief', '', 'FULL']) {
      const refused = await client.rest('GET', `/workflows?view=${view}`);
      expect(refused).toMatchObject({
        status: 400,
        body: { details: [{ field: 'view', message: 'must be one of full' }] },
      });
    }
    const runs = await client.rest('GET', '/runs?view=full');
    expect([runs.status, runs.headers.get('ignored-fields')]).toEqual([200, 'view']);
  });
});
