import { createHmac } from 'node:crypto';
import { Client } from '../support/http/client.js';
import { noteSecret } from '../support/database/secrets.js';
import { startTestServer, type TestServer } from '../support/server.js';

const DUPLICATE = `mutation ($id: ID!, $name: String) { duplicateWorkflow(id: $id, name: $name) {
  id name description status runCount lastRun { id } actions { name kind config }
  triggers { items { id type status config webhookUrl nextFireAt } } } }`;
const SECRET = 'a secret of the sender';

describe('duplicateWorkflow', () => {
  let server: TestServer;
  let client: Client;
  beforeAll(async () => {
    server = await startTestServer({ env: { ROLES: 'api' } });
    client = new Client(server.baseUrl, await server.key());
    noteSecret(SECRET);
  });
  afterAll(() => server.close());

  const workflow = async (name = 'Orders') =>
    (await client.rest('POST', '/workflows', { body: { name, description: 'Of the shop', status: 'active' } })).body
      .id as string;
  const trigger = async (workflow_id: string, type: string, config?: object) =>
    (await client.rest('POST', '/triggers', { body: { workflow_id, type, config } })).body;
  const setActions = (id: string, actions: object[]) =>
    client.rest('PUT', `/workflows/${id}/actions`, { body: { actions } });
  const duplicate = async (variables: object) =>
    (await client.graphql(DUPLICATE, { ...variables })).body.data.duplicateWorkflow;
  const total = async () => (await client.rest('GET', '/workflows')).body.meta.total as number;

  it('copies actions and triggers into a draft, and gives a webhook another URL', async () => {
    const id = await workflow();
    const wait = { name: 'wait', kind: 'delay', config: { seconds: 1, note: 'unknown keys too' } };
    await setActions(id, [wait]);
    const hook = await trigger(id, 'webhook', { secret: SECRET, dedupe_header: 'X-Id' });
    const schedule = await trigger(id, 'schedule', { cron: '0 9 * * *' });
    await client.rest('PUT', `/triggers/${(await trigger(id, 'manual')).id}`, { body: { status: 'paused' } });

    const copy = await duplicate({ id });
    expect(copy).toMatchObject({ name: 'Orders (copy)', description: 'Of the shop', status: 'DRAFT', runCount: 0 });
    expect(copy.lastRun).toBeNull();
    expect(copy.actions).toEqual([{ ...wait, kind: 'DELAY' }]);
    const shown = copy.triggers.items.map(({ type, status, config, nextFireAt }: any) => [
      type,
      status,
      config,
      nextFireAt,
    ]);
    expect(shown).toEqual([
      ['MANUAL', 'PAUSED', {}, null],
      ['SCHEDULE', 'ACTIVE', schedule.config, null],
      ['WEBHOOK', 'ACTIVE', { secret: SECRET, dedupe_header: 'X-Id' }, null],
    ]);
    const { webhookUrl } = copy.triggers.items[2];
    expect(webhookUrl).not.toBe(hook.webhook_url);

    // Once active, it is fired by its own URL, signed as before.
    await client.rest('PUT', `/workflows/${copy.id}`, { body: { status: 'active' } });
    const signature = `sha256=${createHmac('sha256', SECRET).update('{}').digest('hex')}`;
    const post = (headers = {}) =>
      client.send('POST', new URL(webhookUrl).pathname, { body: '{}', headers: { 'x-id': '1', ...headers } });
    expect((await post()).status).toBe(401);
    expect((await post({ 'x-signature-256': signature })).body).toMatchObject({ accepted: true });
    const runs = async (of: string) => (await client.rest('GET', `/workflows/${of}/runs`)).body.meta.total;
    expect([await runs(copy.id), await runs(id)]).toEqual([1, 0]);
    // The schedule ticks, too.
    const { body } = await client.graphql(`{ upcomingFirings { trigger { workflow { id } } } }`);
    expect(body.data.upcomingFirings.map((firing: any) => firing.trigger.workflow.id).sort()).toEqual(
      [copy.id, id].sort(),
    );
  });

  it('takes a name, and shortens its own to what is allowed', async () => {
    const id = await workflow('🙂'.repeat(255));
    expect((await duplicate({ id, name: 'Another' })).name).toBe('Another');
    expect((await duplicate({ id })).name).toBe(`${'🙂'.repeat(248)} (copy)`);
    const { body } = await client.graphql(DUPLICATE, { id, name: '' });
    expect(body.errors![0].extensions).toMatchObject({ code: 'VALIDATION_ERROR', details: [{ field: 'name' }] });
  });

  it('copies a workflow whose connection was deleted', async () => {
    const body = { type: 'sandbox_api_key', credentials: { api_key: 'sandbox_valid_key' } };
    const { id: integration_id } = (await client.rest('POST', '/integrations/connect', { body })).body;
    const id = await workflow();
    await setActions(id, [
      { name: 'ask', kind: 'app_request', config: { integration_id, method: 'GET', path: '/me' } },
    ]);
    await trigger(id, 'app_event', { event: 'item.created', integration_id });
    await client.rest('DELETE', `/integrations/${integration_id}`);
    const copy = await duplicate({ id });
    expect(copy.actions[0].config.integration_id).toBe(integration_id);
    expect(copy.triggers.items).toMatchObject([{ type: 'APP_EVENT', status: 'ERROR', config: { integration_id } }]);
  });

  it('creates all or nothing', async () => {
    const id = await workflow();
    await setActions(id, [{ name: 'wait', kind: 'delay', config: { seconds: 1 } }]);
    await trigger(id, 'webhook', { secret: SECRET });
    const before = await total();
    await server.db.query(`UPDATE triggers SET config = '{"secret":"gone:x"}' WHERE config->>'secret' IS NOT NULL`);
    const { body } = await client.graphql(DUPLICATE, { id });
    expect(body.errors![0].extensions.code).toBe('UNAVAILABLE');
    expect(await total()).toBe(before);
    await server.db.query(`DELETE FROM triggers WHERE config->>'secret' = 'gone:x'`);
  });

  it('happens once with an Idempotency-Key', async () => {
    const id = await workflow();
    const send = () =>
      client.send('POST', '/graphql', {
        body: { query: DUPLICATE, variables: { id } },
        headers: { 'idempotency-key': 'once' },
      });
    const [first, second] = [await send(), await send()];
    expect(second.body).toEqual(first.body);
    expect(first.body.data.duplicateWorkflow.id).toMatch(/^wf_/);
  });
});
