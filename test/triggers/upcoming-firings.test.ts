import { Client } from '../support/http/client.js';
import { startTestServer, type TestServer } from '../support/server.js';

let server: TestServer;
let client: Client;

beforeAll(async () => {
  server = await startTestServer({ env: { ROLES: 'api' } });
});
beforeEach(async () => {
  client = new Client(server.baseUrl, await server.key('read-write', crypto.randomUUID()));
});
afterAll(() => server.close());

async function schedule(cron: string, status = 'active', owner = client): Promise<string> {
  const workflow = (await owner.rest('POST', '/workflows', { body: { name: cron } })).body.id;
  const body = { workflow_id: workflow, type: 'schedule', config: { cron } };
  const { id } = (await owner.rest('POST', '/triggers', { body })).body;
  await owner.rest('PUT', `/workflows/${workflow}`, { body: { status } });
  return id;
}

async function upcoming(first?: number): Promise<any> {
  const query =
    'query ($first: Int! = 5) { upcomingFirings(first: $first) { at trigger { id nextFireAt workflow { name } } } }';
  const { body } = await client.graphql(query, first === undefined ? {} : { first });
  return body.errors === undefined ? body.data.upcomingFirings : body.errors;
}
const idsOf = async (first?: number) => (await upcoming(first)).map(({ trigger }: any) => trigger.id);

describe('upcomingFirings', () => {
  it('gives active schedules of active workflows by their next tick, each with its workflow', async () => {
    const yearly = await schedule('0 0 1 1 *');
    const soon = await schedule('* * * * *');
    const daily = await schedule('0 0 * * *');
    await schedule('* * * * *', 'draft');
    const paused = await schedule('* * * * *');
    await client.rest('PUT', `/triggers/${paused}`, { body: { status: 'paused' } });
    const stranger = new Client(server.baseUrl, await server.key('read-write', 'stranger'));
    await schedule('* * * * *', 'active', stranger);
    const found = await upcoming();
    expect(found.map(({ trigger }: any) => [trigger.id, trigger.workflow.name])).toEqual([
      [soon, '* * * * *'],
      [daily, '0 0 * * *'],
      [yearly, '0 0 1 1 *'],
    ]);
    for (const { at, trigger } of found) expect(at).toBe(trigger.nextFireAt);
    expect(await idsOf(2)).toEqual([soon, daily]);
  });

  it('goes by the next tick also of a schedule that was switched on just now', async () => {
    const daily = await schedule('0 0 * * *');
    const yearly = await schedule('0 0 1 1 *', 'draft');
    const { workflow_id: workflow } = (await client.rest('GET', `/triggers/${yearly}`)).body;
    await client.rest('PUT', `/workflows/${workflow}`, { body: { status: 'active' } });
    expect(await idsOf()).toEqual([daily, yearly]);
    expect(await idsOf(1)).toEqual([daily]);
  });

  it('costs one statement and one for the workflows', async () => {
    for (let made = 0; made < 3; made += 1) await schedule('0 0 * * *');
    const before = server.db.statements;
    expect(await upcoming()).toHaveLength(3);
    expect(server.db.statements - before).toBeLessThanOrEqual(3);
  });

  it('counts towards the nodes of a document', async () => {
    const asking = (perPage: number) =>
      `{ upcomingFirings(first: 50) { trigger { workflow { runs(perPage: ${perPage}) { items { id } } } } } }`;
    expect((await client.graphql(asking(100))).body.errors).toBeUndefined();
    const inner = asking(100).replace('{ id }', '{ workflow { triggers(perPage: 2) { items { id } } } }');
    expect((await client.graphql(inner)).body.errors![0].message).toMatch(/10000 nodes; at most 5000/);
  });

  it('refuses to give none, or more than 50', async () => {
    for (const first of [0, 51]) {
      expect((await upcoming(first))[0].extensions.details[0].field).toBe('first');
    }
  });
});
