import { DUE_RUNS } from '../../src/features/runs/waiting-runs.job.js';
import { type Queryable } from '../../src/platform/db/database.js';
import { DueInTurns } from '../../src/platform/jobs/due-in-turns.js';
import { ensurePartitions } from '../../src/platform/partitions/weekly-partitions.js';
import { fill } from '../support/database/fill.js';
import { rowsReadBy } from '../support/database/plan.js';
import { TriggerWorld } from '../support/worlds/trigger-world.js';

const WEEK = 7 * 86_400_000;
/** Other accounts, each with one due run in the middle of the backlog. */
const OTHERS = 25;
const BACKLOG = 5_000;
const LIMIT = 10;

describe('a backlog of one account', () => {
  let world: TriggerWorld;
  beforeAll(async () => {
    world = await TriggerWorld.open();
    const { db, url, clock, context } = world;
    const now = clock.now();
    for (const weeks of [5, 0]) await ensurePartitions(db, new Date(now.getTime() - weeks * WEEK));
    const mine = await world.run(await world.trigger(), { status: 'running', at: now });
    await db.query(`UPDATE runs SET started_at = now(), resume_at = now() - interval '1 h', version = 2`);
    await fill(
      url,
      `INSERT INTO accounts SELECT (jsonb_populate_record(a, jsonb_build_object('id', uuid_at($1), 'name', 'a' || n))).*
       FROM accounts a, generate_series(1, $3::int) n WHERE a.id = $2`,
      [now, context.accountId, OTHERS],
    );
    const add = (accounts: string, resumeAt: string, count: number) =>
      fill(
        url,
        `INSERT INTO runs SELECT (jsonb_populate_record(r, jsonb_build_object(
           'id', uuid_at($2), 'account_id', a.id, 'resume_at', ${resumeAt}))).*
         FROM runs r, accounts a, generate_series(1, $4::int) n WHERE r.id = $1 AND a.id ${accounts} $3`,
        [mine, now, context.accountId, count],
      );
    await add('=', `now() - n * interval '1 s'`, BACKLOG);
    await add('<>', `now() - interval '1 min'`, 1);
    await add('<>', `now() + interval '1 h'`, 20);
    await db.query('ANALYZE runs');
  });
  afterAll(() => world.close());

  it('leaves each of more accounts than a call looks at its turn', async () => {
    const due = new DueInTurns(DUE_RUNS);
    const seen = new Set<string>();
    // The world has a further account.
    const accounts = OTHERS + 2;
    for (let left = accounts; left > 0; left -= LIMIT) {
      const uuids = await due.next(world.db, LIMIT);
      expect(uuids).toHaveLength(LIMIT);
      const rows = await world.db.query<{ account: string }>(
        `SELECT account_id AS account FROM runs WHERE id = ANY ($1) AND resume_at <= clock_now()`,
        [uuids],
      );
      expect(rows).toHaveLength(LIMIT);
      for (const { account } of rows) seen.add(account);
    }
    expect(seen.size).toBe(accounts);
  });

  it('is read no further than the rows that are returned', async () => {
    const plans: number[][] = [];
    const on: Queryable = Object.assign(Object.create(world.db) as Queryable, {
      query: async (text: string, values: readonly unknown[]) => {
        const filled = text.replaceAll(/\$(\d)/g, (_, n) => `'${String(values[Number(n) - 1])}'`);
        plans.push(await rowsReadBy(world.db, filled));
        return world.db.query(text, values);
      },
    });
    await new DueInTurns(DUE_RUNS).next(on, LIMIT);
    expect(plans).toHaveLength(2);
    expect(Math.max(...plans.flat())).toBeLessThanOrEqual(3 * LIMIT);
  });
});
