import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort } from '../support/http/free-port.js';
import { until } from '../support/until.js';
import { ClientWorld } from './client-world.js';
import { describeWith } from './guide.js';

let world: ClientWorld;
beforeAll(async () => {
  world = await ClientWorld.open();
});
afterAll(() => world.close());

const create = async (name: string) =>
  (await world.client.rest('POST', '/workflows', { body: { name } })).body.id as string;
const idsOf = (lines: readonly string[]) => lines.map((line) => line.split(' ')[0]);

const PROGRAMS = { py: ['python3'], sh: ['bash', 'curl', 'jq', 'openssl'] };

for (const [extension, programs] of Object.entries(PROGRAMS)) {
  describeWith(programs, `the requests of the guide, *.${extension}`, () => requests(extension));
}

function requests(extension: string): void {
  it('read a whole list', async () => {
    const before = idsOf(await world.copy.run(`read_all.${extension}`));
    const ids: string[] = [];
    for (let at = 0; at < 205; at += 1) ids.push(await create(`Flow ${at}`));
    expect(idsOf(await world.copy.run(`read_all.${extension}`))).toEqual([...ids.reverse(), ...before]);
  });

  it('create once, though the service is away at first', async () => {
    await world.stop();
    const creating = world.copy.start(`create_once.${extension}`);
    await until(() => creating.errors !== '');
    await world.start();
    expect([await creating.exit, creating.lines]).toEqual([0, [expect.stringMatching(/^wf_/)]]);
    const { body } = await world.client.rest('GET', '/workflows?per_page=100');
    const made = body.data.filter(({ name }: { name: string }) => name === 'Created once');
    expect(made.at(0).id).toBe(creating.lines[0]);
    expect(made).toHaveLength(1);
  });

  it('do not repeat what is refused', async () => {
    const refused = world.copy.start(`create_once.${extension}`, { API_KEY: 'unknown' });
    expect(await refused.exit).toBe(1);
    expect(refused.errors).toBe('unauthorized: The API key or token is unknown, revoked or has expired.\n');
  });

  it('fire a signed hook once', async () => {
    const workflow = await create('Hooked');
    await world.client.rest('PUT', `/workflows/${workflow}`, { body: { status: 'active' } });
    const config = { secret: 'of the hook', dedupe_header: 'X-Event-Id' };
    const { body } = await world.client.rest('POST', '/triggers', {
      body: { workflow_id: workflow, type: 'webhook', config },
    });
    const env = { WEBHOOK_URL: body.webhook_url as string, HOOK_SECRET: config.secret };
    const [first, second] = await world.copy.run(`fire_hook.${extension}`, env);
    expect(first).toMatch(/^run_\w+ accepted$/);
    expect(second).toBe(first!.replace('accepted', 'duplicate'));
    await world.client.rest('PUT', `/triggers/${body.id}`, {
      body: { status: 'paused', config: { ...config, dedupe_header: 'X-Other' } },
    });
    const paused = world.copy.start(`fire_hook.${extension}`, env);
    expect([await paused.exit, paused.errors]).toEqual([1, 'trigger_paused: the post started nothing.\n']);
    expect(paused.lines).toEqual([expect.stringMatching(/^run_\w+ trigger_paused$/)]);
    const wrong = world.copy.start(`fire_hook.${extension}`, { ...env, HOOK_SECRET: 'another' });
    expect(await wrong.exit).not.toBe(0);
    expect(wrong.errors).toContain('401');
  });
}

describe('read_all.mjs', () => {
  it('reads a whole list, though the service is away at first, and ends when its key is unknown', async () => {
    const ids: string[] = [];
    for (let at = 0; at < 105; at += 1) ids.push(await create(`Page ${at}`));
    const repeated = await world.away();
    const reading = world.copy.start('read_all.mjs');
    await until(() => repeated.length > 0);
    await world.start();
    expect([await reading.exit, reading.errors]).toEqual([0, '']);
    const { total } = (await world.client.rest('GET', '/workflows')).body.meta;
    expect([idsOf(reading.lines).slice(0, 105), reading.lines.length]).toEqual([ids.reverse(), total]);
    const refused = world.copy.start('read_all.mjs', { API_KEY: 'wfk_unknown' });
    expect([await refused.exit, refused.lines]).toEqual([1, []]);
    expect(refused.errors).toMatch(/^\S.*\n$/);
  });
});

describeWith(['python3'], 'the receiver of webhooks', () => {
  it('takes genuine events, each once, and no others', async () => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const events = ['integration.connected'];
    const { body: webhook } = await world.client.rest('POST', '/webhooks', { body: { url, events } });
    const receiver = world.copy.start('receive_webhooks.py', { PORT: String(port), WEBHOOK_SECRET: webhook.secret });
    await until(() => fetch(url).then(Boolean, () => false));
    const { id, grant } = await world.flow();
    await grant();
    await until(() => receiver.lines.length > 0);
    const deliveries = await world.client.rest('GET', `/webhooks/${webhook.id}/deliveries`);
    await world.client.rest('POST', `/webhooks/${webhook.id}/deliveries/${deliveries.body.data[0].id}/redeliver`);
    const forged = await fetch(url, { method: 'POST', body: '{}', headers: { 'webhook-signature': 'v1,forged' } });
    expect(forged.status).toBe(400);
    await until(async () => {
      const { data } = (await world.client.rest('GET', `/webhooks/${webhook.id}/deliveries`)).body;
      return data.length === 2 && data.every(({ status }: { status: string }) => status === 'succeeded');
    });
    expect(receiver.lines).toEqual([`integration.connected ${id}`]);
  });

  it('takes events beside an idle connection, and none that is older than the last of its object', async () => {
    const key = Buffer.from('24 bytes that are random');
    const port = await freePort();
    const env = { PORT: String(port), WEBHOOK_SECRET: `whsec_${key.toString('base64')}` };
    const receiver = world.copy.start('receive_webhooks.py', env);
    const url = `http://127.0.0.1:${port}`;
    await until(() => fetch(url).then(Boolean, () => false));
    const idle = connect(port, '127.0.0.1');
    await once(idle, 'connect');
    let sent = 0;
    const send = async (type: string, data?: object | null, timestamp = '') => {
      const [id, time] = [`msg_${(sent += 1)}`, String(Math.floor(Date.now() / 1_000))];
      const body = JSON.stringify({ type, timestamp, data });
      const signature = createHmac('sha256', key).update(`${id}.${time}.${body}`).digest('base64');
      const headers = { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': `v1,${signature}` };
      expect((await fetch(url, { method: 'POST', body, headers })).status).toBe(204);
    };
    await send('integration.connected', { id: 'int_1', version: 3 });
    await send('integration.expiring', { id: 'int_1', version: 2 });
    await send('integration.expiring', { id: 'int_1', version: 3 });
    await send('run.succeeded', { id: 'run_1' });
    await send('run.waiting', { id: 'run_1' });
    await send('workflow.updated', { id: 'wf_1' }, '2026-11-21T14:30:01.001Z');
    await send('workflow.created', { id: 'wf_1' }, '2026-11-21T14:30:01.000Z');
    // JSON leaves out the first.
    for (const data of [undefined, null, {}]) await send('integration.unheard', data);
    await send('webhook.test', { webhook_id: 'wh_1' }, '2026-11-21T14:30:01.000Z');
    await until(() => receiver.lines.at(-1)?.startsWith('webhook.test') ?? false);
    const taken = ['integration.connected int_1', 'integration.expiring int_1', 'run.succeeded run_1'];
    const unheard = Array<string>(3).fill('integration.unheard None');
    expect(receiver.lines).toEqual([...taken, 'workflow.updated wf_1', ...unheard, 'webhook.test None']);
    idle.destroy();
  });

  it.each([
    ['', 'is empty: anybody could sign.'],
    ['whsec_abc', 'is malformed: it is whsec_ and base64.'],
    ['whsec_$$$$', 'is malformed: it is whsec_ and base64.'],
  ])('does not start with the secret %j', async (secret, fault) => {
    const receiver = world.copy.start('receive_webhooks.py', { WEBHOOK_SECRET: secret });
    expect([await receiver.exit, receiver.errors]).toEqual([1, `WEBHOOK_SECRET ${fault}\n`]);
  });

  it('refuses hostile headers, and goes on', async () => {
    const port = await freePort();
    const env = { PORT: String(port), WEBHOOK_SECRET: `whsec_${Buffer.from('of the test').toString('base64')}` };
    const receiver = world.copy.start('receive_webhooks.py', env);
    const url = `http://127.0.0.1:${port}`;
    await until(() => fetch(url).then(Boolean, () => false));
    const statusOf = async (headers: Readonly<Record<string, string>>) => {
      const socket = connect(port, '127.0.0.1').setEncoding('latin1');
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
      socket.write(`POST / HTTP/1.1\r\nHost: receiver\r\n${lines.join('')}\r\n`, 'latin1');
      let response = '';
      for await (const chunk of socket) response += chunk as string;
      return response.split('\r\n')[0];
    };
    const time = { 'webhook-id': 'msg_1', 'webhook-timestamp': String(Math.floor(Date.now() / 1_000)) };
    const hostile = [
      { ...time, 'content-length': '0', 'webhook-signature': 'v1,\u00e9\u00ff' },
      ...['-1', 'many', '99999999999', '999999999'].map((length) => ({ ...time, 'content-length': length })),
      { ...time, 'content-length': '0', 'webhook-timestamp': '1e3' },
      // A number of Python has no limit; one with a fraction has.
      ...[400, 5_000].map((digits) => ({ ...time, 'content-length': '0', 'webhook-timestamp': '9'.repeat(digits) })),
      { 'content-length': '0' },
    ];
    for (const headers of hostile) {
      expect([headers, await statusOf(headers)]).toEqual([headers, 'HTTP/1.0 400 Bad Request']);
    }
    expect([receiver.lines, receiver.errors]).toEqual([[], '']);
  });
});
