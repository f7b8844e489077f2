import { type ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { fromPublicId } from '../../src/platform/ids/ids.js';
import { capacityBeside } from '../../src/features/webhooks/sending/capacity.js';
import { claimDeliveries } from '../../src/features/webhooks/sending/claim-deliveries.js';
import { type WebhookSender } from '../../src/features/webhooks/sending/webhook-sender.js';
import { Client } from '../support/http/client.js';
import { createTestDatabase } from '../support/database/database.js';
import { freePort } from '../support/http/free-port.js';
import { forbiddenTransitions, recordTransitions } from '../support/database/recorded-transitions.js';
import { ServiceProcess } from '../support/service-process.js';
import { until } from '../support/until.js';
import { messageId, Receiver, status, verified } from './receiver.js';
import { WebhookWorld } from './webhook-world.js';
import { fill } from '../support/database/fill.js';

const UPDATED = 'workflow.updated';

let world: WebhookWorld;
let senders: WebhookSender[] = [];
let receivers: Receiver[] = [];
beforeAll(async () => {
  world = await WebhookWorld.open({ env: { ROLES: 'api' } });
  await recordTransitions(world.server.db, 'webhook_deliveries');
});
afterAll(async () => {
  const forbidden = await forbiddenTransitions(world.server.db, 'webhook_deliveries');
  await world.close();
  expect(forbidden).toEqual([]);
});
beforeEach(() => {
  world.receiver.answer = status(204);
});
afterEach(async () => {
  // First, so that no delivery waits for their responses.
  receivers.forEach((receiver) => receiver.close());
  await Promise.all(senders.map((sender) => sender.stop()));
  [senders, receivers] = [[], []];
});

function start(count = 1): void {
  senders = Array.from({ length: count }, () => world.sender());
  senders.forEach((sender) => sender.start());
}

async function forget(): Promise<void> {
  for (const table of ['webhooks', 'webhook_events', 'webhook_deliveries']) {
    await world.server.db.query(`DELETE FROM ${table}`);
  }
}

async function open(): Promise<Receiver> {
  const receiver = await Receiver.open();
  receivers.push(receiver);
  return receiver;
}

describe('two senders', () => {
  it('send each delivery once', async () => {
    const { id } = await world.webhook('/twice', ['workflow.created']);
    await Promise.all(Array.from({ length: 60 }, () => world.workflow()));
    start(2);
    await until(async () => (await world.deliveries(id)).every((delivery) => delivery.status === 'succeeded'));
    const ids = world.receiver.at('/twice').map(messageId);
    expect(ids).toHaveLength(60);
    expect(new Set(ids).size).toBe(60);
    await world.client.rest('DELETE', `/webhooks/${id}`);
  });
});

describe('a target that hangs', () => {
  it('delays no other, however much waits for it', async () => {
    const hanging = await open();
    hanging.answer = () => undefined;
    const body = { url: hanging.url(), events: ['workflow.created', 'workflow.updated'] };
    const { id: stuck } = (await world.client.rest('POST', '/webhooks', { body })).body;
    const workflows = await Promise.all(Array.from({ length: 40 }, () => world.workflow()));
    const { id } = await world.webhook('/quick', ['workflow.updated']);
    start();
    await until(() => hanging.received.length > 0);
    await Promise.all(
      workflows.map((flow) => world.client.rest('PUT', `/workflows/${flow.id}`, { body: { name: 'B' } })),
    );
    await until(() => world.receiver.at('/quick').length === 40);
    // All of them while the first of the others wait for their answer, a few at once.
    expect(hanging.received.length).toBeLessThanOrEqual(15);
    expect((await world.deliveries(stuck)).every((delivery) => delivery.status === 'pending')).toBe(true);
    await world.client.rest('DELETE', `/webhooks/${id}`);
    await world.client.rest('DELETE', `/webhooks/${stuck}`);
  });

  it('serves other accounts, even if one has many webhooks', async () => {
    const hanging = await Promise.all(Array.from({ length: 45 }, open));
    for (const receiver of hanging) {
      receiver.answer = () => undefined;
      const body = { url: receiver.url(), events: ['workflow.created'] };
      await world.client.rest('POST', '/webhooks', { body });
    }
    await Promise.all(Array.from({ length: 10 }, () => world.workflow()));
    start();
    await until(() => hanging.filter(({ received }) => received.length > 0).length > 5);
    const other = new Client(world.server.baseUrl, await world.server.key('read-write', 'other'));
    await other.rest('POST', '/webhooks', {
      body: { url: world.receiver.url('/others'), events: ['workflow.created'] },
    });
    await other.rest('POST', '/workflows', { body: { name: 'Theirs' } });
    await until(() => world.receiver.at('/others').length === 1);
    await world.server.db.query(`DELETE FROM webhooks`);
  });

  it('leaves other accounts their turn at the same host', async () => {
    world.receiver.answer = ({ path }, response) => void (path === '/slow' || response.writeHead(204).end());
    await world.webhook('/slow', ['workflow.created']);
    await Promise.all(Array.from({ length: 40 }, () => world.workflow()));
    start();
    await until(() => world.receiver.at('/slow').length >= 8);
    const other = new Client(world.server.baseUrl, await world.server.key('read-write', 'neighbour'));
    await other.rest('POST', '/webhooks', { body: { url: world.receiver.url('/same'), events: ['workflow.created'] } });
    await other.rest('POST', '/workflows', { body: { name: 'Theirs' } });
    await until(() => world.receiver.at('/same').length === 1);
    // The first ones still wait for their answer.
    expect(world.receiver.at('/slow').length).toBeLessThanOrEqual(15);
    await world.server.db.query(`DELETE FROM webhooks`);
  });
});

describe('a sender that stops', () => {
  it('hands back unfinished deliveries without counting the attempt', async () => {
    world.receiver.answer = () => undefined;
    const { id } = await world.webhook('/stopped', ['workflow.created']);
    await world.workflow();
    start();
    await until(() => world.receiver.at('/stopped').length === 1);
    await senders[0]!.stop();
    expect(await world.deliveries(id)).toMatchObject([{ status: 'pending', attempts: 0 }]);
    world.receiver.answer = status(200);
    start();
    await until(async () => (await world.deliveries(id))[0].status === 'succeeded');
    const ids = world.receiver.at('/stopped').map(messageId);
    expect(new Set(ids).size).toBe(1);
    await world.client.rest('DELETE', `/webhooks/${id}`);
  });
});

describe('a sender that was given up', () => {
  it('cannot settle a delivery that another sender has sent in between', async () => {
    const held = Promise.withResolvers<ServerResponse>();
    world.receiver.answer = (_, response) => held.resolve(response);
    const { id } = await world.webhook('/late', ['workflow.created']);
    await world.workflow();
    const slow = world.sender();
    senders = [slow];
    slow.start();
    const response = await held.promise;
    world.receiver.answer = status(200);
    await world.server.advance(46_000);
    const next = world.sender();
    senders.push(next);
    next.start();
    // The attempt counts as one that failed.
    await world.tried(id, 1);
    await world.server.advance(6_000);
    await until(async () => (await world.deliveries(id))[0].status === 'succeeded');
    response.writeHead(410).end();
    await slow.stop();
    expect(await world.deliveries(id)).toMatchObject([{ status: 'succeeded', attempts: 2, response_status: 200 }]);
    expect((await world.client.rest('GET', `/webhooks/${id}`)).body.status).toBe('enabled');
    await world.client.rest('DELETE', `/webhooks/${id}`);
  });
});

describe('a delivery that kills its sender', () => {
  it('ends as one that failed ten times, which says nothing of its receiver', async () => {
    await forget();
    const { db } = world.server;
    const { id } = await world.webhook('/deadly', ['workflow.created']);
    await world.workflow();
    for (let attempt = 1; attempt <= 10; attempt += 1) {
      // A process claims it and dies.
      const [claimed] = (await claimDeliveries(db, capacityBeside([]))).deliveries;
      expect(claimed).toMatchObject({ attempts: attempt, wasLost: false });
      await world.server.advance(46_000);
      start();
      const delivery = await world.tried(id, attempt);
      await senders[0]!.stop();
      if (attempt < 10)
        await world.server.advance(Date.parse(delivery.next_attempt_at) - world.server.clock.now().getTime() + 1);
    }
    expect(await world.deliveries(id)).toMatchObject([{ status: 'failed', attempts: 10, next_attempt_at: null }]);
    expect(await world.answerOf(id)).toMatchObject({ error: expect.stringContaining('process that sent it died') });
    expect(world.receiver.at('/deadly')).toEqual([]);
    expect((await world.client.rest('GET', `/webhooks/${id}`)).body.status).toBe('enabled');
    const [webhook] = await db.query(`SELECT failing_since FROM webhooks WHERE id = $1`, [fromPublicId('wh', id)]);
    expect(webhook).toEqual({ failing_since: null });
    await world.client.rest('DELETE', `/webhooks/${id}`);
  });
});

describe('bodies of a megabyte', () => {
  /** Webhooks that have ten such deliveries waiting. */
  async function large(...paths: string[]): Promise<Receiver> {
    const receiver = await open();
    receiver.answer = () => undefined;
    for (const [index, path] of paths.entries()) {
      const body = { url: receiver.url(path, index === 0 ? '127.0.0.1' : `127.0.0.${index + 1}`), events: [UPDATED] };
      expect((await world.client.rest('POST', '/webhooks', { body })).status).toBe(201);
    }
    const { id } = await world.workflow();
    const changes = Array.from({ length: 10 }, (_, name) => ({ body: { name: String(name) } }));
    await Promise.all(changes.map((change) => world.client.rest('PUT', `/workflows/${id}`, change)));
    await world.server.db.query(`UPDATE webhook_events SET body = repeat('x', 1000000)`);
    return receiver;
  }

  it('are in memory few at a time, and delay no other account', async () => {
    const hanging = await large('/large');
    start();
    await until(() => hanging.received.length >= 2);
    const other = new Client(world.server.baseUrl, await world.server.key('read-write', 'small'));
    await other.rest('POST', '/webhooks', {
      body: { url: world.receiver.url('/small'), events: ['workflow.created'] },
    });
    await other.rest('POST', '/workflows', { body: { name: 'Theirs' } });
    await until(() => world.receiver.at('/small').length === 1);
    const [{ held }] = (await world.server.db.query<{ held: number }>(
      `SELECT count(*) AS held FROM webhook_deliveries WHERE claim IS NOT NULL AND type = $1`,
      [UPDATED],
    )) as [{ held: number }];
    expect(held).toBe(2);
    await forget();
  });

  it('are claimed as far as there is room, however many webhooks wait', async () => {
    await forget();
    const { db } = world.server;
    await large('/1', '/2', '/3');
    const { deliveries: claimed } = await claimDeliveries(db, { ...capacityBeside([]), slots: 6 });
    expect(claimed.map(({ slots, body }) => [slots, body!.length])).toEqual([
      [4, 1_000_000],
      [4, 1_000_000],
    ]);
    await forget();
  });
});

describe('thousands of deliveries to a webhook that was deleted', () => {
  it('are given up together', async () => {
    const { db } = world.server;
    const { id } = await world.webhook('/thousands', ['workflow.created']);
    await world.workflow();
    await fill(
      world.server.database.url,
      `INSERT INTO webhook_deliveries (id, account_id, webhook_id, event_id, type, status, attempts, next_attempt_at, created_at)
       SELECT gen_random_uuid(), account_id, webhook_id, event_id, type, status, attempts, next_attempt_at, created_at
       FROM webhook_deliveries, generate_series(1, 12000)`,
    );
    await world.client.rest('DELETE', `/webhooks/${id}`);
    const before = db.statements;
    start();
    await until(() => senders[0]!.counts.ended.failed === 12_001);
    expect(db.statements - before).toBeLessThan(500);
    const errors = await db.query(`SELECT DISTINCT error, attempts FROM webhook_deliveries`);
    expect(errors).toEqual([{ error: `The webhook ${id} was deleted.`, attempts: 0 }]);
    await forget();
  });
});

describe('a process that dies between sending and writing it down', () => {
  it('is followed by another one, which sends the same message again', async () => {
    const database = await createTestDatabase();
    const next = await WebhookWorld.open({ database, env: { ROLES: 'api' } });
    const first = await ServiceProcess.start({
      PORT: String(await freePort()),
      DATABASE_URL: database.url,
      ENCRYPTION_KEY: Buffer.alloc(32).toString('base64'),
      ALLOW_PRIVATE_NETWORK: 'true',
    });
    let killed: Promise<void> | undefined;
    next.receiver.answer = () => void (killed ??= first.kill());
    const { id, secret } = await next.webhook('/killed', ['workflow.created']);
    await next.workflow();
    await until(() => killed !== undefined);
    await killed;
    expect(await next.deliveries(id)).toMatchObject([{ status: 'pending', attempts: 1 }]);
    next.receiver.answer = status(200);
    const sender = next.sender();
    sender.start();
    // Until the first sender's lease ends, no other one sends it.
    await next.server.advance(46_000);
    await next.tried(id, 1);
    await next.server.advance(6_000);
    await until(async () => (await next.deliveries(id))[0].status === 'succeeded');
    const received = next.receiver.at('/killed');
    expect(received.map(messageId)).toHaveLength(2);
    expect(new Set(received.map(messageId)).size).toBe(1);
    verified(received[0]!, secret);
    await sender.stop();
    await next.close();
    await database.drop();
  });
});
