import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RunWorld } from '../../support/worlds/run-world.js';

let world: RunWorld;
const ids: Record<string, string> = {};
beforeAll(async () => {
  world = await RunWorld.open();
  const { id, hook } = await world.workflow([]);
  await world.client.rest('PUT', `/workflows/${id}`, { body: { name: 'Sync invoices' } });
  ids.run = await world.fire(hook);
  await world.ended(ids.run);
  const { body: tested } = await world.client.graphql(`mutation { testWorkflow(workflowId: "${id}") { id } }`);
  ids.test = tested.data.testWorkflow.id;
  const { body: paused } = await world.client.rest('POST', '/triggers', { body: { workflow_id: id, type: 'webhook' } });
  await world.client.rest('PUT', `/triggers/${paused.id}`, { body: { status: 'paused' } });
  ids.trigger = paused.id;
  await world.client.rest('POST', '/workflows', { body: { name: 'Other' } });
  for (const label of ['Billing of Ada', 'Support']) {
    const { body } = await world.client.rest('POST', '/integrations/connect', {
      body: { type: 'sandbox_api_key', label, credentials: { api_key: 'sandbox_valid_key' } },
    });
    ids[label] = body.id ?? body.integration_id;
  }
  ids.workflow = id;
});
afterAll(() => world.close());

async function listed(path: string): Promise<string[]> {
  const { body } = await world.client.rest('GET', path);
  return body.data.map((item: { id: string }) => item.id);
}

describe('filters of lists that GraphQL has too', () => {
  it('find workflows by a text', async () => {
    expect(await listed('/workflows?search=INVOICES')).toEqual([ids.workflow]);
  });

  it('find triggers by their status', async () => {
    expect(await listed('/triggers?status=paused')).toEqual([ids.trigger]);
  });

  it('find runs by whether they are tests', async () => {
    expect(await listed('/runs?is_test=true')).toEqual([ids.test]);
    expect(await listed('/runs?is_test=false')).toEqual([ids.run]);
    const { status, body } = await world.client.rest('GET', '/runs?is_test=yes');
    expect([status, body.details]).toEqual([400, [{ field: 'is_test', message: 'must be true or false' }]]);
  });

  it('find integrations by a text, or those that need attention', async () => {
    expect(await listed('/integrations?search=ada')).toEqual([ids['Billing of Ada']]);
    expect(await listed('/integrations?needs_attention=true')).toEqual([]);
    expect(await listed('/integrations?needs_attention=false')).toHaveLength(2);
  });
});
