import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Firing, type FiringOutcome, recordFirings } from '../../src/features/runs/queue/firings.js';
import { pruneFiringsJob } from '../../src/features/runs/retention/firings-prune.job.js';
import { type Trigger } from '../../src/features/triggers/trigger.entity.js';
import { TriggerWorld } from '../support/worlds/trigger-world.js';
import { fill } from '../support/database/fill.js';

const DAY_MS = 86_400_000;

let world: TriggerWorld;
beforeAll(async () => {
  world = await TriggerWorld.open();
});
afterAll(() => world.close());

function firing(trigger: Pick<Trigger, 'uuid'>, key: string | null = null): Firing {
  return { triggerUuid: trigger.uuid, input: '{"n":1}', key, hops: 0 };
}

/** Records all in one transaction. */
function record(firings: Firing[], now = world.clock.now()): Promise<(FiringOutcome | undefined)[]> {
  return world.db.transaction((tx) => recordFirings(tx, world.queue, now, firings));
}

describe('recordFirings', () => {
  it('treats the second of two equal keys in one transaction as a duplicate', async () => {
    const [one, other] = [await world.trigger(), await world.trigger()];
    const outcomes = await record([firing(one, 'k'), firing(other, 'k'), firing(one, 'k'), firing(one), firing(one)]);
    const [first, ...rest] = outcomes;
    expect(rest[1]).toEqual({ runUuid: first!.runUuid, reason: 'duplicate' });
    expect([first, rest[0], rest[2], rest[3]].map((outcome) => outcome!.reason)).toEqual([null, null, null, null]);
    expect((await world.workflows.get(world.context, one.workflowId)).runCount).toBe(3);
  });

  it('gives the runs ids in the order of the firings', async () => {
    const trigger = await world.trigger();
    const outcomes = await record(Array.from({ length: 50 }, () => firing(trigger)));
    const ids = outcomes.map((outcome) => outcome!.runUuid);
    expect([...ids].sort()).toEqual(ids);
  });

  it('returns undefined for a deleted trigger, and writes nothing if all are deleted', async () => {
    const [gone, there] = [await world.trigger(), await world.trigger()];
    await world.triggers.delete(world.context, gone.id);
    expect(await record([firing(gone), firing(there)])).toEqual([undefined, expect.objectContaining({ reason: null })]);
    expect(await record([firing(gone, 'k')])).toEqual([undefined]);
  });

  it('needs as many statements for a hundred as for one', async () => {
    const triggers = await Promise.all(Array.from({ length: 10 }, () => world.trigger()));
    const cost = async (firings: Firing[]) => {
      const before = world.db.statements;
      await record(firings);
      return world.db.statements - before;
    };
    expect(await cost([firing(triggers[0]!, 'one')])).toBe(4);
    expect(await cost(Array.from({ length: 100 }, (_, index) => firing(triggers[index % 10]!, `${index}`)))).toBe(4);
  });
});

describe('pruning firings', () => {
  it('deletes all keys that are 30 days old, and none that are younger', async () => {
    const trigger = await world.trigger();
    const now = world.clock.now();
    await fill(
      world.url,
      `INSERT INTO firings SELECT $1::uuid, 'old ' || n, $1::uuid, $2::timestamptz FROM generate_series(1, 12000) n
       UNION ALL SELECT $1, 'young', $1, $3::timestamptz`,
      [trigger.uuid, new Date(now.getTime() - 30 * DAY_MS), new Date(now.getTime() - 30 * DAY_MS + 1)],
    );
    await pruneFiringsJob(world.db, world.clock).run();
    const left = await world.db.query('SELECT key FROM firings WHERE trigger_id = $1', [trigger.uuid]);
    expect(left).toEqual([{ key: 'young' }]);
  });
});
