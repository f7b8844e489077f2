import { type ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { until } from '../support/until.js';
import { isSignedBy, messageId, status, verified } from './receiver.js';
import { WebhookWorld } from './webhook-world.js';

let world: WebhookWorld;
beforeAll(async () => {
  world = await WebhookWorld.open({ env: { ROLES: 'api' } });
  world.startSender();
});
afterAll(() => world.close());
beforeEach(() => {
  world.receiver.answer = status(204);
});

const post = (path: string): Promise<any> => world.client.rest('POST', path);

/** Holds requests to a path. @returns the function that answers them. */
function hold(path: string): Promise<ServerResponse> {
  return new Promise((resolve) => {
    world.receiver.answer = (received, response) =>
      received.path === path ? resolve(response) : status(204)(received, response);
  });
}

describe('a test', () => {
  it('is sent once, registered for or not', async () => {
    world.receiver.answer = status(500);
    const { id, secret } = await world.webhook('/test', ['run.failed']);
    const answer = await post(`/webhooks/${id}/test`);
    expect(answer).toMatchObject({ status: 202, body: { delivery_id: expect.stringMatching(/^dlv_/) } });
    const delivery = await world.tried(id, 1);
    expect(delivery).toMatchObject({
      id: answer.body.delivery_id,
      type: 'webhook.test',
      status: 'failed',
      attempts: 1,
    });
    const [received] = world.receiver.at('/test');
    expect(verified(received!, secret)).toMatchObject({ type: 'webhook.test', data: { webhook_id: id } });
    expect(messageId(received!)).toMatch(/^evt_/);
  });
});

describe('a delivery that is sent again', () => {
  it('is one of its own, with the event and the id of the first', async () => {
    const { id, secret } = await world.webhook('/again', ['workflow.created']);
    await world.workflow('Told twice');
    const first = await world.tried(id, 1);
    const { status: code, body } = await post(`/webhooks/${id}/deliveries/${first.id}/redeliver`);
    expect(code).toBe(202);
    await until(async () => (await world.tried(id, 1)).id === body.delivery_id);
    const third = await post(`/webhooks/${id}/deliveries/${body.delivery_id}/redeliver`);
    await until(() => world.receiver.at('/again').length === 3);
    const received = world.receiver.at('/again');
    expect(messageId(received[0]!)).toMatch(/^evt_/);
    expect(new Set(received.map(messageId)).size).toBe(1);
    expect(new Set(received.map(({ body: text }) => text)).size).toBe(1);
    for (const one of received) verified(one, secret);
    const log = await world.deliveries(id);
    expect(log.map((delivery) => delivery.id)).toEqual([third.body.delivery_id, body.delivery_id, first.id]);
  });

  it('is one of that webhook', async () => {
    const one = await world.webhook('/own', ['workflow.created']);
    const other = await world.webhook('/other', ['workflow.created']);
    await world.workflow();
    const { id } = await world.tried(one.id, 1);
    expect((await post(`/webhooks/${other.id}/deliveries/${id}/redeliver`)).status).toBe(404);
    expect((await post(`/webhooks/${one.id}/deliveries/dlv_nonsense/redeliver`)).status).toBe(404);
  });
});

describe('what our own runs send by hand', () => {
  it('have the hops of their own request, if they are more than the event’s', async () => {
    const { id } = await world.webhook('/hops', ['workflow.created']);
    await world.workflow();
    const { id: first } = await world.tried(id, 1);
    const headers = { 'workflow-hops': '3' };
    await world.client.rest('POST', `/webhooks/${id}/test`, { headers });
    await world.client.rest('POST', `/webhooks/${id}/deliveries/${first}/redeliver`, { headers });
    await until(() => world.receiver.at('/hops').length === 3);
    const hops = world.receiver.at('/hops').map((received) => received.headers['workflow-hops']);
    expect(hops.sort()).toEqual(['1', '4', '4']);
  });
});

describe('a delivery whose event was forgotten', () => {
  it('is not sent again', async () => {
    const { id } = await world.webhook('/forgotten', ['workflow.created']);
    await world.workflow();
    const delivery = await world.tried(id, 1);
    // As in the moment between the two statements that forget.
    await world.server.db.query(`DELETE FROM webhook_events`);
    const answer = await post(`/webhooks/${id}/deliveries/${delivery.id}/redeliver`);
    expect(answer).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect(await world.deliveries(id)).toHaveLength(1);
  });

  it('says so when it was still to be sent', async () => {
    world.receiver.answer = status(500);
    const { id } = await world.webhook('/forgotten-late', ['workflow.created']);
    await world.workflow();
    const { next_attempt_at: next } = await world.tried(id, 1);
    await world.server.db.query(`DELETE FROM webhook_events`);
    await world.server.advance(Date.parse(next) - world.server.clock.now().getTime() + 1);
    await until(async () => (await world.deliveries(id))[0].status === 'failed');
    expect((await world.answerOf(id)).error).toBe('The event was deleted after 30 days.');
    expect((await world.deliveries(id))[0].attempts).toBe(1);
  });
});

describe('a disabled webhook', () => {
  it('gets nothing, not even by hand, and pending deliveries end', async () => {
    world.receiver.answer = status(500);
    const { id } = await world.webhook('/disabled', ['workflow.created']);
    await world.workflow();
    const waiting = await world.tried(id, 1);
    await world.client.rest('PUT', `/webhooks/${id}`, { body: { status: 'disabled' } });
    expect(await world.deliveries(id)).toMatchObject([{ id: waiting.id, status: 'failed', next_attempt_at: null }]);
    expect((await world.answerOf(id)).error).toBe(`The webhook ${id} is disabled.`);
    await world.workflow();
    expect(await world.deliveries(id)).toHaveLength(1);
    for (const path of ['test', `deliveries/${waiting.id}/redeliver`]) {
      expect(await post(`/webhooks/${id}/${path}`)).toMatchObject({ status: 409, body: { code: 'conflict' } });
    }
    world.receiver.answer = status(200);
    await world.client.rest('PUT', `/webhooks/${id}`, { body: { status: 'enabled' } });
    expect((await post(`/webhooks/${id}/deliveries/${waiting.id}/redeliver`)).status).toBe(202);
    await until(async () => (await world.deliveries(id))[0].status === 'succeeded');
  });
});

describe('a delivery that is being sent while its webhook is disabled', () => {
  it.each([
    [200, 'succeeded'],
    [500, 'failed'],
  ])('ends as what came of it says: after %i it has %s', async (code, end) => {
    const held = hold(`/under-way-${code}`);
    const { id } = await world.webhook(`/under-way-${code}`, ['workflow.created']);
    await world.workflow();
    const response = await held;
    await world.client.rest('PUT', `/webhooks/${id}`, { body: { status: 'disabled' } });
    response.writeHead(code).end();
    expect(await world.tried(id, 1)).toMatchObject({ status: end, response_status: code, next_attempt_at: null });
  });
});

describe('a secret that was changed', () => {
  it('signs from then on, beside the old one for a day', async () => {
    const { id, secret: old } = await world.webhook('/rotated', ['workflow.created']);
    const { status: code, body } = await post(`/webhooks/${id}/rotate_secret`);
    expect(code).toBe(200);
    expect(body).toMatchObject({ id, secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/) });
    expect(body.secret).not.toBe(old);
    await world.workflow();
    await until(() => world.receiver.at('/rotated').length === 1);
    const [received] = world.receiver.at('/rotated');
    verified(received!, old);
    verified(received!, body.secret);
    await world.server.advance(24 * 3_600_000);
    await world.workflow();
    await until(() => world.receiver.at('/rotated').length === 2);
    expect(String(world.receiver.at('/rotated')[1]!.headers['webhook-signature']).split(' ')).toHaveLength(1);
  });
});

describe('a secret that is rotated again and again', () => {
  const rotate = (id: string) => post(`/webhooks/${id}/rotate_secret`);
  const signatures = async (path: string, count: number) => {
    await world.workflow();
    await until(() => world.receiver.at(path).length === count);
    return world.receiver.at(path)[count - 1]!;
  };

  it('lets each former one sign until its own day is over, and refuses a fifth', async () => {
    const hour = 3_600_000;
    const { id, secret: first } = await world.webhook('/often', ['workflow.created']);
    const secrets = [first];
    for (let round = 0; round < 4; round += 1) {
      await world.server.advance(hour);
      secrets.push((await rotate(id)).body.secret);
    }
    const received = await signatures('/often', 1);
    expect(secrets.map((secret) => isSignedBy(secret, received))).toEqual([true, true, true, true, true]);
    const refused = await rotate(id);
    expect([refused.status, refused.body.code]).toEqual([409, 'conflict']);
    // The day of the first one is over; those of the others are not.
    await world.server.advance(21 * hour);
    const later = await signatures('/often', 2);
    expect(secrets.map((secret) => isSignedBy(secret, later))).toEqual([false, true, true, true, true]);
    expect((await rotate(id)).status).toBe(200);
    expect((await rotate(id)).status).toBe(409);
  });

  it('never gets more than four by rotations at the same time', async () => {
    const { id } = await world.webhook('/at-once', ['workflow.deleted']);
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => rotate(id)));
    expect(outcomes.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 409, 409, 409, 409]);
  });
});

describe('a delivery that is being sent', () => {
  it('goes to the address that the webhook has then', async () => {
    world.receiver.answer = status(500);
    const { id } = await world.webhook('/moved', ['workflow.created']);
    await world.workflow();
    const { next_attempt_at: next } = await world.tried(id, 1);
    world.receiver.answer = status(200);
    await world.client.rest('PUT', `/webhooks/${id}`, { body: { url: world.receiver.url('/new') } });
    await world.server.advance(Date.parse(next) - world.server.clock.now().getTime() + 1);
    await until(() => world.receiver.at('/new').length === 1);
  });

  it('moves to the new URL, and the failure of the old one does not count', async () => {
    const held = hold('/left');
    const { id } = await world.webhook('/left', ['workflow.created']);
    await world.workflow();
    const response = await held;
    await world.client.rest('PUT', `/webhooks/${id}`, { body: { url: world.receiver.url('/found') } });
    response.writeHead(410).end();
    const delivery = await world.tried(id, 1);
    expect(delivery).toMatchObject({ status: 'pending', response_status: 410 });
    expect((await world.client.rest('GET', `/webhooks/${id}`)).body.status).toBe('enabled');
    await world.server.advance(Date.parse(delivery.next_attempt_at) - world.server.clock.now().getTime() + 1);
    await until(() => world.receiver.at('/found').length === 1);
  });

  it.each(['webhook', 'workflow'])('is never sent once its %s is deleted', async (thing) => {
    world.receiver.answer = status(500);
    const workflow = await world.workflow();
    const { id } = await world.webhook(`/dead-${thing}`, ['workflow.updated'], { workflow_id: workflow.id });
    const later = await world.webhook(`/alive-${thing}`, ['workflow.created']);
    await world.client.rest('PUT', `/workflows/${workflow.id}`, { body: { name: 'Updated' } });
    const { next_attempt_at: next } = await world.tried(id, 1);
    await world.client.rest('DELETE', thing === 'webhook' ? `/webhooks/${id}` : `/workflows/${workflow.id}`);
    expect((await world.client.rest('GET', `/webhooks/${id}`)).status).toBe(404);
    await world.server.advance(Date.parse(next) - world.server.clock.now().getTime() + 1);
    // What comes later is sent later: by then the other one would have been.
    await world.workflow();
    await world.tried(later.id, 1);
    expect(world.receiver.at(`/dead-${thing}`)).toHaveLength(1);
  });
});
