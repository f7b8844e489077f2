import { Client } from '../support/http/client.js';
import { startTestServer, type TestServer } from '../support/server.js';

let server: TestServer;
let client: Client;

beforeAll(async () => {
  server = await startTestServer({ env: { ROLES: 'api' } });
  client = new Client(server.baseUrl, await server.key());
});
afterAll(() => server.close());

/** An active workflow with a webhook trigger, fired `posts` times; nothing takes the runs, as no worker is there. */
async function firedWorkflow(posts: number) {
  const workflow = (await client.rest('POST', '/workflows', { body: { name: 'x', status: 'active' } })).body;
  const body = { workflow_id: workflow.id, type: 'webhook' };
  const trigger = (await client.rest('POST', '/triggers', { body })).body;
  const runs: string[] = [];
  for (let i = 0; i < posts; i += 1) {
    const posted = await fetch(trigger.webhook_url as string, { method: 'POST', body: JSON.stringify({ i }) });
    runs.push(((await posted.json()) as { run_id: string }).run_id);
  }
  return { workflow, trigger, runs };
}

describe('DELETE /v1/workflows/:id', () => {
  it('answers 204 without a body, then 404 to everything', async () => {
    const { workflow } = await firedWorkflow(0);
    const deleted = await client.rest('DELETE', `/workflows/${workflow.id}`);
    expect([deleted.status, deleted.body, deleted.headers.get('content-type')]).toEqual([204, undefined, null]);
    for (const [method, path] of [
      ['DELETE', ''],
      ['GET', ''],
      ['PUT', ''],
      ['GET', '/actions'],
      ['GET', '/runs'],
    ] as const) {
      expect((await client.rest(method, `/workflows/${workflow.id}${path}`)).status).toBe(404);
    }
    const body = { workflow_id: workflow.id, type: 'manual' };
    expect((await client.rest('POST', '/triggers', { body })).status).toBe(404);
  });

  it('removes its triggers and their addresses', async () => {
    const { workflow, trigger } = await firedWorkflow(0);
    await client.rest('DELETE', `/workflows/${workflow.id}`);
    expect((await client.rest('GET', `/triggers/${trigger.id}`)).status).toBe(404);
    expect((await client.rest('GET', `/triggers?workflow_id=${workflow.id}`)).body.meta.total).toBe(0);
    expect((await fetch(trigger.webhook_url as string, { method: 'POST', body: '1' })).status).toBe(404);
  });

  it('cancels what is queued and keeps every run readable, without its trigger', async () => {
    const { workflow, runs } = await firedWorkflow(3);
    await client.rest('DELETE', `/workflows/${workflow.id}`);
    for (const id of runs) {
      expect((await client.rest('GET', `/runs/${id}`)).body).toMatchObject({
        workflow_id: workflow.id,
        trigger_id: null,
        status: 'canceled',
        status_reason: 'workflow_deleted',
        finished_at: expect.any(String),
      });
    }
    expect((await client.rest('GET', `/runs?workflow_id=${workflow.id}`)).body.meta.total).toBe(3);
  });

  it('leaves the other workflows and their runs alone', async () => {
    const [kept, deleted] = [await firedWorkflow(1), await firedWorkflow(1)];
    await client.rest('DELETE', `/workflows/${deleted.workflow.id}`);
    expect((await client.rest('GET', `/runs/${kept.runs[0]!}`)).body.status).toBe('queued');
    expect((await client.rest('GET', `/triggers/${kept.trigger.id}`)).status).toBe(200);
  });

  it('answers 204 to one of many at once', async () => {
    const { workflow } = await firedWorkflow(0);
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => client.rest('DELETE', `/workflows/${workflow.id}`)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 404, 404, 404, 404, 404]);
  });
});
