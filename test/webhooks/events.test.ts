import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fromPublicId } from '../../src/platform/ids/ids.js';
import { RestDocument } from '../support/http/rest-document.js';
import { until } from '../support/until.js';
import { messageId, verified } from './receiver.js';
import { WebhookWorld } from './webhook-world.js';

let world: WebhookWorld;
beforeAll(async () => {
  world = await WebhookWorld.open();
  world.startSender();
});
afterAll(() => world.close());

const rest = async (method: string, path: string, body?: object): Promise<any> =>
  (await world.client.rest(method, path, body && { body })).body;

const document = new RestDocument();

/** What a path has received, once it is so many, with the signatures verified: each as the OpenAPI document says. */
async function events(path: string, secret: string, count: number): Promise<any[]> {
  await until(() => world.receiver.at(path).length >= count);
  const told = world.receiver.at(path).map((received) => verified(received, secret));
  for (const event of told) {
    const schema = `webhooks/${event.type}/post/requestBody/content/application~1json/schema`;
    expect([event.type, document.faultsOfValue(schema, event)]).toEqual([event.type, []]);
  }
  return told;
}

const trigger = (workflow: string) => ({ workflow_id: workflow, type: 'manual' });

/** In the order that things happened in, which is not the order of arrival. */
const byTime = (one: any, other: any): number => (one.timestamp < other.timestamp ? -1 : 1);

describe('what happens to a workflow', () => {
  it('is recorded in the shape of its PUT', async () => {
    const { secret } = await world.webhook('/flow', ['workflow.created', 'workflow.updated', 'workflow.deleted']);
    const made = await rest('POST', '/workflows', { name: 'Told', description: 'It tells.' });
    const updated = await rest('PUT', `/workflows/${made.id}`, { status: 'active', description: '' });
    await rest('PUT', `/workflows/${made.id}/actions`, { actions: [] });
    const last = await rest('PUT', `/workflows/${made.id}`, {});
    await rest('DELETE', `/workflows/${made.id}`);
    const told = (await events('/flow', secret, 4)).sort(byTime);
    expect(told.map(({ type, data }) => [type, data])).toEqual([
      ['workflow.created', made],
      ['workflow.updated', updated],
      ['workflow.updated', last],
      ['workflow.deleted', last],
    ]);
    expect(Object.keys(told[0])).toEqual(['type', 'timestamp', 'data']);
    expect(told[0].timestamp).toBe(made.created_at);
  });

  it('is not recorded if the change is refused', async () => {
    const { id } = await world.webhook('/refused', ['workflow.created', 'workflow.updated']);
    await rest('POST', '/workflows', { name: '' });
    await rest('PUT', '/workflows/wf_00000000000000000000000000', { name: 'None' });
    expect(await world.deliveries(id)).toEqual([]);
  });
});

describe('what happens to a trigger', () => {
  it('is recorded without the secrets that could fire it', async () => {
    const { secret } = await world.webhook('/trigger', ['trigger.created', 'trigger.updated', 'trigger.deleted']);
    const workflow = await world.workflow();
    const config = { dedupe_header: 'X-Id', secret: 'hush-hush' };
    const made = await rest('POST', '/triggers', { workflow_id: workflow.id, type: 'webhook', config });
    await rest('PUT', `/triggers/${made.id}`, { status: 'paused' });
    await rest('DELETE', `/triggers/${made.id}`);
    const told = (await events('/trigger', secret, 3)).sort(byTime);
    const { webhook_url: _, ...shown } = { ...made, config: { dedupe_header: 'X-Id' } };
    expect(told.map(({ type, data }) => [type, data])).toEqual([
      ['trigger.created', shown],
      ['trigger.updated', { ...shown, status: 'paused' }],
      ['trigger.deleted', { ...shown, status: 'paused' }],
    ]);
  });

  it('is recorded when it is deleted with its workflow, only for webhooks of the whole account', async () => {
    const { secret } = await world.webhook('/gone', ['trigger.deleted', 'workflow.deleted']);
    const workflow = await world.workflow();
    const own = await world.webhook('/gone-too', ['trigger.deleted'], { workflow_id: workflow.id });
    const trigger = await rest('POST', '/triggers', { workflow_id: workflow.id, type: 'manual' });
    await rest('DELETE', `/workflows/${workflow.id}`);
    const told = await events('/gone', secret, 2);
    expect(told.map(({ type, data }) => [type, data.id]).sort()).toEqual([
      ['trigger.deleted', trigger.id],
      ['workflow.deleted', workflow.id],
    ]);
    const pointless = await world.server.db.query(`SELECT 1 FROM webhook_deliveries WHERE webhook_id = $1`, [
      fromPublicId('wh', own.id),
    ]);
    expect(pointless).toEqual([]);
  });
});

describe('a trigger that is deleted at the same moment as its workflow', () => {
  it('is recorded once', async () => {
    const webhook = await world.webhook('/once', ['trigger.deleted']);
    const workflow = await world.workflow();
    const { id } = await rest('POST', '/triggers', { workflow_id: workflow.id, type: 'manual' });
    const { db } = world.server;
    let deleted: Promise<unknown> | undefined;
    // As a deletion of the trigger would, which then records it.
    await db.transaction(async (tx) => {
      await tx.query(`DELETE FROM triggers WHERE id = $1`, [fromPublicId('trg', id)]);
      deleted = rest('DELETE', `/workflows/${workflow.id}`);
      await until(async () => {
        const waiting = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
        return (await db.query(waiting)).length > 0;
      });
    });
    await deleted;
    expect(await world.deliveries(webhook.id)).toEqual([]);
  });
});

describe('what our own runs change', () => {
  const hops = { 'workflow-hops': '3' };
  const change = async (method: string, path: string, body?: object): Promise<any> =>
    (await world.client.rest(method, path, { ...(body && { body }), headers: hops })).body;

  it('is recorded with the count of hops that led to it', async () => {
    const kinds = {
      workflow: ['created', 'updated', 'deleted'],
      trigger: ['created', 'updated', 'deleted'],
      integration: ['pending', 'connected', 'disconnected', 'deleted'],
    };
    const types = Object.entries(kinds).flatMap(([thing, words]) => words.map((word) => `${thing}.${word}`));
    await world.webhook('/hops', types);
    const flow = await change('POST', '/workflows', { name: 'Made by a run' });
    await change('PUT', `/workflows/${flow.id}`, { name: 'Changed by a run' });
    await change('PUT', `/workflows/${flow.id}/actions`, { actions: [] });
    const [kept, gone] = await Promise.all([1, 2].map(() => change('POST', '/triggers', trigger(flow.id))));
    await change('PUT', `/triggers/${kept.id}`, { status: 'paused' });
    await change('DELETE', `/triggers/${gone.id}`);
    await change('DELETE', `/workflows/${flow.id}`);
    await change('POST', '/integrations/connect', { type: 'sandbox_oauth' });
    const credentials = { api_key: 'sandbox_valid_key' };
    const { id } = await change('POST', '/integrations/connect', { type: 'sandbox_api_key', credentials });
    await change('POST', `/integrations/${id}/disconnect`);
    await change('DELETE', `/integrations/${id}`);
    await until(() => world.receiver.at('/hops').length === 13);
    const told = world.receiver
      .at('/hops')
      .map(({ body, headers }) => [JSON.parse(body).type, headers['workflow-hops']]);
    expect(told.filter(([, count]) => count !== '4')).toEqual([]);
    expect(new Set(told.map(([type]) => type))).toEqual(new Set(types));
  });

  it('can not loop forever through a hook of this service', async () => {
    const { id } = await world.workflow('Goes round');
    const { webhook_url: hook } = await rest('POST', '/triggers', { workflow_id: id, type: 'webhook' });
    const changed = await world.workflow('Changed each time');
    const config = {
      method: 'PUT',
      url: `${world.server.baseUrl}/v1/workflows/${changed.id}`,
      headers: { authorization: `Bearer ${await world.server.key()}` },
      body: { name: 'Once more' },
    };
    await rest('PUT', `/workflows/${id}/actions`, { actions: [{ name: 'changes', kind: 'http_request', config }] });
    await rest('PUT', `/workflows/${id}`, { status: 'active' });
    const around = { url: hook, events: ['workflow.updated'], workflow_id: changed.id };
    const webhook = await rest('POST', '/webhooks', around);
    await rest('PUT', `/workflows/${changed.id}`, { name: 'Off it goes' });
    const runs = async (): Promise<any[]> => (await rest('GET', `/workflows/${id}/runs`)).data;
    await until(async () => (await runs()).length > 3 || (await runs()).some(({ status }) => status === 'skipped'));
    await until(async () => (await runs()).every(({ status }) => status === 'succeeded' || status === 'skipped'));
    expect((await runs()).map(({ status }) => status)).toEqual(['skipped', 'succeeded', 'succeeded']);
    // Its address is a secret of this service's.
    await rest('DELETE', `/webhooks/${webhook.id}`);
  });
});

describe('what happens to an integration', () => {
  it('is recorded in the shape of its GET without events_url, renews and blocked_until, with each end of a flow', async () => {
    const shown = async (...request: Parameters<typeof rest>) => {
      const { events_url: _, renews: __, blocked_until: ___, ...integration } = await rest(...request);
      return integration;
    };
    const kinds = ['pending', 'connected', 'disconnected', 'deleted'].map((kind) => `integration.${kind}`);
    const { secret } = await world.webhook('/integration', kinds);
    const credentials = { api_key: 'sandbox_valid_key' };
    const { id } = await rest('POST', '/integrations/connect', {
      type: 'sandbox_api_key',
      credentials,
      reference: 'r',
    });
    const connected = await shown('GET', `/integrations/${id}`);
    const disconnected = await shown('POST', `/integrations/${id}/disconnect`);
    const flow = await rest('POST', '/integrations/connect', { type: 'sandbox_oauth' });
    const pending = await shown('GET', `/integrations/${flow.integration_id}`);
    await rest('DELETE', `/integrations/${id}`);
    const told = (await events('/integration', secret, 4)).sort(byTime);
    expect(told.map(({ type, data }) => [type, data])).toEqual([
      ['integration.connected', connected],
      ['integration.disconnected', disconnected],
      ['integration.pending', pending],
      ['integration.deleted', { ...disconnected, version: 3, status_reason: 'deleted' }],
    ]);
  });
});

describe('the end of a run', () => {
  it('is recorded in the shape of its GET, without its steps, and with the count of hops', async () => {
    const { secret } = await world.webhook('/run', ['run.succeeded', 'run.failed', 'run.canceled']);
    const { id } = await world.workflow();
    const trigger = await rest('POST', '/triggers', { workflow_id: id, type: 'webhook' });
    const hook = new URL(trigger.webhook_url).pathname;
    await rest('PUT', `/workflows/${id}`, { status: 'active' });
    const headers = { 'workflow-hops': '2' };
    const fired = await world.client.send('POST', hook, { body: '{"order":7}', headers });
    await events('/run', secret, 1);
    const lost = { path: 'trigger.body.none', operator: 'greater_than', value: 1 };
    const fails = [
      { name: 'fails', kind: 'http_request', config: { method: 'GET', url: 'http://{{ trigger.body }}' } },
    ];
    await rest('PUT', `/workflows/${id}/actions`, { actions: fails });
    await world.client.send('POST', hook, { body: JSON.stringify(lost) });
    await rest('PUT', `/workflows/${id}/actions`, {
      actions: [{ name: 'waits', kind: 'delay', config: { seconds: 3_600 } }],
    });
    const waits = await world.client.send('POST', hook, { body: '1' });
    await until(async () => (await rest('GET', `/runs/${waits.body.run_id}`)).status === 'running');
    await rest('POST', `/runs/${waits.body.run_id}/cancel`);
    const told = (await events('/run', secret, 3)).sort(byTime);
    expect(told.map(({ type }) => type)).toEqual(['run.succeeded', 'run.failed', 'run.canceled']);
    for (const { data } of told) {
      const {
        steps: _,
        trigger_headers: _headers,
        trigger_query: _query,
        ...run
      } = await rest('GET', `/runs/${data.id}`);
      expect(data).toEqual(run);
    }
    expect(told[0].data).toMatchObject({ id: fired.body.run_id, input: { order: 7 } });
    expect(world.receiver.at('/run')[0]!.headers['workflow-hops']).toBe('3');
  });

  it('refers to a large input, which is stored once and sent unchanged, also when repeated after the trigger was deleted', async () => {
    const { id, secret } = await world.webhook('/large', ['run.succeeded']);
    const { id: workflow } = await world.workflow();
    const trigger = await rest('POST', '/triggers', { workflow_id: workflow, type: 'webhook' });
    await rest('PUT', `/workflows/${workflow}`, { status: 'active' });
    const input = `{ "exact": 1.50, "text": "${'é'.repeat(150_000)}" }`;
    await world.client.send('POST', new URL(trigger.webhook_url).pathname, { body: input });
    const [told] = await events('/large', secret, 1);
    const {
      steps: _,
      trigger_headers: _headers,
      trigger_query: _query,
      ...run
    } = await rest('GET', `/runs/${told.data.id}`);
    expect(told.data).toEqual(run);
    expect(world.receiver.at('/large')[0]!.body).toContain(`"input":${input},"error":null`);
    const stored = `SELECT e.body || e.tail AS body FROM webhook_deliveries d JOIN webhook_events e ON e.id = d.event_id
      WHERE d.webhook_id = $1`;
    const [row] = await world.server.db.query<{ body: string }>(stored, [fromPublicId('wh', id)]);
    expect(row!.body.length).toBeLessThan(1_000);
    await rest('DELETE', `/triggers/${trigger.id}`);
    const delivery = await world.tried(id, 1);
    await rest('POST', `/webhooks/${id}/deliveries/${delivery.id}/redeliver`);
    await events('/large', secret, 2);
    const [first, again] = world.receiver.at('/large').map(({ body }) => body);
    expect(again).toBe(first);
  });

  it('is not sent any more once its input is deleted', async () => {
    const { id } = await world.webhook('/forgotten', ['run.succeeded']);
    await rest('PUT', `/webhooks/${id}`, { url: 'http://127.0.0.1:9/' });
    const { id: workflow } = await world.workflow();
    const trigger = await rest('POST', '/triggers', { workflow_id: workflow, type: 'webhook' });
    await rest('PUT', `/workflows/${workflow}`, { status: 'active' });
    await world.client.send('POST', new URL(trigger.webhook_url).pathname, { body: `"${'x'.repeat(5_000)}"` });
    await world.tried(id, 1);
    await world.server.db.query(`DELETE FROM payloads WHERE length(body) = 5002`);
    await world.server.db.query(`UPDATE webhook_deliveries SET next_attempt_at = created_at WHERE webhook_id = $1`, [
      fromPublicId('wh', id),
    ]);
    await until(async () => (await world.deliveries(id))[0].status === 'failed');
    expect((await world.answerOf(id)).error).toBe('The event was deleted after 30 days.');
  });

  it('is recorded for runs that are canceled with their workflow, only for webhooks of the whole account', async () => {
    const all = await world.webhook('/all', ['run.canceled', 'workflow.deleted']);
    const { id } = await world.workflow();
    await world.webhook('/own', ['run.canceled', 'workflow.deleted'], { workflow_id: id });
    const trigger = await rest('POST', '/triggers', { workflow_id: id, type: 'webhook' });
    await rest('PUT', `/workflows/${id}/actions`, {
      actions: [{ name: 'waits', kind: 'delay', config: { seconds: 3_600 } }],
    });
    await rest('PUT', `/workflows/${id}`, { status: 'active' });
    const fired = await world.client.send('POST', new URL(trigger.webhook_url).pathname, { body: '1' });
    // As if no worker had claimed it yet.
    await until(async () => (await rest('GET', `/runs/${fired.body.run_id}`)).status === 'running');
    await world.server.db.query(`UPDATE runs SET status = 'queued', resume_at = NULL WHERE status = 'running'`);
    await rest('DELETE', `/workflows/${id}`);
    const told = await events('/all', all.secret, 2);
    expect(told.map(({ type, data }) => [type, data.id]).sort()).toEqual([
      ['run.canceled', fired.body.run_id],
      ['workflow.deleted', id],
    ]);
    expect(world.receiver.at('/own')).toEqual([]);
  });
});

describe('a webhook', () => {
  it('of one workflow gets only its events, and none of integrations', async () => {
    const { id } = await world.workflow();
    const types = ['workflow.updated'];
    const { secret, id: webhookId } = await world.webhook('/one', types, { workflow_id: id });
    const other = await world.workflow();
    await rest('PUT', `/workflows/${other.id}`, { name: 'Other' });
    await rest('POST', '/integrations/connect', {
      type: 'sandbox_api_key',
      credentials: { api_key: 'sandbox_valid_key' },
    });
    await rest('PUT', `/workflows/${id}`, { name: 'Own' });
    const told = await events('/one', secret, 1);
    expect(told).toMatchObject([{ type: 'workflow.updated', data: { id, name: 'Own' } }]);
    expect(await world.deliveries(webhookId)).toHaveLength(1);
  });

  it('gets an event under its id in the log, which is the same for each webhook', async () => {
    const first = await world.webhook('/first', ['workflow.created']);
    const second = await world.webhook('/second', ['workflow.created']);
    await world.workflow();
    const [one] = await events('/first', first.secret, 1);
    const [two] = await events('/second', second.secret, 1);
    expect(one).toEqual(two);
    expect(() => verified(world.receiver.at('/first')[0]!, second.secret)).toThrow();
    const ids = ['/first', '/second'].map((path) => messageId(world.receiver.at(path)[0]!));
    const [logged] = await world.deliveries(first.id);
    expect(logged.id).toMatch(/^dlv_/);
    expect(ids[0]).toMatch(/^evt_/);
    expect(ids[1]).toBe(ids[0]);
    await until(async () => (await world.deliveries(first.id))[0].status === 'succeeded');
    expect((await world.deliveries(first.id))[0]).toMatchObject({
      type: 'workflow.created',
      attempts: 1,
      response_status: 204,
      next_attempt_at: null,
    });
  });
});

// The last, as it moves the clock by which the verifying library checks timestamps.
describe('the end of an abandoned flow', () => {
  it('is recorded with the hops of the request that began it', async () => {
    await world.webhook('/flow-hops', ['integration.disconnected']);
    const headers = { 'workflow-hops': '3' };
    const { body } = await world.client.rest('POST', '/integrations/connect', {
      body: { type: 'sandbox_oauth' },
      headers,
    });
    await world.server.advance(11 * 60_000);
    // Flows of the tests before end too.
    const told = () =>
      world.receiver.at('/flow-hops').find((sent) => JSON.parse(sent.body).data.id === body.integration_id);
    await until(() => told() !== undefined);
    expect(told()!.headers['workflow-hops']).toBe('4');
  });
});
