import 'reflect-metadata';
import { type ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type WebhookSender } from '../../src/webhooks/sending/webhook-sender.js';
import { Client } from '../support/client.js';
import { createTestDatabase } from '../support/database.js';
import { freePort } from '../support/free-port.js';
import { ServiceProcess } from '../support/service-process.js';
import { until } from '../support/until.js';
import { messageId, Receiver, status, verified } from './receiver.js';
import { WebhookWorld } from './webhook-world.js';

let world: WebhookWorld;
let senders: WebhookSender[] = [];
let receivers: Receiver[] = [];
beforeAll(async () => {
  world = await WebhookWorld.open({ env: { ROLES: 'api' } });
});
afterAll(() => world.close());
beforeEach(() => {
  world.receiver.answer = status(204);
});
afterEach(async () => {
  await Promise.all(senders.map((sender) => sender.stop()));
  receivers.forEach((receiver) => receiver.close());
  [senders, receivers] = [[], []];
});

function start(count = 1): void {
  senders = Array.from({ length: count }, () => world.sender());
  senders.forEach((sender) => sender.start());
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

  it('leaves other accounts their turn, even where one has many of them', async () => {
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
  it('hands back what it could not finish, as if it had not been tried', async () => {
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
  it('has no say in what another one has sent meanwhile', async () => {
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
    await until(async () => (await world.deliveries(id))[0].status === 'succeeded');
    response.writeHead(410).end();
    await slow.stop();
    expect(await world.deliveries(id)).toMatchObject([{ status: 'succeeded', attempts: 2, response_status: 200 }]);
    expect((await world.client.rest('GET', `/webhooks/${id}`)).body.status).toBe('enabled');
    await world.client.rest('DELETE', `/webhooks/${id}`);
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
    // As long as the first one could still be heard of, nobody else sends it.
    await next.server.advance(46_000);
    await until(async () => (await next.deliveries(id))[0].status === 'succeeded');
    const received = next.receiver.at('/killed');
    expect(received.map(messageId)).toHaveLength(2);
    expect(new Set(received.map(messageId)).size).toBe(1);
    verified(received[0]!, secret);
    await sender.stop();
    await next.close();
    await database.drop();
  }, 60_000);
});
