import { Client } from '../support/http/client.js';
import { startTestServer, type TestServer } from '../support/server.js';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ env: { ROLES: 'api' } });
});
afterAll(() => server.close());

describe('triggers(status)', () => {
  it('filters by status, type and workflow', async () => {
    const client = new Client(server.baseUrl, await server.key());
    const workflow = async () => (await client.rest('POST', '/workflows', { body: { name: 'w' } })).body.id as string;
    const trigger = async (workflow_id: string, type: string) =>
      (await client.rest('POST', '/triggers', { body: { workflow_id, type } })).body.id as string;
    const [one, two] = [await workflow(), await workflow()];
    const active = await trigger(one, 'manual');
    const paused = [await trigger(one, 'webhook'), await trigger(one, 'manual'), await trigger(two, 'manual')];
    for (const id of paused) await client.rest('PUT', `/triggers/${id}`, { body: { status: 'paused' } });
    const idsOf = async (args: string) => {
      const { body } = await client.graphql(`{ triggers(${args}) { items { id } meta { total } } }`);
      const { items, meta } = body.data.triggers;
      expect(meta.total).toBe(items.length);
      return items.map(({ id }: { id: string }) => id);
    };
    expect(await idsOf('status: PAUSED')).toEqual(paused.toReversed());
    expect(await idsOf('status: ACTIVE')).toEqual([active]);
    expect(await idsOf('status: ERROR')).toEqual([]);
    expect(await idsOf(`status: PAUSED, type: MANUAL, workflowId: "${one}"`)).toEqual([paused[1]]);
  });
});
