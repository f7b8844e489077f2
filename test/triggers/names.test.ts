import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RunWorld } from '../support/worlds/run-world.js';

let world: RunWorld;
let workflowId: string;
beforeAll(async () => {
  world = await RunWorld.open({ env: { ROLES: 'api' } });
  workflowId = await workflow('Sync 100% of orders');
});
afterAll(() => world.close());

async function workflow(name: string): Promise<string> {
  return (await world.client.rest('POST', '/workflows', { body: { name } })).body.id;
}

async function trigger(body: object): Promise<{ id: string }> {
  const made = await world.client.rest('POST', '/triggers', { body: { workflow_id: workflowId, ...body } });
  expect(made.status).toBe(201);
  return made.body;
}

const one = async (id: string) => (await world.client.rest('GET', `/triggers/${id}`)).body;

describe('the name of a trigger', () => {
  it('is given at once or later, kept by other changes, and removed by null', async () => {
    const { id } = await trigger({ type: 'schedule', name: 'Nightly', config: { cron: '0 3 * * *' } });
    const path = `/triggers/${id}`;
    expect((await one(id)).name).toBe('Nightly');
    await world.client.rest('PUT', path, { body: { status: 'paused' } });
    expect(await one(id)).toMatchObject({ name: 'Nightly', status: 'paused' });
    const before = (await world.client.rest('GET', path)).headers.get('etag');
    await world.client.rest('PUT', path, { body: { name: 'Every night' } });
    expect(await one(id)).toMatchObject({ name: 'Every night', status: 'paused', config: { cron: '0 3 * * *' } });
    expect((await world.client.rest('GET', path)).headers.get('etag')).not.toBe(before);
    await world.client.rest('PUT', path, { body: { name: null } });
    expect(await one(id)).not.toHaveProperty('name');
  });

  it('has 1 to 255 characters', async () => {
    const { id } = await trigger({ type: 'manual', name: '🙂'.repeat(255) });
    for (const name of ['', 'x'.repeat(256), 'a\0b', 5]) {
      const refusal = { status: 400, body: { code: 'validation_error', details: [{ field: 'name' }] } };
      expect(await world.client.rest('PUT', `/triggers/${id}`, { body: { name } })).toMatchObject(refusal);
      const made = { workflow_id: workflowId, type: 'manual', name };
      expect(await world.client.rest('POST', '/triggers', { body: made })).toMatchObject(refusal);
    }
    expect((await one(id)).name).toBe('🙂'.repeat(255));
  });

  it('is no field of the objects that the specification documents', async () => {
    const made = await trigger({ type: 'manual', name: 'Mine' });
    expect(made).not.toHaveProperty('name');
    const { body } = await world.client.rest('GET', '/triggers');
    expect(body.data.some((row: object) => 'name' in row)).toBe(false);
    expect((await world.client.rest('GET', '/triggers?view=full')).body.data[0].name).toBe('Mine');
  });
});

describe('triggers(search)', () => {
  it('finds a text in name, event, cron expression and workflow, without patterns', async () => {
    const other = await workflow('Other');
    const credentials = { api_key: 'sandbox_valid_key' };
    await world.client.rest('POST', '/integrations/connect', { body: { type: 'sandbox_api_key', credentials } });
    const event = await trigger({ workflow_id: other, type: 'app_event', config: { event: 'item.created' } });
    const cron = await trigger({ workflow_id: other, type: 'schedule', config: { cron: '17 4 * * *' } });
    const named = await trigger({
      workflow_id: other,
      type: 'webhook',
      name: 'Shop of Ada',
      config: { secret: 'ada' },
    });
    await trigger({ workflow_id: other, type: 'webhook', config: { secret: 'ada' } });
    const found = async (search: string, more = '') => {
      const { body } = await world.client.rest('GET', `/triggers?search=${encodeURIComponent(search)}${more}`);
      expect(body.meta.total).toBe(body.data.length);
      return body.data.map(({ id }: { id: string }) => id);
    };
    expect(await found('ADA')).toEqual([named.id]);
    expect(await found('Item.')).toEqual([event.id]);
    expect(await found('17 4')).toEqual([cron.id]);
    const { body: all } = await world.client.rest('GET', `/triggers?workflow_id=${workflowId}`);
    expect(await found('100% of')).toEqual(all.data.map(({ id }: { id: string }) => id));
    expect(await found('100_ of')).toEqual([]);
    expect(await found('ada', '&type=schedule')).toEqual([]);
    const long = await world.client.rest('GET', `/triggers?search=${'x'.repeat(256)}`);
    expect([long.status, long.body.details]).toEqual([400, [expect.objectContaining({ field: 'search' })]]);
  });
});
