import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pruneActionListsJob } from '../../src/features/actions/action-lists.job.js';
import { type ActionInput } from '../../src/features/actions/action.inputs.js';
import { type Workflow } from '../../src/features/workflows/workflow.entity.js';
import { ActionWorld } from '../support/worlds/action-world.js';
import { fill } from '../support/database/fill.js';

const HOUR_MS = 3_600_000;
const LIST: ActionInput[] = [{ name: 'wait', kind: 'delay', config: { seconds: 1 } }];

let world: ActionWorld;
beforeAll(async () => {
  world = await ActionWorld.open();
});
afterAll(() => world.close());

const pass = (hours: number) => (world.clock.time = new Date(world.clock.time.getTime() + hours * HOUR_MS));
const prune = () => pruneActionListsJob(world.db, world.clock).run();

async function listsAfter(hours: number, workflow: Workflow): Promise<string[]> {
  pass(hours);
  await prune();
  return world.lists(workflow);
}

describe('prune action lists', () => {
  it('keeps the current list for ever', async () => {
    const workflow = await world.set(await world.workflow(), LIST);
    expect(await listsAfter(10_000, workflow)).toEqual([workflow.actionsId]);
  });

  it('deletes lists that no run uses, a day after they were replaced', async () => {
    const old = await world.set(await world.workflow(), LIST);
    pass(1_000);
    const current = await world.set(old, LIST);
    expect(await listsAfter(23, old)).toEqual([old.actionsId, current.actionsId]);
    expect(await listsAfter(2, old)).toEqual([current.actionsId]);
  });

  it('deletes a list without a successor too, which an earlier version has cleared', async () => {
    const workflow = await world.set(await world.workflow(), LIST);
    pass(1);
    await world.db.query(`UPDATE workflows SET actions_id = NULL, updated_at = $2 WHERE id = $1`, [
      workflow.uuid,
      world.clock.time,
    ]);
    expect(await listsAfter(23, workflow)).toEqual([workflow.actionsId]);
    expect(await listsAfter(2, workflow)).toEqual([]);
  });

  it('keeps the list of a run as long as the run', async () => {
    const old = await world.set(await world.workflow(), LIST);
    await world.run(old);
    const unused = await world.set(old, LIST);
    const current = await world.set(old, LIST);
    expect(await listsAfter(25, old)).toEqual([old.actionsId, current.actionsId]);
    expect(unused.actionsId).not.toBeNull();
    expect(await listsAfter(3_650 * 24, old)).toEqual([old.actionsId, current.actionsId]);
    await world.db.query(`DELETE FROM runs WHERE workflow_id = $1`, [old.uuid]);
    expect(await listsAfter(1, old)).toEqual([current.actionsId]);
  });

  it('keeps all lists of a workflow with many runs until every run is newer than they are', async () => {
    const unused = await world.set(await world.workflow(), LIST);
    const current = await world.set(unused, LIST);
    for (let count = 0; count < 201; count += 1) await world.run(current);
    expect(await listsAfter(48, current)).toEqual([unused.actionsId, current.actionsId]);
    for (let count = 0; count < 201; count += 1) await world.run(current);
    expect(await listsAfter(90 * 24, current)).toEqual([unused.actionsId, current.actionsId]);
    await world.db.query(`DELETE FROM runs WHERE created_at < $1`, [
      new Date(world.clock.time.getTime() - 90 * 24 * HOUR_MS),
    ]);
    expect(await listsAfter(1, current)).toEqual([current.actionsId]);
  });

  it('finishes for a workflow that was saved 20,000 times', async () => {
    const workflow = await world.workflow();
    const { accountId, uuid } = workflow;
    await fill(
      world.url,
      `INSERT INTO action_lists (id, account_id, workflow_id, body, created_at)
       SELECT gen_random_uuid(), $1, $2, '', $3 FROM generate_series(1, 20000)`,
      [accountId, uuid, world.clock.time],
    );
    expect(await listsAfter(48, workflow)).toEqual([]);
  });
});
