import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Webhook as Signer } from 'standardwebhooks';
import { pruneDeliveriesJob } from '../../src/features/webhooks/deliveries/deliveries-prune.job.js';
import { until } from '../support/until.js';
import { messageId, status } from './receiver.js';
import { WebhookWorld } from './webhook-world.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** What comes between the ten times that a delivery is tried, in milliseconds. */
const WAITS = [5_000, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR];

let world: WebhookWorld;
beforeAll(async () => {
  world = await WebhookWorld.open({ env: { ROLES: 'api' } });
  world.startSender();
});
afterAll(() => world.close());
beforeEach(() => {
  world.receiver.answer = status(204);
});

const now = (): number => world.server.clock.now().getTime();
const webhookOf = async (id: string): Promise<any> => (await world.client.rest('GET', `/webhooks/${id}`)).body;

async function mailsAbout(host: string): Promise<{ recipients: string[]; text: string }[]> {
  return world.server.db.query(`SELECT recipients, text FROM mails WHERE subject LIKE '%' || $1 || '%'`, [host]);
}

/** Moves the clock to the next time that the delivery is tried, and a little more. */
async function toNext(delivery: any): Promise<void> {
  await world.server.advance(Date.parse(delivery.next_attempt_at) - now() + 100);
}

describe('a delivery that fails', () => {
  it('says that its secret cannot be read, counts nothing against its receiver, and is tried again', async () => {
    const webhook = await world.webhook('/unreadable', ['workflow.created']);
    const rename = (from: string, to: string) =>
      world.server.db.query(`UPDATE webhooks SET secret = replace(secret, $1, $2) WHERE url = $3`, [
        from,
        to,
        webhook.url,
      ]);
    await rename('v1.', 'v1.0');
    await world.workflow();
    const failed = await world.tried(webhook.id, 1);
    expect(failed.status).toBe('pending');
    expect((await world.answerOf(webhook.id)).error).toContain('ENCRYPTION_KEY');
    const states = await world.server.db.query(`SELECT status, failing_since FROM webhooks WHERE url = $1`, [
      webhook.url,
    ]);
    expect(states).toEqual([{ status: 'enabled', failing_since: null }]);
    await rename('v1.0', 'v1.');
    await toNext(failed);
    expect(await world.tried(webhook.id, 2)).toMatchObject({ status: 'succeeded' });
    await world.client.rest('DELETE', `/webhooks/${webhook.id}`);
  });

  it('is tried ten times, later each time, under one id and with a fresh signature', async () => {
    world.receiver.answer = status(500);
    const { id, secret } = await world.webhook('/ten', ['workflow.created']);
    await world.workflow();
    let before = now();
    let delivery = await world.tried(id, 1);
    for (const [index, wait] of WAITS.entries()) {
      expect(delivery).toMatchObject({ status: 'pending', attempts: index + 1, response_status: 500 });
      const next = Date.parse(delivery.next_attempt_at);
      expect(next).toBeGreaterThanOrEqual(before + wait);
      expect(next).toBeLessThanOrEqual(now() + 1.1 * wait);
      await toNext(delivery);
      before = now();
      delivery = await world.tried(id, index + 2);
    }
    expect(delivery).toMatchObject({ status: 'failed', attempts: 10, next_attempt_at: null });
    const received = world.receiver.at('/ten');
    expect(received).toHaveLength(10);
    expect(new Set(received.map(messageId)).size).toBe(1);
    expect(delivery.id).toMatch(/^dlv_/);
    expect(new Set(received.map(({ body }) => body)).size).toBe(1);
    for (const { headers, body } of received) {
      const at = new Date(Number(headers['webhook-timestamp']) * 1_000);
      expect(headers['webhook-signature']).toBe(new Signer(secret).sign(headers['webhook-id'] as string, at, body));
    }
    expect(new Set(received.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(10);
    // Not five days: it stays.
    expect((await webhookOf(id)).status).toBe('enabled');
    await world.client.rest('DELETE', `/webhooks/${id}`);
  });

  it('succeeds when the receiver is there again', async () => {
    world.receiver.answer = status(503);
    const { id } = await world.webhook('/again', ['workflow.created']);
    await world.workflow();
    const first = await world.tried(id, 1);
    world.receiver.answer = status(200);
    await toNext(first);
    expect(await world.tried(id, 2)).toMatchObject({ id: first.id, status: 'succeeded', attempts: 2 });
    await world.client.rest('DELETE', `/webhooks/${id}`);
  });
});

describe('a webhook that fails for five days', () => {
  it('is disabled with a mail, and what waits is given up', async () => {
    world.receiver.answer = status(500);
    const { id } = await world.webhook('/failing', ['workflow.created']);
    await world.workflow();
    await toNext(await world.tried(id, 1));
    await world.tried(id, 2);
    await world.workflow();
    await world.tried(id, 1);
    await world.server.advance(5 * DAY);
    await until(async () => (await webhookOf(id)).status === 'disabled');
    const { host } = new URL(world.receiver.url());
    expect(await mailsAbout(host)).toEqual([
      { recipients: ['operator@example.com'], text: expect.stringContaining(`/v1/webhooks/${id}`) },
    ]);
    await until(async () => (await world.deliveries(id)).every((delivery) => delivery.status === 'failed'));
    const sent = world.receiver.at('/failing').length;
    await world.workflow();
    await world.server.advance(2 * DAY);
    expect(await world.deliveries(id)).toHaveLength(2);
    expect(world.receiver.at('/failing')).toHaveLength(sent);
    // Enabled again it has five days more, and a mail that did not go out is taken back.
    await world.client.rest('PUT', `/webhooks/${id}`, { body: { status: 'enabled' } });
    expect(await mailsAbout(host)).toEqual([]);
    await world.workflow();
    await toNext(await world.tried(id, 1));
    await world.tried(id, 2);
    expect((await webhookOf(id)).status).toBe('enabled');
    await world.client.rest('DELETE', `/webhooks/${id}`);
  });

  it('stays enabled when a delivery succeeded in between, and after a first failure long after the last', async () => {
    world.receiver.answer = status(500);
    const { id } = await world.webhook('/seldom', ['workflow.created']);
    await world.workflow();
    await toNext(await world.tried(id, 1));
    world.receiver.answer = status(200);
    await world.tried(id, 2);
    await world.server.advance(6 * DAY);
    world.receiver.answer = status(500);
    await world.workflow();
    const delivery = await world.tried(id, 1);
    expect(delivery.status).toBe('pending');
    await toNext(delivery);
    await world.tried(id, 2);
    expect((await webhookOf(id)).status).toBe('enabled');
    await world.client.rest('DELETE', `/webhooks/${id}`);
  });
});

describe('the log', () => {
  it('forgets after 30 days', async () => {
    const { id } = await world.webhook('/forgotten', ['workflow.created']);
    await world.workflow();
    await world.tried(id, 1);
    const { db, clock } = world.server;
    const leaves = async (log: number, events: number): Promise<boolean> => {
      // A row that a sender has locked is left to the next turn.
      await pruneDeliveriesJob(db, clock).run();
      const [left] = await db.query<{ log: number; events: number }>(
        `SELECT (SELECT count(*) FROM webhook_deliveries) AS log, (SELECT count(*) FROM webhook_events) AS events`,
      );
      return left!.log === log && left!.events === events;
    };
    await world.server.advance(29 * DAY);
    await pruneDeliveriesJob(db, clock).run();
    expect(await world.deliveries(id)).toHaveLength(1);
    const [{ id: old }] = await world.deliveries(id);
    const again = await world.client.rest('POST', `/webhooks/${id}/deliveries/${old}/redeliver`);
    expect(again.status).toBe(202);
    await world.server.advance(2 * DAY);
    // The event stays for the delivery that repeats it.
    await until(() => leaves(1, 1));
    await world.server.advance(30 * DAY);
    await until(() => leaves(0, 0));
  });
});
