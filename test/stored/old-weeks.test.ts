import { newUuid } from '../../src/platform/ids/ids.js';
import { PruneWorld } from './prune-world.js';

const DAY_MS = 86_400_000;

const LOGS = [
  {
    job: 'drop old events',
    days: 30,
    table: 'events',
    row: `INSERT INTO events (id, account_id, position, type, at, body) VALUES ($1, gen_random_uuid(), 1, 'any', now(), '{}')`,
  },
  {
    job: 'drop old audit entries',
    days: 365,
    table: 'audit_log',
    row: `INSERT INTO audit_log (id, account_id, at, author_kind, action, resource_type, resource_id)
          VALUES ($1, gen_random_uuid(), now(), 'command', 'any', 'any', gen_random_uuid())`,
  },
];

describe('rows of weeks without a partition', () => {
  it.each(LOGS)('$job when they are too old', async ({ job, days, table, row }) => {
    const world = await PruneWorld.open();
    try {
      const at = (age: number) => newUuid(new Date(world.clock.now().getTime() - age * DAY_MS));
      const [kept, old] = [at(days - 1), at(days + 1)];
      for (const id of [kept, old]) await world.db.query(row, [id]);
      expect(await world.count(`${table}_default`)).toBe(2);
      await world.run(job);
      expect(await world.db.query(`SELECT id FROM ${table}`)).toEqual([{ id: kept }]);
    } finally {
      await world.close();
    }
  });
});
