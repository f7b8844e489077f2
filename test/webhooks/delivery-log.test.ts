import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { tryError } from '../../src/features/webhooks/deliveries/delivery-try.js';
import { OutboundError } from '../../src/platform/http/outbound/outbound-error.js';
import { fromPublicId } from '../../src/platform/ids/ids.js';
import { Client } from '../support/http/client.js';
import { freePort } from '../support/http/free-port.js';
import { until } from '../support/until.js';
import { status } from './receiver.js';
import { WebhookWorld } from './webhook-world.js';

let world: WebhookWorld;
beforeAll(async () => {
  world = await WebhookWorld.open();
  world.startSender();
});
afterAll(() => world.close());
beforeEach(() => {
  world.receiver.answer = status(204);
});

const EVENTS = ['workflow.created', 'trigger.created', 'run.succeeded', 'integration.connected'];
const single = (webhook: string, id: string) => world.client.rest('GET', `/webhooks/${webhook}/deliveries/${id}`);
const list = async (webhook: string, query: string): Promise<any[]> =>
  (await world.client.rest('GET', `/webhooks/${webhook}/deliveries?${query}`)).body.data;

async function happenings(): Promise<void> {
  const { id } = (await world.client.rest('POST', '/workflows', { body: { name: 'Seen', status: 'active' } })).body;
  await world.client.rest('POST', '/triggers', { body: { workflow_id: id, type: 'manual' } });
  await world.client.rest('POST', `/workflows/${id}/runs`, { body: { input: { large: 'x'.repeat(20_000) } } });
  const connect = { type: 'sandbox_api_key', credentials: { api_key: 'sandbox_valid_key' } };
  await world.client.rest('POST', '/integrations/connect', { body: connect });
}

describe('one delivery', () => {
  it('has the body that was sent, what it is about, and how it was sent', async () => {
    const { id } = await world.webhook('/log', EVENTS);
    await happenings();
    await until(() => world.receiver.at('/log').length === EVENTS.length);
    await until(async () => (await list(id, 'status=succeeded')).length === EVENTS.length);
    const listed = await list(id, '');
    expect(listed.map(({ type }) => type).sort()).toEqual([...EVENTS].sort());
    for (const row of listed) {
      const { status: code, body } = await single(id, row.id);
      const sent = world.receiver.at('/log').find(({ headers }) => headers['webhook-id'] === body.event_id)!;
      expect([code, body]).toEqual([
        200,
        {
          ...row,
          event_id: expect.stringMatching(/^evt_/),
          subject: JSON.parse(sent.body).data.id,
          redelivers: null,
          tries: [{ at: expect.any(String), response_status: 204, error: null, duration_ms: expect.any(Number) }],
          body: JSON.parse(sent.body),
        },
      ]);
    }
  });

  it('shows each try, and names what it sends again', async () => {
    const { id } = await world.webhook('/again', ['run.failed']);
    world.receiver.answer = status(500);
    const { delivery_id: first } = (await world.client.rest('POST', `/webhooks/${id}/test`)).body;
    await world.tried(id, 1);
    const failed = { response_status: 500, error: null };
    const { event_id: event } = (await single(id, first)).body;
    expect((await single(id, first)).body).toMatchObject({ status: 'failed', subject: id, tries: [failed] });
    world.receiver.answer = status(204);
    const again = await world.client.rest('POST', `/webhooks/${id}/deliveries/${first}/redeliver`);
    const { delivery_id: second } = again.body;
    await world.tried(id, 1);
    expect((await single(id, second)).body).toMatchObject({ event_id: event, redelivers: first, subject: id });
    const third = await world.client.rest('POST', `/webhooks/${id}/deliveries/${second}/redeliver`);
    expect((await single(id, third.body.delivery_id)).body).toMatchObject({ event_id: event, redelivers: first });
    expect(world.receiver.at('/again').every(({ headers }) => headers['webhook-id'] === event)).toBe(true);
  });

  it.each([
    ['refused', async () => `http://127.0.0.1:${await freePort()}/`],
    ['tls', async () => world.receiver.url('/').replace('http:', 'https:')],
    ['dns', async () => 'http://nowhere.invalid/'],
  ])('says %s if that is why nothing was answered', async (word, target) => {
    const { id } = await world.webhook('/none', ['run.failed']);
    const moved = [fromPublicId('wh', id), await target()];
    await world.server.db.query('UPDATE webhooks SET url = $2, host = $2 WHERE id = $1', moved);
    const { delivery_id: delivery } = (await world.client.rest('POST', `/webhooks/${id}/test`)).body;
    await world.tried(id, 1);
    expect((await single(id, delivery)).body.tries).toMatchObject([{ response_status: null, error: word }]);
  });

  it('says internal if the process died, and that it took no known time', async () => {
    const { id } = await world.webhook('/lost', ['workflow.created']);
    const uuid = fromPublicId('wh', id);
    world.receiver.answer = status(500);
    await world.client.rest('POST', `/webhooks/${id}/test`);
    await world.tried(id, 1);
    await world.server.db.query(
      `UPDATE webhook_deliveries SET status = 'pending', completed_at = NULL, claim = gen_random_uuid(), attempts = 2,
         next_attempt_at = now() WHERE webhook_id = $1`,
      [uuid],
    );
    const tries = async () => (await single(id, (await list(id, ''))[0].id)).body.tries as object[];
    await until(async () => (await tries()).length === 2);
    expect((await tries())[1]).toMatchObject({ response_status: null, error: 'internal', duration_ms: null });
  });

  it('of another webhook, of none or of another account is not shown', async () => {
    const [{ id }, { id: other }] = [
      await world.webhook('/a', ['run.failed']),
      await world.webhook('/b', ['run.failed']),
    ];
    const { delivery_id: delivery } = (await world.client.rest('POST', `/webhooks/${id}/test`)).body;
    expect((await single(other, delivery)).status).toBe(404);
    expect((await single(id, 'dlv_x')).status).toBe(404);
    expect((await single('wh_x', delivery)).status).toBe(404);
    const stranger = new Client(world.server.baseUrl, await world.server.key('read-write', 'Strangers'));
    expect((await stranger.rest('GET', `/webhooks/${id}/deliveries/${delivery}`)).status).toBe(401);
    await world.client.rest('DELETE', `/webhooks/${id}`);
    expect((await single(id, delivery)).status).toBe(404);
  });

  it.each([
    ['timeout', 'timeout', undefined],
    ['blocked', 'blocked', undefined],
    ['network', 'refused', 'ECONNREFUSED'],
    ['network', 'dns', 'EAI_AGAIN'],
    ['network', 'tls', 'DEPTH_ZERO_SELF_SIGNED_CERT'],
    ['network', 'tls', 'ERR_TLS_CERT_ALTNAME_INVALID'],
    ['network', 'tls', 'CERT_HAS_EXPIRED'],
    ['network', 'network', 'ECONNRESET'],
    ['too_large', 'network', undefined],
  ] as const)('has for %s the word %s (%s)', (reason, word, detail) => {
    expect(tryError(new OutboundError(reason, 'x', detail))).toBe(word);
  });
});

describe('the deliveries of a webhook', () => {
  it('are found by type and time, on each door', async () => {
    const { id } = await world.webhook('/found', ['workflow.created', 'trigger.created']);
    const made = (await world.client.rest('POST', '/workflows', { body: { name: 'Found' } })).body;
    await world.client.rest('POST', `/webhooks/${id}/test`);
    const times = (await list(id, '')).map(({ created_at: at }) => at as string);
    expect(times).toHaveLength(2);
    const types = async (query: string) => (await list(id, query)).map(({ type }) => type);
    expect(await types('type=workflow.created')).toEqual(['workflow.created']);
    expect(await types('type=webhook.test')).toEqual(['webhook.test']);
    expect(await types('type=trigger.created')).toEqual([]);
    expect(await types(`created_after=${made.created_at}`)).toEqual(['webhook.test']);
    expect(await types(`created_before=${times[0]}`)).toEqual(['workflow.created']);
    expect(await types(`created_before=${times[1]}`)).toEqual([]);
    expect(await types(`type=webhook.test&created_before=${times[0]}`)).toEqual([]);
    const wrong = await world.client.rest('GET', `/webhooks/${id}/deliveries?type=workflow.made`);
    expect(wrong).toMatchObject({ status: 400, body: { details: [{ field: 'type' }] } });

    const query = `query ($id: ID!, $after: DateTime) {
      webhook(id: $id) {
        deliveries(createdAfter: $after) { items { type } meta { total } }
        tests: deliveries(type: "webhook.test") { items { type } meta { total } }
      }
      deliveryConnection(webhookId: $id, createdAfter: $after) { totalCount edges { node { type } } }
      all: deliveryConnection(webhookId: $id, first: 1) { totalCount pageInfo { hasNextPage } edges { node { id } } }
    }`;
    const { body } = await world.client.graphql(query, { id, after: made.created_at });
    const found = { items: [{ type: 'webhook.test' }], meta: { total: 1 } };
    expect(body.data).toMatchObject({
      webhook: { deliveries: found, tests: found },
      deliveryConnection: { totalCount: 1, edges: [{ node: { type: 'webhook.test' } }] },
      all: { totalCount: 2, pageInfo: { hasNextPage: true } },
    });
  });

  it('show large bodies only one by one in GraphQL', async () => {
    const { id } = await world.webhook('/large', ['run.succeeded']);
    await happenings();
    await happenings();
    await until(async () => (await list(id, '')).length === 2);
    const ask = `query ($id: ID!, $n: Int!) { webhook(id: $id) { deliveries(perPage: $n) { items { id body subject } } } }`;
    const items = async (n: number) =>
      (await world.client.graphql(ask, { id, n })).body.data.webhook.deliveries.items as any[];
    expect((await items(2)).map(({ body, subject }) => [body, subject])).toEqual([
      [null, expect.stringMatching(/^run_/)],
      [null, expect.stringMatching(/^run_/)],
    ]);
    const [one] = await items(1);
    expect(one.body.data.input.large).toHaveLength(20_000);
    expect(one.subject).toBe(one.body.data.id);
  });
});
