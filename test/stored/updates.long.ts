import { Secrets } from '../../src/platform/encryption/secrets.js';
import { scaled } from '../support/runner/long-scale.js';
import { pausedRuns, sealedLists } from './many-rows.js';
import { PruneWorld } from './prune-world.js';

/** More rows than one account writes in a day, as after a week without a worker. */
const ROWS = scaled(2_000_000, 20_000);
const [OLD_KEY, NEW_KEY] = [Buffer.alloc(32), Buffer.alloc(32, 7)];

describe(`the jobs that update what has passed its time, after ${ROWS} rows`, () => {
  let world: PruneWorld;

  beforeAll(async () => {
    world = await PruneWorld.open([NEW_KEY, OLD_KEY]);
  });
  afterAll(() => world.close());

  // No statement may take longer than the pool's limit, or the job would fail here.
  it('queue all runs whose pause is over within one turn', async () => {
    await pausedRuns(world.database.url, ROWS, world.clock.now());
    await world.run('resume runs');
    expect(await world.count('runs WHERE resume_at IS NOT NULL')).toBe(0);
    expect(await world.count('pgboss.job')).toBe(ROWS);
  });

  it('seal all that an older key has sealed within one turn', async () => {
    await sealedLists(world.database.url, ROWS, new Secrets([OLD_KEY]), world.clock.now());
    await world.run('reseal texts');
    expect(await world.count(`action_lists WHERE starts_with(body, '${new Secrets([NEW_KEY]).newestPrefix}')`)).toBe(
      ROWS,
    );
  });
});
