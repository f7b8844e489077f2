import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { MAX_AT_ONCE } from '../../src/features/triggers/fan-outs.js';
import { fromPublicId, toPublicId } from '../../src/platform/ids/ids.js';
import { ChangeWorld } from './change-world.js';

let world: ChangeWorld;
let webhook: string;
/** The ids of triggers whose events wait. */
let later: string[];
beforeAll(async () => {
  world = await ChangeWorld.open();
});
beforeEach(async () => {
  await world.reset();
  webhook = await world.webhook();
  later = (await world.triggers(MAX_AT_ONCE + 40)).slice(MAX_AT_ONCE);
  await world.disconnect();
});
afterAll(() => world.close());

const told = async (id: string) => (await world.told(webhook)).get(id);
const finish = async () => {
  while (await world.batch());
};
const workflowOf = async (id: string): Promise<string> =>
  (await world.expect(200, 'GET', `/triggers/${id}`)).workflow_id;
/** The ids of a workflow's triggers. */
const triggersOf = async (workflow: string): Promise<Set<string>> => {
  const rows = await world.sql(`SELECT id FROM triggers WHERE workflow_id = $1`, [fromPublicId('wf', workflow)]);
  return new Set(rows.map(({ id }) => toPublicId('trg', id)));
};
const types = (changes: { type: string; status: string }[] | undefined) =>
  changes?.map(({ type, status }) => `${type} ${status}`);

describe('while the events of a change wait', () => {
  it('a changed trigger is reported as it was, and then as it is', async () => {
    const [id] = later;
    const { config } = await world.expect(200, 'GET', `/triggers/${id}`);
    await world.expect(200, 'PUT', `/triggers/${id}`, { status: 'paused' });
    expect(await told(id!)).toEqual([
      { type: 'trigger.updated', status: 'error', config },
      { type: 'trigger.updated', status: 'paused', config },
    ]);
    expect(await world.waiting()).toEqual([39]);
    await finish();
    expect(await told(id!)).toHaveLength(2);
    expect([...(await world.told(webhook)).keys()]).toHaveLength(MAX_AT_ONCE + 40);
  });

  it('a config of before the change is reported with it', async () => {
    const [id] = later;
    const { config } = await world.expect(200, 'GET', `/triggers/${id}`);
    const other = await world.events.connect('unsigned');
    const changed = { ...config, integration_id: other.id };
    await world.expect(200, 'PUT', `/triggers/${id}`, { config: changed });
    await finish();
    expect(await told(id!)).toEqual([
      { type: 'trigger.updated', status: 'error', config },
      { type: 'trigger.updated', status: 'active', config: changed },
    ]);
    await world.expect(204, 'DELETE', `/integrations/${other.id}`);
  });

  it('a deleted trigger is reported for every change that waits', async () => {
    const [id] = later;
    await world.reconnect();
    await world.expect(204, 'DELETE', `/triggers/${id}`);
    await finish();
    expect(types(await told(id!))).toEqual([
      'trigger.updated error',
      'trigger.updated active',
      'trigger.deleted active',
    ]);
    expect(await world.series(webhook)).toEqual(expect.arrayContaining(['error active']));
  });

  it.each([
    ['which the webhook wants', ['trigger.updated', 'trigger.deleted'], ' deleted'],
    ['which no webhook wants', ['trigger.updated'], ''],
  ])('a workflow that is deleted, %s, takes no event with it', async (_, events, last) => {
    await world.sql(`UPDATE webhooks SET events = $1`, [events]);
    const workflow = await workflowOf(later[0]!);
    const gone = await triggersOf(workflow);
    await world.expect(204, 'DELETE', `/workflows/${workflow}`);
    await finish();
    const told = await world.told(webhook);
    const ends = [...told].map(([id, changes]) => [
      id,
      changes.map(({ type }) => type.slice('trigger.'.length)).join(' '),
    ]);
    expect(ends.filter(([id]) => gone.has(id!)).map(([, types]) => types)).toEqual(
      [...gone].map(() => `updated${last}`),
    );
    expect(told.size).toBe(MAX_AT_ONCE + 40);
  });

  it('a new webhook receives none of them, one that no longer wants them all, a deleted one none', async () => {
    const [bored, deleted] = [await world.webhook(), await world.webhook()];
    await world.reconnect();
    const fresh = await world.webhook();
    await world.expect(200, 'PUT', `/webhooks/${bored}`, { events: ['run.failed'] });
    await world.expect(204, 'DELETE', `/webhooks/${deleted}`);
    await finish();
    expect((await world.told(fresh)).size).toBe(0);
    expect(await world.series(bored)).toEqual(['active']);
    expect((await world.told(bored)).size).toBe(MAX_AT_ONCE + 40);
    expect((await world.told(deleted)).size).toBe(0);
    expect(await world.series(webhook)).toEqual(['error active']);
  });

  it('a webhook of one workflow receives those of its triggers only', async () => {
    const workflow = await workflowOf(later[0]!);
    const narrow = await world.webhook({ workflow_id: workflow });
    await world.reconnect();
    await finish();
    expect(new Set((await world.told(narrow)).keys())).toEqual(await triggersOf(workflow));
  });

  it('the connection may be deleted', async () => {
    await world.expect(204, 'DELETE', `/integrations/${world.source.id}`);
    await finish();
    expect((await world.told(webhook)).size).toBe(MAX_AT_ONCE + 40);
    expect(await world.series(webhook)).toEqual(['error']);
    await world.sql(`UPDATE integrations SET deleted_at = NULL`);
  });

  it('each trigger is reported for each change, and last as it is, whatever comes at the same time', async () => {
    const touched = new Set<string>();
    for (let round = 0; round < 6; round += 1) {
      const [paused, gone, active, other] = later.slice(4 * round);
      // The workflow that is deleted in the fourth round takes any of the triggers of later rounds with it.
      const workflow = round === 3 && (await workflowOf(other!));
      for (const id of [paused!, gone!, active!]) touched.add(id);
      await Promise.all([
        round % 2 === 0 ? world.reconnect() : world.disconnect(),
        world.events.client.rest('PUT', `/triggers/${paused}`, { body: { status: 'paused' } }),
        world.events.client.rest('DELETE', `/triggers/${gone}`),
        world.events.client.rest('PUT', `/triggers/${active}`, { body: { status: 'active' } }),
        workflow && world.events.client.rest('DELETE', `/workflows/${workflow}`),
        world.batch(),
        world.batch(),
      ]);
    }
    await finish();
    const told = await world.told(webhook);
    expect(told.size).toBe(MAX_AT_ONCE + 40);
    const rows = await world.sql(`SELECT id, status FROM triggers`);
    const states = new Map<string, string>(rows.map(({ id, status }) => [toPublicId('trg', id), status]));
    for (const [id, changes] of told) {
      const { type, status } = changes.at(-1)!;
      expect([id, type === 'trigger.deleted' ? 'gone' : status]).toEqual([id, states.get(id) ?? 'gone']);
    }
    const untouched = [...told].filter(([id]) => states.has(id) && !touched.has(id)).map(([, changes]) => changes);
    const series = untouched.map((changes) => changes.map(({ status }) => status).join(' '));
    expect([...new Set(series)]).toEqual(['error active error active error active error']);
  });
});
