import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TriggerWorld } from '../support/worlds/trigger-world.js';

/** How often each race is run; each has its own order of arrival. */
const RACES = 15;

let world: TriggerWorld;
beforeAll(async () => {
  world = await TriggerWorld.open();
});
afterAll(() => world.close());

const EACH_MINUTE = { type: 'schedule', config: { cron: '* * * * *' } } as const;

/** Schedules that tick and should not, or don't and should. */
function wrong(): Promise<object[]> {
  return world.db.query(
    `SELECT w.status AS workflow, t.status, t.next_fire_at FROM triggers t JOIN workflows w ON w.id = t.workflow_id
     WHERE (t.next_fire_at IS NOT NULL) <> (t.type = 'schedule' AND t.status = 'active' AND w.status = 'active')`,
  );
}

describe('schedules whose workflow changes its status at the same time', () => {
  it.each([
    ['draft', 'active'],
    ['active', 'paused'],
  ] as const)('tick exactly when both are active in the end (from %s to %s)', async (before, after) => {
    for (let race = 0; race < RACES; race += 1) {
      const workflow = await world.workflow(before);
      const workflowId = workflow.id;
      const [paused, active] = [
        await world.trigger({ ...EACH_MINUTE, workflowId }),
        await world.trigger({ ...EACH_MINUTE, workflowId }),
      ];
      await world.triggers.update(world.context, paused.id, { status: 'paused' });
      await Promise.all([
        world.trigger({ ...EACH_MINUTE, workflowId }),
        world.triggers.update(world.context, paused.id, { status: 'active' }),
        world.workflows.update(world.context, workflowId, { status: after }),
        world.triggers.update(world.context, active.id, { config: { cron: '*/2 * * * *' } }),
        world.trigger({ ...EACH_MINUTE, workflowId }),
      ]);
      expect(await wrong()).toEqual([]);
    }
  });
});
