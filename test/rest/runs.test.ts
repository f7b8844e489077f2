import { Client } from '../support/http/client.js';
import { startTestServer, type TestServer } from '../support/server.js';

// prettier-ignore
const FIELDS = ['id', 'workflow_id', 'trigger_id', 'trigger_type', 'status', 'status_reason', 'attempt', 'retry_of', 'input',
  'error', 'scheduled_for', 'created_at', 'started_at', 'finished_at'];

let server: TestServer;
let client: Client;
let workflow: { id: string };
let trigger: { id: string; webhook_url: string };
const runs: string[] = [];

beforeAll(async () => {
  // Nothing takes the runs: they stay as they were made.
  server = await startTestServer({ env: { ROLES: 'api' } });
  client = new Client(server.baseUrl, await server.key());
  workflow = (await client.rest('POST', '/workflows', { body: { name: 'x', status: 'active' } })).body;
  trigger = (await client.rest('POST', '/triggers', { body: { workflow_id: workflow.id, type: 'webhook' } })).body;
  for (const body of ['{"n":1}', '[2]', '']) await fire(body);
  await client.rest('PUT', `/workflows/${workflow.id}`, { body: { status: 'paused' } });
  await fire('"4"');
});
afterAll(() => server.close());

async function fire(body: string) {
  const posted = await fetch(trigger.webhook_url, { method: 'POST', body });
  runs.unshift(((await posted.json()) as { run_id: string }).run_id);
  // Times of their own, for the filters by time.
  await new Promise((resolve) => setTimeout(resolve, 3));
}

const list = async (query: string) => (await client.rest('GET', `/runs${query}`)).body;
const idsOf = (body: { data: { id: string }[] }) => body.data.map(({ id }) => id);

describe('GET /v1/runs/:id', () => {
  it('gives a queued run with every field, steps last', async () => {
    const { status, body } = await client.rest('GET', `/runs/${runs[3]!}`);
    const own = FIELDS.flatMap((name) => (name === 'input' ? [name, 'trigger_headers', 'trigger_query'] : [name]));
    expect([status, Object.keys(body)]).toEqual([200, [...own, 'steps']]);
    expect(body).toEqual({
      id: expect.stringMatching(/^run_[0-9a-z]{26}$/),
      workflow_id: workflow.id,
      trigger_id: trigger.id,
      trigger_type: 'webhook',
      status: 'queued',
      status_reason: null,
      attempt: 1,
      retry_of: null,
      input: { n: 1 },
      trigger_headers: expect.objectContaining({ 'content-type': 'text/plain;charset=UTF-8' }),
      trigger_query: {},
      error: null,
      scheduled_for: null,
      created_at: expect.stringMatching(/Z$/),
      started_at: null,
      finished_at: null,
      steps: [],
    });
  });

  it('gives the reason of a skipped one, and any JSON as input', async () => {
    const answers = await Promise.all(runs.map((id) => client.rest('GET', `/runs/${id}`)));
    expect(answers.map(({ body }) => body.input)).toEqual(['4', null, [2], { n: 1 }]);
    expect(answers[0]!.body).toMatchObject({ status: 'skipped', status_reason: 'workflow_not_active' });
  });

  it('distinguishes unknown from foreign', async () => {
    const other = new Client(server.baseUrl, await server.key('read-write', 'other'));
    expect((await other.rest('GET', `/runs/${runs[0]!}`)).status).toBe(401);
    for (const id of ['run_01h455vb4pex5vsknk084sn02q', 'nonsense', workflow.id]) {
      expect((await client.rest('GET', `/runs/${id}`)).status).toBe(404);
    }
  });
});

describe('GET /v1/runs', () => {
  it('lists newest first, without steps', async () => {
    const body = await list('');
    expect(idsOf(body)).toEqual(runs);
    expect(body.meta).toEqual({ total: 4, page: 1, per_page: 20 });
    for (const item of body.data) expect(Object.keys(item)).toEqual(FIELDS);
  });

  it('filters by workflow, trigger and status, and pages', async () => {
    expect(idsOf(await list(`?workflow_id=${workflow.id}&trigger_id=${trigger.id}&status=queued`))).toEqual(
      runs.slice(1),
    );
    expect(idsOf(await list('?status=skipped'))).toEqual([runs[0]]);
    expect(await list('?page=2&per_page=3')).toMatchObject({
      data: [{ id: runs[3] }],
      meta: { total: 4, page: 2, per_page: 3 },
    });
    expect((await list('?trigger_id=trg_01h455vb4pex5vsknk084sn02q')).meta.total).toBe(0);
  });

  it('takes created_after and created_before as exclusive', async () => {
    const { data } = await list('');
    const [newest, , , oldest] = data.map(({ created_at }: { created_at: string }) => created_at);
    expect(idsOf(await list(`?created_after=${oldest}&created_before=${newest}`))).toEqual(runs.slice(1, 3));
    const east = new Date(Date.parse(oldest) + 3_600_000).toISOString().replace('Z', '%2B01:00');
    expect(idsOf(await list(`?created_after=${east}`))).toEqual(runs.slice(0, 3));
  });

  it('shows nothing of other accounts', async () => {
    const other = new Client(server.baseUrl, await server.key('read-only', 'other'));
    for (const query of ['', `?workflow_id=${workflow.id}`, `?trigger_id=${trigger.id}`]) {
      expect((await other.rest('GET', `/runs${query}`)).body).toMatchObject({ data: [], meta: { total: 0 } });
    }
  });
});

describe('GET /v1/workflows/:id/runs', () => {
  it('lists the runs of one workflow, filtered and paged', async () => {
    const empty = (await client.rest('POST', '/workflows', { body: { name: 'y' } })).body.id;
    const of = async (id: string, query = '') => (await client.rest('GET', `/workflows/${id}/runs${query}`)).body;
    const body = await of(workflow.id);
    expect([Object.keys(body), idsOf(body), Object.keys(body.data[0])]).toEqual([['data', 'meta'], runs, FIELDS]);
    expect(idsOf(await of(workflow.id, '?status=queued&per_page=2&page=2'))).toEqual([runs[3]]);
    expect(await of(workflow.id, '?page=9')).toEqual({ data: [], meta: { total: 4, page: 9, per_page: 20 } });
    expect(await of(empty)).toEqual({ data: [], meta: { total: 0, page: 1, per_page: 20 } });
  });

  it.each(['page=0', 'per_page=101', 'status=QUEUED'])('refuses %s', async (query) => {
    const { status, body } = await client.rest('GET', `/workflows/${workflow.id}/runs?${query}`);
    expect([status, body.details[0].field]).toEqual([400, query.split('=')[0]]);
  });
});
