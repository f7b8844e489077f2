import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
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
    await until(() => creating.errors !== '' || extension === 'py');
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
    const wrong = world.copy.start(`fire_hook.${extension}`, { ...env, HOOK_SECRET: 'another' });
    expect(await wrong.exit).not.toBe(0);
    expect(wrong.errors).toContain('401');
  });
}

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
});

describeWith(PROGRAMS.sh, 'the check of a webhook in a shell', () => {
  it('tells genuine from forged and old', async () => {
    const body = '{"type":"webhook.test"}';
    const key = Buffer.from('24 bytes that are random');
    const now = Math.floor(Date.now() / 1_000);
    const sign = (time: number) => createHmac('sha256', key).update(`msg_1.${time}.${body}`).digest('base64');
    const check = (signature: string, time = now) =>
      world.copy.start(
        'verify_webhook.sh',
        {
          ...{ WEBHOOK_SECRET: `whsec_${key.toString('base64')}`, WEBHOOK_ID: 'msg_1' },
          ...{ WEBHOOK_TIMESTAMP: String(time), WEBHOOK_SIGNATURE: signature },
        },
        body,
      );
    const told = async (...args: Parameters<typeof check>) => {
      const run = check(...args);
      return [await run.exit, ...run.lines];
    };
    expect(await told(`v1,of another secret v1,${sign(now)}`)).toEqual([0, 'genuine']);
    expect(await told(`v1,${sign(now - 1)}`)).toEqual([1, 'forged']);
    expect(await told(`v1,${sign(now - 600)}`, now - 600)).toEqual([1, 'too old']);
  });
});
