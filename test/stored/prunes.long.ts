import { scaled } from '../support/runner/long-scale.js';
import { fill, OUTDATED } from './outdated-rows.js';
import { PruneWorld } from './prune-world.js';

/** More rows than one account writes in a day, as after a week without a worker. */
const ROWS = scaled(2_000_000, 20_000);

describe(`the jobs that delete what is outdated, after ${ROWS} rows`, () => {
  let world: PruneWorld;

  beforeAll(async () => {
    world = await PruneWorld.open();
  });
  afterAll(() => world.close());

  // No statement may take longer than the pool's limit, or the job would fail here.
  it.each(OUTDATED)('empty $table within one turn', async (outdated) => {
    const { table, left = 0 } = outdated;
    await fill(world.database.url, outdated, ROWS, world.clock.now());
    await world.prune();
    expect(await world.count(table)).toBe(left);
    await world.db.source.query(`TRUNCATE ${table}, accounts, deleted_workflows CASCADE`);
  });
});
