import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventFanOuts, MAX_WAITING } from '../../src/features/triggers/app-events/fan-outs.js';
import { MAX_AT_ONCE } from '../../src/features/triggers/fan-outs.js';
import { shareRuns } from '../../src/features/triggers/app-events/share-runs.js';
import { Notifications } from '../../src/platform/notifications/notifications.js';
import { fromPublicId } from '../../src/platform/ids/ids.js';
import { JobQueues } from '../../src/platform/jobs/job-queue.js';
import { createLogger } from '../../src/platform/logging/logger.js';
import { RUN_QUEUE, RunQueue } from '../../src/features/runs/queue/run-queue.js';
import { until } from '../support/until.js';
import { EventWorld, type Source } from './event-world.js';

const logger = createLogger('silent');
const EVENT = { type: 'thing.made', filler: 'x'.repeat(100_000) };

let world: EventWorld;
let source: Source;
let account: string;
let fanOuts: ReturnType<typeof eventFanOuts>;
let queues: JobQueues;
beforeAll(async () => {
  world = await EventWorld.open();
  source = await world.connect('unsigned');
  const { db, clock, database } = world.server;
  queues = new JobQueues(database.url, [RUN_QUEUE], logger, { isWorker: false });
  await queues.start();
  const queue = new RunQueue(queues, new Notifications(database.url, logger), db, clock);
  fanOuts = eventFanOuts({ db, clock, queue, logger });
  const [row] = await db.query<{ account: string }>(`SELECT account_id AS account FROM integrations`);
  account = row!.account;
});
afterAll(async () => {
  await queues.stop();
  await world.close();
});
beforeEach(async () => {
  for (const table of ['event_fan_outs', 'runs', 'payloads', 'triggers', 'firings']) await sql(`DELETE FROM ${table}`);
});

const sql = (text: string, values: unknown[] = []) => world.server.db.query<any>(text, values);
const batch = () => fanOuts.batch(account);
const count = async (table: string): Promise<number> => (await sql(`SELECT count(*) AS n FROM ${table}`))[0].n;

/** Creates this many triggers for the same event, in ten workflows. */
async function waiting(triggers: number): Promise<void> {
  const flows = await Promise.all(Array.from({ length: 10 }, () => world.workflow()));
  await world.trigger({ event: 'thing.made' }, { workflowId: flows[0]! });
  await sql(
    `INSERT INTO triggers (id, account_id, workflow_id, type, config, status, event, created_at)
     SELECT gen_random_uuid(), account_id, ($2::uuid[])[1 + n % 10], type, config, status, event, created_at
     FROM triggers, generate_series(2, $1::int) n`,
    [triggers, flows.map((id) => fromPublicId('wf', id))],
  );
}

/** The different numbers of runs that triggers have. */
async function runsOfTriggers(): Promise<number[]> {
  const rows = await sql(
    `SELECT DISTINCT (SELECT count(*) FROM runs r WHERE r.trigger_id = t.id AND r.status = 'queued') AS n
     FROM triggers t`,
  );
  return rows.map(({ n }: { n: number }) => n);
}

describe('an event that fires many triggers', () => {
  it(`makes ${MAX_AT_ONCE} runs with its acceptance and the rest in batches, all of one payload`, async () => {
    await waiting(2 * MAX_AT_ONCE + 1);
    const { status, body } = await world.post(source, EVENT);
    expect([status, body.accepted, body.run_ids!.length]).toEqual([202, true, MAX_AT_ONCE]);
    expect(await count('runs')).toBe(MAX_AT_ONCE);
    expect(await sql(`SELECT cardinality(triggers) AS left FROM event_fan_outs`)).toEqual([{ left: MAX_AT_ONCE + 1 }]);
    expect(await batch()).toBe(true);
    expect(await count('runs')).toBe(2 * MAX_AT_ONCE);
    expect([await batch(), await batch()]).toEqual([true, false]);
    expect(await runsOfTriggers()).toEqual([1]);
    expect([await count('event_fan_outs'), await count('payloads')]).toEqual([0, 1]);
    const [{ queued }] = await sql(`SELECT count(*) AS queued FROM pgboss.job WHERE id IN (SELECT id FROM runs)`);
    expect(queued).toBe(2 * MAX_AT_ONCE + 1);
    const [last] = await sql(
      `SELECT p.body FROM runs r JOIN payloads p ON p.id = r.payload_id ORDER BY r.id DESC LIMIT 1`,
    );
    expect(JSON.parse(last.body)).toEqual(EVENT);
  });

  it(`makes all of ${MAX_AT_ONCE} at once`, async () => {
    await waiting(MAX_AT_ONCE);
    expect((await world.post(source, EVENT)).body.run_ids).toHaveLength(MAX_AT_ONCE);
    expect(await count('event_fan_outs')).toBe(0);
  });

  it('loses and duplicates nothing if a process dies during a batch, or several process batches at once', async () => {
    await waiting(3 * MAX_AT_ONCE);
    await world.post(source, EVENT);
    await sql(
      `ALTER TABLE event_fan_outs ADD CONSTRAINT dies CHECK (cardinality(triggers) > ${MAX_AT_ONCE}) NOT VALID`,
    );
    await expect(batch()).rejects.toThrow('dies');
    expect(await count('runs')).toBe(MAX_AT_ONCE);
    await sql(`ALTER TABLE event_fan_outs DROP CONSTRAINT dies`);
    await until(async () => !(await Promise.all([batch(), batch(), batch()])).includes(true));
    expect(await runsOfTriggers()).toEqual([1]);
  });

  it('adds no runs when it is delivered again while the rest waits, and names the first runs', async () => {
    await waiting(MAX_AT_ONCE + 5);
    const headers = { 'webhook-id': 'delivery-1' };
    const first = await world.post(source, EVENT, headers);
    const again = await world.post(source, EVENT, headers);
    expect(first.body.run_ids).toHaveLength(MAX_AT_ONCE);
    expect(again.body).toEqual(first.body);
    expect([await count('event_fan_outs'), await count('payloads')]).toEqual([1, 1]);
    while (await batch());
    expect(await runsOfTriggers()).toEqual([1]);
  });

  it(`is refused while ${MAX_WAITING} of its account wait, and nothing of it is stored; a small one is not`, async () => {
    await waiting(MAX_AT_ONCE + 1);
    await world.post(source, EVENT);
    await sql(
      `INSERT INTO event_fan_outs SELECT gen_random_uuid(), account_id, triggers, key, hops, source_lost, input,
         payload_id, input_bytes FROM event_fan_outs, generate_series(2, ${MAX_WAITING})`,
    );
    const { status, body, headers } = await world.post(source, EVENT);
    expect([status, body.code, headers.get('retry-after')]).toEqual([429, 'rate_limited', '5']);
    expect([await count('runs'), await count('payloads')]).toEqual([MAX_AT_ONCE, 1]);
    await sql(`DELETE FROM triggers WHERE id IN (SELECT id FROM triggers LIMIT 1)`);
    expect((await world.post(source, EVENT)).body.run_ids).toHaveLength(MAX_AT_ONCE);
  });

  it('takes turns with those of other accounts', async () => {
    await waiting(MAX_AT_ONCE + 1);
    for (let n = 0; n < 3; n += 1) await world.post(source, EVENT);
    const other = '0191d4f0-0000-7000-8000-000000000000';
    await sql(
      `INSERT INTO event_fan_outs SELECT gen_random_uuid(), $1, triggers, key, hops, source_lost, input, payload_id,
         input_bytes FROM event_fan_outs LIMIT 1`,
      [other],
    );
    expect((await fanOuts.waitingAccounts()).sort()).toEqual([account, other].sort());
    await batch();
    expect(await sql(`SELECT account_id FROM event_fan_outs WHERE account_id = $1`, [account])).toHaveLength(2);
  });
});

describe('a worker', () => {
  it('creates the remaining runs', async () => {
    await waiting(MAX_AT_ONCE + 3);
    await world.post(source, EVENT);
    const worker = await world.another({ ROLES: 'worker' });
    try {
      await until(async () => (await count('runs')) === MAX_AT_ONCE + 3);
      expect(await count('event_fan_outs')).toBe(0);
    } finally {
      await worker.close();
    }
  });
});

describe('of events that share a transaction', () => {
  it.each([
    ['all runs are made at once where they are few', [3, 1, 20], [3, 1, 20]],
    ['one that fires many leaves the rest', [501, 2], [500, 2]],
    ['those that fire few go first', [900, 500, 10, 800, 700], [490, 500, 10, 500, 500]],
  ])('%s', (_, counts, shares) => {
    expect(shareRuns(counts)).toEqual(shares);
  });
});
