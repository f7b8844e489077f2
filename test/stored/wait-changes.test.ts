import { type Queryable } from '../../src/platform/db/database.js';
import { rowsReadBy } from '../support/database/plan.js';
import { fill } from '../support/database/fill.js';
import { PruneWorld } from './prune-world.js';

const DAY_MS = 86_400_000;
/** Changes of waits whose runs are still kept. */
const KEPT = 4_000;

describe('the changes of waits', () => {
  let world: PruneWorld;
  beforeAll(async () => {
    world = await PruneWorld.open();
  });
  afterAll(() => world.close());

  const daysAgo = (days: number) => new Date(world.clock.now().getTime() - days * DAY_MS);
  /** Adds changes, each of its own wait, which is kept or gone. */
  const add = async (days: number, count: number, isKept: boolean) => {
    await fill(
      world.database.url,
      `WITH added AS (
         INSERT INTO wait_changes (id, account_id, wait_id, run_id, kind, position, status, at)
         SELECT uuid_at($1::timestamptz + n * interval '1 ms'), gen_random_uuid(), gen_random_uuid(), gen_random_uuid(),
           'approval', n, 'pending', $1::timestamptz + n * interval '1 ms'
         FROM generate_series(1, $2::int) n RETURNING wait_id, account_id, run_id, at)
       INSERT INTO waits (id, account_id, workflow_id, run_id, step_index, step, kind, status, is_test, hops, created_at)
       SELECT wait_id, account_id, run_id, run_id, 0, 'ok', 'approval', 'pending', false, 0, at FROM added WHERE $3`,
      [daysAgo(days), count, isKept],
    );
  };

  it('are deleted with their waits after 30 days, in statements that read no more than a page of those that are kept', async () => {
    await add(80, KEPT, true);
    await add(40, 20, false);
    await add(29, 20, false);
    await world.db.query('ANALYZE wait_changes, waits');
    const query = world.db.query.bind(world.db);
    const read: number[] = [];
    world.db.query = async (text, values = []) => {
      const literal = (value: unknown) => `'${value instanceof Date ? value.toISOString() : String(value)}'`;
      const filled = text.replaceAll(/\$(\d)/g, (_, n) => literal(values[Number(n) - 1]));
      read.push(...(await rowsReadBy({ query } as Queryable, filled)));
      return query(text, values);
    };
    await world.run('prune wait changes');
    world.db.query = query;
    expect(read.length).toBeGreaterThan(0);
    expect(Math.max(...read)).toBeLessThanOrEqual(1_000);
    expect(await world.count('wait_changes')).toBe(KEPT + 20);
  });
});
