import { type Queryable } from '../../src/platform/db/database.js';
import { type RunQueue } from '../../src/features/runs/queue/run-queue.js';
import { type JobQueues } from '../../src/platform/jobs/job-queue.js';
import { fill } from '../support/database/fill.js';
import { rowsReadBy } from '../support/database/plan.js';
import { TriggerWorld } from '../support/worlds/trigger-world.js';

interface Db {
  executeSql(text: string, values?: readonly unknown[]): Promise<{ rows: unknown[] }>;
}

const STUCK = 'stuck';
const BACKLOG = 6_000;
/** Accounts with one run each, behind the backlog. */
const OTHERS = 40;

/** Adds jobs of a group, all of one priority. */
const add = (world: TriggerWorld, group: string, count: number, priority: number) =>
  fill(
    world.url,
    `INSERT INTO pgboss.job (id, name, group_id, priority, policy)
     SELECT gen_random_uuid(), 'runs', $1, $3, 'standard' FROM generate_series(1, $2::int)`,
    [group, count, priority],
  );
const dbOf = (world: TriggerWorld) => {
  const { queues } = world.queue as unknown as { queues: JobQueues };
  return (queues as unknown as { boss: { getDb(): Db } }).boss.getDb();
};

describe('runs behind the backlog of an account that is left out', () => {
  let world: TriggerWorld;
  beforeEach(async () => {
    world = await TriggerWorld.open();
    await add(world, STUCK, BACKLOG, 2_000);
    // The planner knows of one group only.
    await world.db.query('ANALYZE pgboss.job');
    for (let other = 0; other < OTHERS; other += 1) await add(world, `other ${10 + other}`, 1, 1_000 - other);
  });
  afterEach(() => world.close());

  const groupsOf = async (limits: Parameters<RunQueue['fetch']>[0]) =>
    (await world.queue.fetch(limits)).map(({ groupId }) => groupId).sort();

  it('are found, first the ones that come first in the order of the queue, without reading the backlog', async () => {
    const db = dbOf(world);
    const execute = db.executeSql.bind(db);
    const plans: number[][] = [];
    db.executeSql = async (text, values = []) => {
      if (/UPDATE/.test(text)) plans.push(await planOf(text, values));
      return execute(text, values);
    };
    expect(await groupsOf({ count: 10, except: [STUCK] })).toEqual(
      Array.from({ length: 10 }, (_, nth) => `other ${10 + nth}`),
    );
    db.executeSql = execute;
    expect(plans.length).toBeGreaterThan(0);
    expect(Math.max(...plans.flat())).toBeLessThanOrEqual(1_000);
  });

  /** Rolls back what the statement changes. */
  async function planOf(text: string, values: readonly unknown[]): Promise<number[]> {
    const literal = (value: unknown) => `'${Array.isArray(value) ? `{${value.join()}}` : String(value)}'`;
    const filled = text.replaceAll(/\$(\d)/g, (_, n) => literal(values[Number(n) - 1]));
    let rows: number[] = [];
    const undone = new Error('undone');
    await world.db
      .transaction(async (tx) => {
        rows = await rowsReadBy(tx, filled);
        throw undone;
      })
      .catch((error: unknown) => expect(error).toBe(undone));
    return rows;
  }

  it('are all taken, also the many of one account', async () => {
    await add(world, 'many', 300, 500);
    const taken: string[] = [];
    for (let more = await groupsOf({ count: 50, except: [STUCK] }); more.length > 0;) {
      taken.push(...more);
      more = await groupsOf({ count: 50, except: [STUCK] });
    }
    expect(taken).toHaveLength(OTHERS + 300);
    expect(await groupsOf({ count: 5 })).toEqual(Array(5).fill(STUCK));
  });

  it('are taken once by workers that look at the same time', async () => {
    const looks = await Promise.all([1, 2, 3, 4].map(() => groupsOf({ count: 10, except: [STUCK] })));
    const taken = looks.flat();
    expect(new Set(taken).size).toBe(taken.length);
    expect(taken.length).toBeGreaterThanOrEqual(20);
  });

  it('count a delivery again after their worker died', async () => {
    const [job] = await world.queue.fetch({ count: 1, except: [STUCK] });
    expect(job).toMatchObject({ groupId: 'other 10', retryCount: 0 });
    await world.db.query(`UPDATE pgboss.job SET state = 'retry' WHERE id = $1`, [job!.id]);
    expect(await world.queue.fetch({ count: 1, except: [STUCK] })).toEqual([{ ...job, retryCount: 1 }]);
    expect((await world.queue.keepAlive([{ ...job!, retryCount: 1 }])).ours).toEqual(new Set([job!.id]));
  });
});

describe('a backlog in a queue that was empty before', () => {
  it('is not read as a whole, although the planner believes that few runs wait', async () => {
    const world = await TriggerWorld.open();
    try {
      await add(world, STUCK, BACKLOG, 2_000);
      for (let other = 0; other < OTHERS; other += 1) await add(world, `other ${other}`, 1, 3_000 - other);
      const db = dbOf(world);
      const execute = db.executeSql.bind(db);
      const read: number[] = [];
      db.executeSql = async (text, values = []) => {
        if (!/UPDATE/.test(text)) return execute(text, values);
        const explain = { query: async (sql: string) => (await execute(sql, values)).rows };
        read.push(...(await rowsReadBy(explain as unknown as Queryable, text)));
        return { rows: [] };
      };
      await world.queue.fetch({ count: 10 });
      await world.queue.fetch({ count: 10, except: [STUCK] });
      db.executeSql = execute;
      expect(read.length).toBeGreaterThan(10);
      expect(Math.max(...read)).toBeLessThanOrEqual(1_000);
    } finally {
      await world.close();
    }
  });
});
