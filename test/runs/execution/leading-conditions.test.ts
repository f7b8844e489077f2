import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ActionServices } from '../../../src/features/actions/step-work.js';
import { Notifications } from '../../../src/platform/notifications/notifications.js';
import { createLogger } from '../../../src/platform/logging/logger.js';
import { RunClaims } from '../../../src/features/runs/execution/claim-runs.js';
import { RunTally } from '../../../src/features/runs/feed/run-tally.js';
import { TriggerWorld } from '../../support/worlds/trigger-world.js';

const logger = createLogger('silent');

let world: TriggerWorld;
beforeAll(async () => {
  world = await TriggerWorld.open();
});
afterAll(() => world.close());

/** Claims five runs of a workflow whose conditions scan a list and are true. @returns how many have not ended then. */
async function goingOn(count: number, list: readonly object[]): Promise<number> {
  const { db, clock, queue, actions, context, url } = world;
  const trigger = await world.trigger();
  const config = { path: 'trigger.body', operator: 'contains', value: { last: true } };
  const conditions = Array.from({ length: count }, (_, index) => ({
    name: `c${index}`,
    kind: 'condition' as const,
    config,
  }));
  await actions.set(context, trigger.workflowId, conditions);
  const runs: string[] = [];
  for (let n = 0; n < 5; n += 1) runs.push(await world.run(trigger));
  await db.query(
    `UPDATE runs SET input = $2, actions_id = (SELECT actions_id FROM workflows WHERE id = $3) WHERE id = ANY($1)`,
    [runs, JSON.stringify([...list, { last: true }]), trigger.workflowUuid],
  );
  await db.transaction((tx) =>
    queue.add(
      tx,
      runs.map((uuid) => ({ uuid, accountId: context.accountId })),
    ),
  );
  const jobs = await queue.fetch({ count: 5 });
  const claims = new RunClaims(db, clock, queue, new Notifications(url, logger), actions, new RunTally());
  return (await claims.claim(jobs, {}, { services: {} as ActionServices, logger })).going.length;
}

describe('conditions at the start of runs', () => {
  it('are executed within the claim if they are quick, and otherwise do not block the process', async () => {
    expect(await goingOn(1, [])).toBeLessThan(5);
    expect(
      await goingOn(
        50,
        Array.from({ length: 200_000 }, () => ({})),
      ),
    ).toBe(5);
  });
});
