import { type Answer, Client } from '../support/http/client.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { fill } from '../support/database/fill.js';

describe('the triggers of a workflow', () => {
  let server: TestServer;
  let client: Client;
  let workflow: string;

  beforeAll(async () => {
    server = await startTestServer();
    client = new Client(server.baseUrl, await server.key());
  });
  beforeEach(async () => {
    workflow = (await client.rest('POST', '/workflows', { body: { name: 'x' } })).body.id;
  });
  afterAll(() => server.close());

  const attach = () => client.rest('POST', '/triggers', { body: { workflow_id: workflow, type: 'manual' } });
  const many = (count: number) => Promise.all(Array.from({ length: count }, attach));
  /** One after another: concurrent requests would wait longer for each other than a request may. */
  const fill = async (count: number) => {
    for (let made = 0; made < count; made += 1) expect((await attach()).status).toBe(201);
  };
  const created = (answers: Answer[]) => answers.filter(({ status }) => status === 201).length;
  const total = async () =>
    (await client.rest('GET', `/triggers?workflow_id=${workflow}&per_page=1`)).body.meta.total as number;

  it('are 100 at most: one more is refused until one is deleted', async () => {
    await fill(99);
    const last = await attach();
    expect(last.status).toBe(201);
    expect(await attach()).toMatchObject({
      status: 400,
      body: { code: 'validation_error', details: [{ field: 'workflow_id' }] },
    });
    const { body } = await client.graphql(
      'mutation ($id: ID!) { createTrigger(input: { workflowId: $id, type: MANUAL }) { id } }',
      { id: workflow },
    );
    expect(body.errors![0].extensions).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [{ field: 'workflowId' }],
    });
    await client.rest('DELETE', `/triggers/${last.body.id}`);
    expect((await attach()).status).toBe(201);
    expect(await total()).toBe(100);
  });

  it('are 100 at most when many race for the last places', async () => {
    await fill(95);
    const racing = await many(20);
    expect([created(racing), await total()]).toEqual([5, 100]);
  });

  it('are 100 at most when two processes race for the last place', async () => {
    const { database, clock, baseUrl } = server;
    const other = await startTestServer({ database, clock, env: { BASE_URL: baseUrl } });
    try {
      const there = new Client(`http://localhost:${new URL(other.ws()).port}`, client.key);
      await fill(99);
      const body = { workflow_id: workflow, type: 'webhook' };
      const racing = await Promise.all([client, there].map((door) => door.rest('POST', '/triggers', { body })));
      expect(racing.map(({ status }) => status).sort()).toEqual([201, 400]);
      expect(await total()).toBe(100);
    } finally {
      await other.close();
    }
  });
});

describe('the triggers of an account', () => {
  it('are 10,000 at most, also when two workflows race for the last place', async () => {
    const server = await startTestServer();
    const client = new Client(server.baseUrl, await server.key());
    const make = async (by = client) =>
      (await by.rest('POST', '/workflows', { body: { name: 'x' } })).body.id as string;
    const attach = (workflow: string, by = client) =>
      by.rest('POST', '/triggers', { body: { workflow_id: workflow, type: 'manual' } });
    try {
      const workflows = [await make(), await make()];
      await attach(workflows[0]!);
      // Triggers of workflows that do not exist, so that no workflow exceeds its own limit.
      await server.db.query(`ALTER TABLE triggers DROP CONSTRAINT triggers_workflow_id_fkey`);
      await fill(
        server.database.url,
        `INSERT INTO triggers (id, account_id, workflow_id, type, config, status, created_at)
         SELECT gen_random_uuid(), account_id, gen_random_uuid(), type, config, status, created_at
         FROM triggers, generate_series(1, 9998)`,
      );
      const racing = await Promise.all(workflows.map((workflow) => attach(workflow)));
      expect(racing.map(({ status }) => status).sort()).toEqual([201, 400]);
      expect(await attach(workflows[0]!)).toMatchObject({
        status: 400,
        body: {
          code: 'validation_error',
          message: 'workflow_id: is of an account that has 10,000 triggers, the most that one may have',
        },
      });
      const other = new Client(server.baseUrl, await server.key('read-write', 'other'));
      expect((await attach(await make(other), other)).status).toBe(201);
    } finally {
      await server.close();
    }
  });
});
