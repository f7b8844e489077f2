import { Answer } from '../../../src/platform/admission/answers.js';
import { LongWork } from '../../../src/platform/admission/long-work.js';
import { accountsAtWork } from '../../../src/platform/admission/work.js';
import { Slices } from '../../../src/platform/graphql/slices.js';
import { Client } from '../../support/http/client.js';
import { startTestServer, type TestServer } from '../../support/server.js';

let server: TestServer;
let client: Client;

beforeAll(async () => {
  server = await startTestServer({ env: { ROLES: 'api' } });
  client = new Client(server.baseUrl, await server.key());
  for (const name of ['a', 'b']) await client.graphql(`mutation { createWorkflow(input: { name: "${name}" }) { id } }`);
});
afterAll(() => server.close());

/** Notes the arguments of each call of a method, and lets each one take so many milliseconds. */
function watched(target: object, name: string, took = 0): unknown[][] {
  const methods = target as Record<string, (...given: unknown[]) => unknown>;
  const method = methods[name]!;
  const calls: unknown[][] = [];
  methods[name] = function (this: unknown, ...given) {
    calls.push(given);
    for (const end = performance.now() + took; performance.now() < end;);
    return method.apply(this, given);
  };
  restored.push(() => (methods[name] = method));
  return calls;
}
const restored: (() => void)[] = [];
// Backwards: a method that is watched twice would keep its first watcher, also for later files of the process.
afterEach(() =>
  restored
    .splice(0)
    .toReversed()
    .forEach((restore) => restore()),
);

const runs = (perPage: number) => `runs(perPage: ${perPage}) { items { workflow { id } } }`;
const workflows = (perPage: number) => `{ workflows(perPage: ${perPage}) { items { name ${runs(10)} } } }`;

describe('a request for more than 1,000 values', () => {
  it('is executed in slices, and has memory reserved for them; a shorter one is neither', async () => {
    const handed = watched(Slices.prototype, 'of');
    const reserved = watched(Answer.prototype, 'reserve');
    const short = await client.graphql(workflows(30));
    expect(short.body.errors).toBeUndefined();
    expect([handed.length, reserved.length]).toEqual([0, 0]);
    const long = await client.graphql(workflows(35));
    expect(long.body).toEqual(short.body);
    expect(long.body.data!.workflows.items.map(({ name }: { name: string }) => name).sort()).toEqual(['a', 'b']);
    expect(handed.length).toBeGreaterThan(4);
    expect(reserved).toEqual([[(1 + 35 * (2 + 1 + 10 * 3)) * 250]]);
  });

  it('is none over REST, whose compiled documents take no promises in lists', async () => {
    const handed = watched(Slices.prototype, 'of');
    const { status, body } = await client.rest('GET', '/workflows?per_page=100');
    expect([status, body.data.length]).toEqual([200, 2]);
    expect(handed).toEqual([]);
  });

  it('is the introspection too, which has its usual result', async () => {
    const handed = watched(Slices.prototype, 'of');
    const query = '{ __schema { types { name fields { name type { name ofType { name } } args { name } } } } }';
    const { body } = await client.graphql(query);
    expect(body.data!.__schema.types.some(({ name }: { name: string }) => name === 'Workflow')).toBe(true);
    expect(handed.length).toBeGreaterThan(1_000);
  });

  it('ends with its response, also if an error has made it null', async () => {
    const stopped = watched(Slices.prototype, 'stop');
    const failing = `{ workflows(perPage: 40) { items { bad: runs(after: "x") { items { id } } ${runs(30)} } } }`;
    const { body } = await client.graphql(failing);
    expect(body.errors).toHaveLength(1);
    expect(stopped).toHaveLength(1);
  });
});

describe('the result of a mutation with more than 1,000 values', () => {
  const RUN = 'id status attempt workflow { id name status createdAt updatedAt etag description }';
  const update = (input: string) =>
    `mutation ($id: ID!) { updateWorkflow(id: $id, input: ${input}) { runs(perPage: 100) { items { ${RUN} } } } }`;
  let id: string;
  let accountId: string;

  beforeAll(async () => {
    const { body } = await client.rest('POST', '/workflows', { body: { name: 'c', status: 'active' } });
    id = body.id;
    await client.rest('POST', '/triggers', { body: { workflow_id: id, type: 'manual' } });
    for (let run = 0; run < 5; run += 1)
      expect((await client.rest('POST', `/workflows/${id}/runs`, { body: {} })).status).toBe(201);
    const [row] = await server.db.query<{ account: string }>('SELECT account_id AS account FROM workflows LIMIT 1');
    accountId = row!.account;
  });

  /** The lanes of the turns that a request takes for its slices, beside another account. */
  async function lanesOf(query: string, headers: Record<string, string> = {}): Promise<unknown[]> {
    const turns = watched(LongWork.prototype, 'turn');
    watched(Slices.prototype, 'of', 6);
    const company = watched(accountsAtWork, 'note');
    accountsAtWork.note('another');
    const { body } = await client.send('POST', '/graphql', { body: { query, variables: { id } }, headers });
    expect(body.errors).toBeUndefined();
    expect(company.length).toBeGreaterThan(1);
    return [...new Set(turns.flat())];
  }

  it('is completed in turns of the account, like that of a query', async () => {
    expect(await lanesOf(`query ($id: ID!) { workflow(id: $id) { runs(perPage: 100) { items { ${RUN} } } } }`)).toEqual(
      [accountId],
    );
    expect(await lanesOf(update('{ description: "a" }'))).toEqual([accountId]);
  });

  it('has turns of its own in a unit of work, whose rows are locked', async () => {
    const lanes = await lanesOf(update('{ description: "b" }'), { 'Idempotency-Key': 'b' });
    expect(lanes).toEqual([`${accountId} locked`]);
  });
});

describe('a query in a document that has a mutation beside it', () => {
  it('is executed as a query: it waits for room, ends with its client, and counts as a read', async () => {
    const finishing = watched(Answer.prototype, 'mustFinish');
    const query = `query Q { viewer { __typename } } mutation M { updateWorkflow(id: "x", input: {}) { id } }`;
    const send = (operationName: string) => client.send('POST', '/graphql', { body: { query, operationName } });
    expect((await send('Q')).body.data).toEqual({ viewer: { __typename: expect.any(String) } });
    expect(finishing).toHaveLength(0);
    await send('M');
    expect(finishing).toHaveLength(1);
  });
});
