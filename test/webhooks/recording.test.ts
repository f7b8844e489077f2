import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { WebhookWorld } from './webhook-world.js';

let world: WebhookWorld;
beforeAll(async () => {
  world = await WebhookWorld.open({ env: { ROLES: 'api' } });
});
afterAll(() => world.close());

describe('the recording of events', () => {
  it('is recorded with the change or not at all', async () => {
    const { id } = await world.webhook('/atomic', ['workflow.created']);
    const { db } = world.server;
    // The change stands in the transaction, and what tells of it can't be written.
    await db.query(`ALTER TABLE webhook_deliveries ADD CONSTRAINT never CHECK (webhook_id IS NULL) NOT VALID`);
    const before = await world.client.rest('GET', '/workflows');
    expect((await world.client.rest('POST', '/workflows', { body: { name: 'Never' } })).status).toBe(500);
    await db.query(`ALTER TABLE webhook_deliveries DROP CONSTRAINT never`);
    expect((await world.client.rest('GET', '/workflows')).body).toEqual(before.body);
    expect(await world.deliveries(id)).toEqual([]);
  });

  it('is rolled back if the request fails after it', async () => {
    const { id } = await world.webhook('/undone', ['trigger.created']);
    const { id: workflow } = await world.workflow();
    const { db } = world.server;
    await db.query(`ALTER TABLE idempotency_keys ADD CONSTRAINT never CHECK (status IS NULL) NOT VALID`);
    const answer = await world.client.rest('POST', '/triggers', {
      body: { workflow_id: workflow, type: 'manual' },
      headers: { 'idempotency-key': 'once' },
    });
    expect(answer.status).toBe(500);
    await db.query(`ALTER TABLE idempotency_keys DROP CONSTRAINT never`);
    expect(await world.deliveries(id)).toEqual([]);
  });
});
