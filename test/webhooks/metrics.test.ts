import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from '../support/http/client.js';
import { until } from '../support/until.js';
import { status } from './receiver.js';
import { WebhookWorld } from './webhook-world.js';

let world: WebhookWorld;
beforeAll(async () => {
  world = await WebhookWorld.open();
});
afterAll(() => world.close());

/** What `/metrics` says of a name, by label. */
async function metric(name: string): Promise<Record<string, number>> {
  const { body } = await new Client(world.server.baseUrl).send<string>('GET', '/metrics');
  const lines = body.matchAll(new RegExp(`^${name}\\{\\w+="(\\w+)"\\} (\\d+)$`, 'gm'));
  return Object.fromEntries([...lines].map(([, label, value]) => [label, Number(value)]));
}

describe('the metrics', () => {
  it('tell of attempts, of deliveries that ended or wait, and of webhooks that are disabled', async () => {
    world.receiver.answer = ({ path }, response) =>
      status({ '/fine': 204, '/gone': 410 }[path] ?? 500)({ path, headers: {}, body: '' }, response);
    const [fine, failing, gone] = await Promise.all(
      ['/fine', '/failing', '/gone'].map((path) => world.webhook(path, ['workflow.created'])),
    );
    await world.workflow();
    await Promise.all([fine, failing, gone].map(({ id }) => world.tried(id, 1)));
    await until(async () => (await metric('webhook_attempts_total')).failed === 2);
    expect(await metric('webhook_attempts_total')).toEqual({ succeeded: 1, failed: 2 });
    expect(await metric('webhook_deliveries_ended_total')).toEqual({ succeeded: 1, failed: 1 });
    expect(await metric('webhook_deliveries_pending')).toEqual({ due: 0, later: 1 });
    expect(await metric('webhooks_disabled')).toEqual({ gone: 1, failing: 0, backlog: 0, person: 0 });
    await world.client.rest('PUT', `/webhooks/${failing.id}`, { body: { status: 'disabled' } });
    expect(await metric('webhook_deliveries_pending')).toEqual({ due: 0, later: 0 });
    expect(await metric('webhooks_disabled')).toEqual({ gone: 1, failing: 0, backlog: 0, person: 1 });
  });
});
