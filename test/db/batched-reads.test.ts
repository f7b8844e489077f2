import { systemClock } from '../../src/platform/clock.js';
import { type RequestContext } from '../../src/platform/context.js';
import { WorkflowService } from '../../src/features/workflows/workflow.service.js';
import { Client } from '../support/http/client.js';
import { startTestServer, type TestServer } from '../support/server.js';

const AT_ONCE = 60;

describe('concurrent reads of single workflows', () => {
  let server: TestServer;
  let mine: Client;
  let theirs: Client;
  let own: string[];
  let foreign: string;

  beforeAll(async () => {
    server = await startTestServer({ env: { ROLES: 'api' } });
    mine = new Client(server.baseUrl, await server.key());
    theirs = new Client(server.baseUrl, await server.key('read-write', 'another'));
    own = await Promise.all(Array.from({ length: 5 }, (_, index) => made(mine, `w${index}`)));
    foreign = await made(theirs, 'foreign');
  });
  afterAll(() => server.close());

  const made = async (client: Client, name: string): Promise<string> =>
    (await client.rest('POST', '/workflows', { body: { name } })).body.id as string;

  it('need fewer statements than requests, and each client gets its own row', async () => {
    const before = server.db.statements;
    const answers = await Promise.all(
      Array.from({ length: AT_ONCE }, (_, index) => mine.rest('GET', `/workflows/${own[index % own.length]}`)),
    );
    expect(answers.map(({ body }) => body.name)).toEqual(answers.map((_, index) => `w${index % own.length}`));
    expect(server.db.statements - before).toBeLessThan(AT_ONCE);
  });

  it('are refused one by one: of another account, absent, ill-formed', async () => {
    const asked: [Client, string, number][] = [
      [mine, own[0]!, 200],
      [mine, foreign, 401],
      [theirs, foreign, 200],
      [theirs, own[0]!, 401],
      [mine, 'wf_01h455vb4pex5vsknk084sn02q', 404],
      [mine, 'wf_nonsense', 404],
    ];
    const all = Array.from({ length: 5 }, () => asked).flat();
    const answers = await Promise.all(all.map(([client, id]) => client.rest('GET', `/workflows/${id}`)));
    expect(answers.map(({ status }) => status)).toEqual(all.map(([, , status]) => status));
    expect(answers.filter(({ status }) => status === 200).map(({ body }) => body.id)).toEqual(
      all.flatMap(([, id, status]) => (status === 200 ? [id] : [])),
    );
  });

  it('return the state at the time of the request: nothing is cached', async () => {
    for (let round = 0; round < 5; round += 1) {
      const [, read] = await Promise.all([
        mine.rest('GET', `/workflows/${own[1]}`),
        mine
          .rest('PUT', `/workflows/${own[1]}`, { body: { name: `round ${round}` } })
          .then(() => mine.rest('GET', `/workflows/${own[1]}`)),
      ]);
      expect(read.body.name).toBe(`round ${round}`);
    }
  });

  it('see the writes of their own unit of work', async () => {
    const workflows = new WorkflowService(server.db, systemClock);
    const [account] = await server.db.query<{ id: string }>('SELECT account_id AS id FROM workflows LIMIT 1');
    const context = { accountId: account!.id } as RequestContext;
    const { name } = await server.db.unitOfWork(
      async () => {
        const { id } = await workflows.create(context, { name: 'not committed', status: 'active' } as never);
        return workflows.get(context, id);
      },
      async () => undefined,
    );
    expect(name).toBe('not committed');
  });
});
