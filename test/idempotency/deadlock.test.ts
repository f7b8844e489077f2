import { fromPublicId } from '../../src/platform/ids/ids.js';
import { Client } from '../support/http/client.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { until } from '../support/until.js';

describe('a request with an Idempotency-Key that deadlocks with another', () => {
  let server: TestServer;
  let client: Client;
  beforeAll(async () => {
    server = await startTestServer();
    client = new Client(server.baseUrl, await server.key());
  });
  afterAll(() => server.close());

  it('changes nothing, says why, and succeeds when it is repeated', async () => {
    const { db } = server;
    const ids: string[] = [];
    for (const name of ['a', 'b']) ids.push((await client.rest('POST', '/workflows', { body: { name } })).body.id);
    const rename = `mutation ($a: ID!, $b: ID!) {
      a: updateWorkflow(id: $a, input: { name: "new" }) { id } b: updateWorkflow(id: $b, input: { name: "new" }) { id } }`;
    const body = { query: rename, variables: { a: ids[0], b: ids[1] } };
    const send = () => client.send('POST', '/graphql', { body, headers: { 'idempotency-key': 'deadlock' } });
    const lock = `SELECT 1 FROM workflows WHERE id = $1 FOR UPDATE`;
    const [first, second] = ids.map((id) => [fromPublicId('wf', id)]);

    const refused = await db.transaction(async (tx) => {
      await tx.query(lock, second);
      const sending = send();
      await until(async () => {
        const waits = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
        return (await db.query(waits)).length > 0;
      });
      // PostgreSQL ends the transaction that has waited for a second, which is the one of the request.
      await tx.query(lock, first);
      return sending;
    });
    expect(refused.body.errors![0]).toMatchObject({
      message: 'Another request changed the same objects at the same time; nothing has changed. Try again.',
      extensions: { code: 'UNAVAILABLE' },
    });
    expect((await client.rest('GET', '/workflows')).body.data.map(({ name }: { name: string }) => name)).toEqual([
      'b',
      'a',
    ]);
    expect((await send()).body.errors).toBeUndefined();
  });
});
