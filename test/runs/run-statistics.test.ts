import { newUuid } from '../../src/platform/ids/ids.js';
import { bucketEdges } from '../../src/features/runs/statistics/bucket-edges.js';
import { Client } from '../support/http/client.js';
import { startTestServer, type TestServer } from '../support/server.js';

let server: TestServer;
let client: Client;
let workflow: { id: string; uuid: string; account: string };

beforeAll(async () => {
  server = await startTestServer({ env: { ROLES: 'api' } });
  client = new Client(server.baseUrl, await server.key());
  workflow = await makeWorkflow(client);
  const other = await makeWorkflow(client);
  const stranger = new Client(server.baseUrl, await server.key('read-write', 'stranger'));
  const foreign = await makeWorkflow(stranger);
  await makeRuns(workflow, [
    ['2026-11-09T23:59:59.999Z', 'succeeded'],
    ['2026-11-10T00:00:00.000Z', 'succeeded'],
    ['2026-11-10T23:30:00.000Z', 'failed'],
    ['2026-11-12T05:00:00.000Z', 'succeeded'],
    ['2026-11-12T05:59:59.999Z', 'succeeded'],
    ['2026-11-12T06:00:00.000Z', 'skipped'],
  ]);
  await makeRuns(other, [['2026-11-12T05:30:00.000Z', 'canceled']]);
  await makeRuns(foreign, [['2026-11-12T05:30:00.000Z', 'failed']]);
});
afterAll(() => server.close());

async function makeWorkflow(owner: Client): Promise<typeof workflow> {
  const { id } = (await owner.rest('POST', '/workflows', { body: { name: 'counted', status: 'active' } })).body;
  const [row] = await server.db.query<{ uuid: string; account: string }>(
    'SELECT id AS uuid, account_id AS account FROM workflows ORDER BY id DESC LIMIT 1',
  );
  return { id, ...row! };
}

async function makeRuns({ uuid, account }: typeof workflow, runs: readonly [string, string][]): Promise<void> {
  for (const [at, status] of runs) {
    await server.db.query(
      `INSERT INTO runs (id, account_id, workflow_id, trigger_type, status, created_at) VALUES ($1, $2, $3, 'manual', $4, $5)`,
      [newUuid(new Date(at)), account, uuid, status, at],
    );
  }
}

const QUERY = `query ($from: DateTime!, $to: DateTime, $bucket: StatisticsBucket! = DAY, $timezone: String, $workflowId: ID) {
  runStatistics(from: $from, to: $to, bucket: $bucket, timezone: $timezone, workflowId: $workflowId) {
    sum { total queued running succeeded failed canceled skipped }
    buckets { from to total succeeded failed canceled skipped }
  }
}`;

const ask = async (variables: object) => (await client.graphql(QUERY, { ...variables })).body;
const statistics = async (variables: object) => (await ask(variables)).data.runStatistics;
const totals = async (variables: object) => {
  const { buckets } = await statistics(variables);
  return buckets.map(({ from, total }: { from: string; total: number }) => [from, total]);
};

describe('runStatistics', () => {
  it('counts the account’s runs by status and day, including empty days', async () => {
    const { sum, buckets } = await statistics({ from: '2026-11-10T14:00:00Z', to: '2026-11-12T12:00:00Z' });
    expect(sum).toEqual({ total: 6, queued: 0, running: 0, succeeded: 3, failed: 1, canceled: 1, skipped: 1 });
    const day = (number: number) => `2026-11-${number}T00:00:00.000Z`;
    const none = { total: 0, succeeded: 0, failed: 0, canceled: 0, skipped: 0 };
    expect(buckets).toEqual([
      { ...none, from: day(10), to: day(11), total: 2, succeeded: 1, failed: 1 },
      { ...none, from: day(11), to: day(12) },
      { ...none, from: day(12), to: day(13), total: 4, succeeded: 2, canceled: 1, skipped: 1 },
    ]);
  });

  it('counts by hour', async () => {
    const asked = { from: '2026-11-12T05:20:00Z', to: '2026-11-12T07:00:00Z', bucket: 'HOUR' };
    expect(await totals(asked)).toEqual([
      ['2026-11-12T05:00:00.000Z', 3],
      ['2026-11-12T06:00:00.000Z', 1],
    ]);
  });

  it('begins days at midnight of the time zone', async () => {
    const asked = { from: '2026-11-10T00:00:00Z', to: '2026-11-11T12:00:00Z', timezone: 'Europe/Berlin' };
    expect(await totals(asked)).toEqual([
      ['2026-11-09T23:00:00.000Z', 2],
      ['2026-11-10T23:00:00.000Z', 1],
    ]);
  });

  it('counts the runs of one workflow, and goes up to now', async () => {
    const { sum, buckets } = await statistics({ from: '2026-11-01T00:00:00Z', workflowId: workflow.id });
    expect(sum).toMatchObject({ total: 6, canceled: 0 });
    expect(Date.parse(buckets.at(-1).to as string)).toBeGreaterThan(server.clock.now().getTime());
  });

  it('counts the runs of a deleted workflow', async () => {
    const gone = await makeWorkflow(client);
    await makeRuns(gone, [['2026-10-01T10:00:00.000Z', 'succeeded']]);
    const asked = { from: '2026-10-01T00:00:00Z', to: '2026-10-02T00:00:00Z', workflowId: gone.id };
    await client.rest('DELETE', `/workflows/${gone.id}`);
    expect(await totals(asked)).toEqual([['2026-10-01T00:00:00.000Z', 1]]);
  });

  it('needs one statement', async () => {
    const before = server.db.statements;
    await statistics({ from: '2026-11-10T00:00:00Z', to: '2026-11-12T00:00:00Z', workflowId: workflow.id });
    expect(server.db.statements - before).toBeLessThanOrEqual(2);
  });

  it.each([
    [{ from: '2026-11-12T00:00:00Z', to: '2026-11-12T00:00:00Z' }, 'to', 'must be later than `from`'],
    [{ from: '2025-01-01T00:00:00Z', to: '2026-11-12T00:00:00Z' }, 'from', /too many buckets: at most 400/],
    [{ from: '2026-10-01T00:00:00Z', to: '2026-11-12T00:00:00Z', bucket: 'HOUR' }, 'from', /too many buckets/],
    [{ from: '2026-11-11T00:00:00Z', timezone: 'Mars/Olympus' }, 'timezone', /must be an IANA time zone/],
    [{ from: '0001-01-01T00:00:00Z', to: '0001-01-02T00:00:00Z' }, 'from', /between the years 1970 and 3000/],
  ])('refuses %j and says why', async (variables, field, message) => {
    const { errors } = await ask(variables);
    expect(errors![0].extensions).toMatchObject({ code: 'VALIDATION_ERROR' });
    expect(errors![0].extensions.details).toEqual([{ field, message: expect.stringMatching(message) }]);
  });
});

describe('Workflow.runStatistics', () => {
  const LIST = `query ($from: DateTime!, $to: DateTime) { workflows(perPage: 100) { items {
    id runStatistics(from: $from, to: $to) { sum { total succeeded failed } buckets { from total failed } } } } }`;
  const period = { from: '2026-11-10T00:00:00Z', to: '2026-11-13T00:00:00Z' };
  const listed = async () => (await client.graphql(LIST, period)).body.data.workflows.items as Listed[];
  type Listed = { id: string; runStatistics: { sum: object; buckets: object[] } };

  it('counts the runs of each workflow, including those without any', async () => {
    const items = await listed();
    const { runStatistics } = items.find(({ id }) => id === workflow.id)!;
    expect(runStatistics.sum).toEqual({ total: 5, succeeded: 3, failed: 1 });
    expect(runStatistics.buckets).toEqual([
      { from: '2026-11-10T00:00:00.000Z', total: 2, failed: 1 },
      { from: '2026-11-11T00:00:00.000Z', total: 0, failed: 0 },
      { from: '2026-11-12T00:00:00.000Z', total: 3, failed: 0 },
    ]);
    for (const one of items) {
      const alone = await statistics({ ...period, workflowId: one.id });
      expect(alone.sum).toMatchObject(one.runStatistics.sum);
    }
  });

  it('costs one statement, whatever the number of workflows', async () => {
    const cost = async (): Promise<number> => {
      const before = server.db.statements;
      expect(await listed()).not.toHaveLength(0);
      return server.db.statements - before;
    };
    // Once a second, the key is looked up too.
    const least = async (): Promise<number> => Math.min(await cost(), await cost(), await cost());
    expect(await least()).toBe(2);
    for (let count = 0; count < 5; count += 1) await makeWorkflow(client);
    expect(await least()).toBe(2);
  });

  it('counts each period of one document', async () => {
    const document = `query ($id: ID!) { workflow(id: $id) {
      one: runStatistics(from: "2026-11-12T00:00:00Z", to: "2026-11-13T00:00:00Z") { sum { total } }
      two: runStatistics(from: "2026-11-10T00:00:00Z", to: "2026-11-11T00:00:00Z", bucket: HOUR) { sum { total } buckets { total } }
    } }`;
    const { data } = (await client.graphql(document, { id: workflow.id })).body;
    expect(data.workflow.one.sum).toEqual({ total: 3 });
    expect(data.workflow.two.sum).toEqual({ total: 2 });
    expect(data.workflow.two.buckets).toHaveLength(24);
  });
});

describe('the edges of buckets', () => {
  const edges = (from: string, to: string, bucket: 'hour' | 'day', timezone: string) =>
    bucketEdges({ from: new Date(from), to: new Date(to), bucket, timezone }).map((edge) =>
      edge.toISOString().slice(0, 16),
    );

  it('follow the clocks: a day of 23 hours in spring, one of 25 in autumn', () => {
    expect(edges('2026-03-28T12:00:00Z', '2026-03-29T22:30:00Z', 'day', 'Europe/Berlin')).toEqual([
      '2026-03-27T23:00',
      '2026-03-28T23:00',
      '2026-03-29T22:00',
      '2026-03-30T22:00',
    ]);
    expect(edges('2026-10-25T12:00:00Z', '2026-10-25T13:00:00Z', 'day', 'Europe/Berlin')).toEqual([
      '2026-10-24T22:00',
      '2026-10-25T23:00',
    ]);
  });

  it('lie on the hours of a zone that is half an hour off', () => {
    expect(edges('2026-11-10T10:10:00Z', '2026-11-10T11:00:00Z', 'hour', 'Asia/Kolkata')).toEqual([
      '2026-11-10T09:30',
      '2026-11-10T10:30',
      '2026-11-10T11:30',
    ]);
  });

  it('begin a day without midnight at the end of the gap, and leave out a day that a zone skipped', () => {
    expect(edges('2018-11-04T12:00:00Z', '2018-11-04T13:00:00Z', 'day', 'America/Sao_Paulo')[0]).toBe(
      '2018-11-04T03:00',
    );
    expect(edges('2011-12-29T12:00:00Z', '2011-12-31T00:00:00Z', 'day', 'Pacific/Apia')).toEqual([
      '2011-12-29T10:00',
      '2011-12-30T10:00',
      '2011-12-31T10:00',
    ]);
  });
});
