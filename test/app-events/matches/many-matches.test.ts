import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { fromPublicId } from '../../../src/platform/ids/ids.js';
import { EventWorld, type Source } from '../event-world.js';

let world: EventWorld;
let source: Source;
beforeAll(async () => {
  world = await EventWorld.open();
  source = await world.connectCatalog('microsoft_outlook');
});
afterAll(() => world.close());
beforeEach(async () => {
  for (const table of ['event_fan_outs', 'runs', 'payloads', 'triggers', 'firings']) await sql(`DELETE FROM ${table}`);
});

const sql = (text: string, values: unknown[] = []) => world.server.db.query<any>(text, values);
const count = async (table: string): Promise<number> => (await sql(`SELECT count(*) AS n FROM ${table}`))[0].n;
const post = (notifications: number) =>
  world.post(source, {
    value: Array.from({ length: notifications }, (_, n) => ({ clientState: source.secret, changeType: 'created', n })),
  });

/** Creates this many triggers that each notification fires, in ten workflows. */
async function triggers(amount: number): Promise<void> {
  const flows = await Promise.all(Array.from({ length: 10 }, () => world.workflow()));
  await world.trigger({ event: 'created' }, { workflowId: flows[0]! });
  await sql(
    `INSERT INTO triggers (id, account_id, workflow_id, type, config, status, event, created_at)
     SELECT gen_random_uuid(), account_id, ($2::uuid[])[1 + n % 10], type, config, status, event, created_at
     FROM triggers, generate_series(2, $1::int) n`,
    [amount, flows.map((id) => fromPublicId('wf', id))],
  );
}

/** Lets one event of the account wait. */
const letOneWait = () =>
  sql(
    `INSERT INTO event_fan_outs (id, account_id, triggers, hops, source_lost, input, input_bytes)
     SELECT gen_random_uuid(), account_id, '{}', 0, false, '1', 1 FROM triggers LIMIT 1`,
  );

describe('a post of many notifications', () => {
  // Of three triggers each, 2,000 runs are those of 666 notifications; each further one waits.
  it('counts its own events among the 100 that may wait', async () => {
    await triggers(3);
    await letOneWait();
    const { status, body, headers } = await post(766);
    expect([status, body.code, headers.get('retry-after')]).toEqual([429, 'rate_limited', '5']);
    expect([await count('runs'), await count('event_fan_outs')]).toEqual([0, 1]);
    expect((await post(765)).status).toBe(202);
    expect([await count('runs'), await count('event_fan_outs')]).toEqual([2_000, 100]);
  });

  it('may have more than 100 of them while no other event waits', async () => {
    await triggers(10);
    expect((await post(1_000)).status).toBe(202);
    expect([await count('runs'), await count('event_fan_outs')]).toEqual([2_000, 800]);
    expect((await post(201)).status).toBe(429);
    expect((await post(200)).status).toBe(202);
  });

  it('counts those that another post is storing', async () => {
    await triggers(3);
    const answers = await Promise.all([post(767), post(767)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 429]);
    expect(await count('event_fan_outs')).toBe(101);
  });

  it('matches 10,000 triggers at most in sum, and fires nothing with one more', async () => {
    await triggers(10);
    await world.trigger({ event: 'created', filter: { 'value.0.n': 7 } });
    const { status, body } = await post(1_000);
    expect([status, body.code]).toEqual([400, 'validation_error']);
    expect([await count('runs'), await count('event_fan_outs')]).toEqual([0, 0]);
    expect((await post(999)).status).toBe(202);
  });
});

describe('an event', () => {
  it('fires 10,000 triggers', async () => {
    await triggers(10_000);
    const { status, body } = await post(1);
    expect([status, body.run_ids!.length]).toEqual([202, 500]);
    expect(await sql(`SELECT cardinality(triggers) AS left FROM event_fan_outs`)).toEqual([{ left: 9_500 }]);
  });
});
