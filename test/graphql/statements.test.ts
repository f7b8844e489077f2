import { Client } from '../support/http/client.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { produce } from './subscriptions/changes.js';
import { connectSandbox } from './transports.js';

const TRIGGERS = 'triggers(perPage: 3) { items { id } meta { total } }';

describe('statements', () => {
  let server: TestServer;
  /** One account with 2 of everything, one with 20. */
  let few: Client;
  let many: Client;

  beforeAll(async () => {
    server = await startTestServer({ env: { ROLES: 'api' } });
    few = await accountWith(server, 2);
    many = await accountWith(server, 20);
  });
  afterAll(() => server.close());

  /** What a request costs: the least of three, since a job's statement may fall into one. */
  const leastOf = async (request: (time: number) => Promise<unknown>): Promise<number> => {
    const costs: number[] = [];
    for (let time = 0; time < 3; time += 1) {
      const before = server.db.statements;
      await request(time);
      costs.push(server.db.statements - before);
    }
    return Math.min(...costs);
  };

  /** What a document costs once the key is known. */
  const costOf = async (client: Client, query: string): Promise<number> => {
    await client.graphql('{ __typename }');
    return leastOf(async () => {
      const { body } = await client.graphql(query);
      expect(body.errors).toBeUndefined();
    });
  };

  it.each([
    ['workflows', 'workflows { items { id } meta { total } }', 1],
    [
      'workflowConnection',
      'workflowConnection(first: 2) { edges { node { id } } pageInfo { endCursor } totalCount }',
      1,
    ],
    ['runConnection', 'runConnection(first: 2) { edges { node { id } } pageInfo { hasNextPage hasPreviousPage } }', 1],
    ['runConnection, counted', 'runConnection(first: 2) { totalCount }', 2],
    ['workflows → triggers', `workflows { items { ${TRIGGERS} } }`, 3],
    [
      'workflows → triggers → workflow → triggers',
      `workflows { items { triggers(perPage: 3) { items { workflow { ${TRIGGERS} } } } } }`,
      5,
    ],
    ['workflows → actions', 'workflows { items { actions { name kind config } } }', 3],
    ['workflows → runs → steps', 'workflows { items { runs(perPage: 3) { items { steps { name } } } } }', 4],
    [
      'integrations → history → integration',
      'integrations { items { history(perPage: 3) { items { integration { name } } } } }',
      4,
    ],
    [
      'integrations → triggers → workflow',
      'integrations { items { triggers(perPage: 3) { items { workflow { id } } } } }',
      4,
    ],
    ['integrations → eventsUrl', 'integrations { items { eventsUrl eventsSecret } }', 2],
    ['triggers → workflow', 'triggers { items { workflow { id } } }', 3],
    ['runs → steps', 'runs { items { steps { name } } }', 3],
    ['workflows → last run', 'workflows { items { lastRun { status } } }', 3],
    ['workflows that are searched', 'workflows(search: "flow") { items { id } meta { total } }', 2],
    ['runs → workflow', 'runs { items { workflow { name } } }', 3],
    ['integrations → workflows', 'integrations { items { workflows(perPage: 3) { items { id } meta { total } } } }', 4],
    ['integrations → type', 'integrations { items { integrationType { name } } }', 3],
    ['integration types', 'integrationTypes { items { type } }', 0],
  ])('of %s are as many for 20 as for 2', async (_what, selection, most) => {
    const [two, twenty] = [await costOf(few, `{ ${selection} }`), await costOf(many, `{ ${selection} }`)];
    expect(twenty).toBe(two);
    expect(twenty).toBeLessThanOrEqual(most);
  });

  it('of a list of runs count them only for a query of the total', async () => {
    expect(await costOf(many, '{ runs(status: FAILED) { items { id } } }')).toBe(1);
    for (const selection of ['meta { total }', '...P', '... on RunPage { all: meta { total } }', '... { ...P }']) {
      const fragment = selection.includes('...P') ? 'fragment P on RunPage { meta { total } }' : '';
      expect([selection, await costOf(many, `{ runs { items { id } ${selection} } } ${fragment}`)]).toEqual([
        selection,
        2,
      ]);
    }
  });

  it('of ten aliases of a link are one', async () => {
    const aliases = Array.from(
      { length: 10 },
      (_, index) => `t${index}: triggers(page: ${index + 1}, perPage: 1) { items { id } }`,
    );
    expect(await costOf(many, `{ workflows { items { ${aliases.join(' ')} } } }`)).toBe(2);
  });

  it('of ten root fields are at most two each, its own and one for its links', async () => {
    const { body } = await many.rest('GET', '/workflows');
    const ids = body.data.slice(0, 10).map(({ id }: { id: string }) => id);
    const fields = ids.map((id: string, index: number) => `w${index}: workflow(id: "${id}") { ${TRIGGERS} }`);
    expect(await costOf(many, `{ ${fields.join(' ')} }`)).toBeLessThanOrEqual(20);
  });

  it('of a REST create are one; under an Idempotency-Key its claim and its answer besides', async () => {
    const create = async (headers: Record<string, string>) => {
      const { status } = await few.rest('POST', '/workflows', { body: { name: 'counted' }, headers });
      expect(status).toBe(201);
    };
    expect(await leastOf(() => create({}))).toBe(1);
    expect(await leastOf((time) => create({ 'idempotency-key': `counted-${time}` }))).toBe(3);
  });

  it('of a REST list is one, and one for a key that is not known', async () => {
    const list = async () => expect((await many.rest('GET', '/workflows')).body.data).toHaveLength(20);
    expect(await leastOf(list)).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    const later = server.db.statements;
    await list();
    expect(server.db.statements - later).toBeLessThanOrEqual(3);
  });
});

async function accountWith(server: TestServer, count: number): Promise<Client> {
  const key = await server.key('read-write', `with ${count}`);
  const client = new Client(server.baseUrl, key);
  const actions = [{ name: 'wait', kind: 'delay', config: { seconds: 1 } }];
  for (let made = 0; made < count; made += 1) {
    const { body: workflow } = await client.rest('POST', '/workflows', { body: { name: 'Flow', status: 'active' } });
    await client.rest('PUT', `/workflows/${workflow.id}/actions`, { body: { actions } });
    const integration = await connectSandbox(server, key);
    await produce(server, integration, 2);
    const hook = await client.rest('POST', '/triggers', { body: { workflow_id: workflow.id, type: 'webhook' } });
    const config = { event: 'item.created', integration_id: integration };
    await client.rest('POST', '/triggers', { body: { workflow_id: workflow.id, type: 'app_event', config } });
    await fetch(hook.body.webhook_url as string, { method: 'POST', body: '1' });
  }
  return client;
}
