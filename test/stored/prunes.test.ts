import { fill, OUTDATED } from './outdated-rows.js';
import { PruneWorld } from './prune-world.js';

/** Tables that no job prunes, or only with the rows of another table, and their bounds. */
const BOUNDED = {
  accounts: 'made by operators',
  api_keys: 'made by people',
  audit_log: 'partitions dropped by age',
  authorizations: 'one an integration, ended after ten minutes',
  bulk_counters: 'one an account',
  bulk_items: 'goes once its runs are retried or canceled',
  connection_answers: 'goes once its waits are answered',
  deleted_workflows: 'goes with the runs',
  event_arrivals: 'goes once its events are numbered',
  event_counters: 'one an account',
  event_fan_outs: 'goes once its runs are made',
  events: 'partitions dropped by age',
  failure_mails: 'one an account, goes with a mail after ten minutes',
  failure_notices: 'goes with the next mail',
  kept_secrets: 'one row',
  mail_counts: 'one an account',
  migrations: 'ours',
  passkeys: 'twenty a user',
  password_resets: 'one a user, pruned with user_sessions',
  payloads: 'partitions dropped by age, or goes with the runs',
  schema_minimum: 'one row',
  set_up_link: 'one row',
  set_up_links: 'a hundred rows',
  steps: 'goes with the runs',
  trigger_change_fan_outs: 'goes once its events are recorded',
  triggers: 'deleted by people',
  user_credentials: 'goes with users',
  users: 'made by people',
  wait_changes: 'two a wait, pruned after it',
  wait_counters: 'one an account',
  waits: 'pruned with the runs, by ids that no index of times finds',
  webhook_redeliveries: 'one a webhook, goes once it is worked off',
  webhooks: 'deleted by people',
  workflow_failures: 'one a workflow, goes with it',
  workflow_totals: 'some rows an account',
  workflows: 'deleted by people',
};

const ROWS = 12_001;

describe('the jobs that delete outdated rows', () => {
  let world: PruneWorld;
  let idle: number;

  beforeAll(async () => {
    world = await PruneWorld.open();
    idle = await world.prune();
  });
  afterAll(() => world.close());

  it('cover every table that grows without limit', async () => {
    const tables = await world.db.query<{ name: string }>(
      `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
         AND NOT relispartition ORDER BY relname`,
    );
    const known = [...Object.keys(BOUNDED), ...OUTDATED.map(({ table }) => table)];
    expect(known.toSorted()).toEqual(tables.map(({ name }) => name));
  });

  it.each(OUTDATED)('empty $table in batches, smaller ones where those take too long', async (outdated) => {
    const { table, left = 0 } = outdated;
    await fill(world.database.url, outdated, ROWS, world.clock.now());
    // Integrations are deleted one by one, but each with its changes.
    const limited = table === 'integrations' ? 'integration_changes' : table;
    await world.limit(limited, 700);
    const statements = (await world.prune()) - idle;
    expect(await world.count(table)).toBe(left);
    expect(statements).toBeGreaterThan(ROWS / 700);
    // Before each batch of runs its account is looked for.
    expect(statements).toBeLessThan(ROWS / (table === 'runs' ? 60 : 100));
    expect(await world.prune()).toBeLessThan(idle + 3);
    await world.unlimit(limited);
    await world.db.source.query(`TRUNCATE accounts, deleted_workflows CASCADE`);
  });

  it('end after the current batch when the process stops', async () => {
    const firings = OUTDATED.find(({ table }) => table === 'firings')!;
    await fill(world.database.url, firings, ROWS, world.clock.now());
    const stop = new AbortController();
    const { query } = world.db;
    world.db.query = (...args) => {
      stop.abort();
      return query.apply(world.db, args) as never;
    };
    await world.jobs.find(({ name }) => name === 'prune firings')!.run(stop.signal);
    world.db.query = query;
    expect(await world.count('firings')).toBe(ROWS - 5_000);
    await world.prune();
    expect(await world.count('firings')).toBe(0);
  });
});
