import { type ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Answer, Receiver, status, verified } from './receiver.js';
import { WebhookWorld } from './webhook-world.js';
import { type WebhookSender } from '../../src/features/webhooks/sending/webhook-sender.js';

/** What a receiver may take in these tests; the service gives it 15 s. */
const TIMEOUT_MS = 4_000;

let world: WebhookWorld;
let sender: WebhookSender;
beforeAll(async () => {
  world = await WebhookWorld.open({ env: { ROLES: 'api' } });
  sender = world.sender(TIMEOUT_MS);
  sender.start();
});
afterAll(async () => {
  await sender.stop();
  await world.close();
});
beforeEach(() => {
  world.receiver.answer = status(204);
});

let paths = 0;

/** The delivery of one event, once it was tried, to a receiver that answers so. */
async function delivered(answer: Answer): Promise<any> {
  const path = `/${++paths}`;
  world.receiver.answer = answer;
  const { id, secret } = await world.webhook(path, ['workflow.created']);
  await world.workflow();
  const delivery = await world.tried(id, 1);
  const kept = await world.answerOf(id);
  const webhook = (await world.client.rest('GET', `/webhooks/${id}`)).body;
  await world.client.rest('DELETE', `/webhooks/${id}`);
  return { ...delivery, ...kept, id, secret, webhook, path };
}

/** How long after it was made a delivery is tried again, in seconds. */
const wait = ({ created_at: made, next_attempt_at: next }: any): number =>
  (Date.parse(next) - Date.parse(made)) / 1_000;

describe('a delivery', () => {
  it.each([200, 201, 202, 204, 299])('succeeds with %i', async (code) => {
    expect(await delivered(status(code))).toMatchObject({
      status: 'succeeded',
      attempts: 1,
      response_status: code,
      next_attempt_at: null,
      error: null,
      completed_at: expect.any(String),
    });
  });

  it.each([400, 401, 404, 409, 422, 429, 500, 502, 503])('is tried again in 5 s after %i', async (code) => {
    const delivery = await delivered(status(code));
    expect(delivery).toMatchObject({ status: 'pending', attempts: 1, response_status: code, completed_at: null });
    expect(delivery.error).toMatch(new RegExp(`^127\\.0\\.0\\.1:\\d+ answered with status ${code}\\.$`));
    expect(wait(delivery)).toBeGreaterThan(5);
  });

  it('does not follow a redirect', async () => {
    const elsewhere = await Receiver.open();
    const delivery = await delivered(status(307, { location: elsewhere.url('/') }));
    expect(delivery).toMatchObject({ status: 'pending', response_status: 307 });
    expect(elsewhere.received).toEqual([]);
    elsewhere.close();
  });

  it('waits as long as `Retry-After` says, in seconds or as a date', async () => {
    expect(wait(await delivered(status(503, { 'retry-after': '120' })))).toBeGreaterThanOrEqual(120);
    const at = new Date(Date.now() + 300_000).toUTCString();
    expect(wait(await delivered(status(429, { 'retry-after': at })))).toBeGreaterThan(200);
    expect(wait(await delivered(status(503, { 'retry-after': '0' })))).toBeGreaterThan(5);
    expect(wait(await delivered(status(503, { 'retry-after': '99999999999999999999' })))).toBeLessThanOrEqual(86_500);
    expect(wait(await delivered(status(503, { 'retry-after': 'soon' })))).toBeLessThan(100);
  });

  it('disables its webhook when the receiver answers 410', async () => {
    const delivery = await delivered(status(410));
    expect(delivery).toMatchObject({ status: 'failed', response_status: 410, next_attempt_at: null });
    expect(delivery.webhook.status).toBe('disabled');
  });

  it('gives up on a receiver that never answers, and is tried again', async () => {
    expect(await delivered(() => undefined)).toMatchObject({
      status: 'pending',
      attempts: 1,
      response_status: null,
      responseBody: null,
      error: expect.stringMatching(/gave no whole answer within 4000 ms/),
    });
  });

  it('says nothing of its next attempt while it is being sent', async () => {
    let underWay: unknown;
    const look = async (response: ServerResponse) => {
      const [webhook] = (await world.client.rest('GET', '/webhooks')).body.data;
      [underWay] = await world.deliveries(webhook.id);
      response.writeHead(204).end();
    };
    await delivered((_, response) => void look(response));
    expect(underWay).toMatchObject({ status: 'pending', attempts: 1, next_attempt_at: null });
  });

  it('is retried when the receiver closes the connection', async () => {
    const delivery = await delivered((_, response) => void response.socket!.destroy());
    expect(delivery).toMatchObject({ status: 'pending', response_status: null });
  });

  it('keeps the beginning of an endless answer', async () => {
    const delivery = await delivered((_, response) => {
      const more = (): void => {
        while (response.write('abcdefgh'.repeat(1_024)));
        response.once('drain', more);
      };
      more();
    });
    expect(delivery).toMatchObject({ status: 'succeeded', response_status: 200 });
    expect(delivery.responseBody).toBe('abcdefgh'.repeat(128));
  });

  it('gives up on an answer that trickles for ever', async () => {
    const timers: NodeJS.Timeout[] = [];
    const delivery = await delivered((_, response) => {
      timers.push(setInterval(() => response.write('.'), 20));
    });
    timers.forEach((timer) => clearInterval(timer));
    expect(delivery).toMatchObject({ status: 'pending', response_status: null });
  });

  it('goes by the status of a response with a garbage body', async () => {
    const garbage = Buffer.from([0, 0xff, 0xfe, 0x41, 0, 0xed, 0xa0, 0x80]);
    const succeeded = await delivered((_, response) =>
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(garbage),
    );
    expect(succeeded).toMatchObject({ status: 'succeeded', response_status: 200 });
    expect(succeeded.responseBody).toMatch(/^\uFFFD\uFFFDA\uFFFD+$/);
    const noHttp = await delivered((_, response) => void response.socket!.end('SSH-2.0-OpenSSH_9.9\r\n'));
    expect(noHttp).toMatchObject({ status: 'pending', response_status: null });
  });

  it('has a body that its receiver can verify, and nothing that names the service', async () => {
    const { path, secret } = await delivered(status(200));
    const [received] = world.receiver.at(path);
    expect(verified(received!, secret)).toMatchObject({ type: 'workflow.created', data: { name: 'Flow' } });
    expect(Object.keys(received!.headers).sort()).toEqual([
      'accept-encoding',
      'connection',
      'content-length',
      'content-type',
      'host',
      'user-agent',
      'webhook-id',
      'webhook-signature',
      'webhook-timestamp',
      'workflow-hops',
    ]);
    expect(() => verified({ ...received!, body: received!.body.replace('Flow', 'Flaw') }, secret)).toThrow();
  });
});
