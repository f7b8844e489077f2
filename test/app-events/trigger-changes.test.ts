import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { MAX_WAITING_TRIGGERS } from '../../src/features/triggers/changes/waiting-changes.js';
import { MAX_AT_ONCE } from '../../src/features/triggers/fan-outs.js';
import { DELIVERY_BYTES, EVENT_BYTES } from '../../src/features/webhooks/record-events.js';
import { until } from '../support/until.js';
import { ChangeWorld } from './change-world.js';

let world: ChangeWorld;
beforeAll(async () => {
  world = await ChangeWorld.open();
});
beforeEach(() => world.reset());
afterAll(() => world.close());

describe('the end of a connection that many triggers depend on', () => {
  it(`is reported for ${MAX_AT_ONCE} triggers at once and for the others in batches, once to each webhook`, async () => {
    const webhooks = [await world.webhook(), await world.webhook(), await world.webhook()];
    const ids = await world.triggers(2 * MAX_AT_ONCE + 1);
    await world.disconnect();
    expect(await world.sql(`SELECT DISTINCT status FROM triggers`)).toEqual([{ status: 'error' }]);
    expect([await world.perTransaction(), await world.waiting()]).toEqual([[3 * MAX_AT_ONCE], [MAX_AT_ONCE + 1]]);
    expect([await world.batch(), await world.batch(), await world.batch()]).toEqual([true, true, false]);
    expect(await world.perTransaction()).toEqual([3 * MAX_AT_ONCE, 3 * MAX_AT_ONCE, 3]);
    expect(await world.waiting()).toEqual([]);
    for (const webhook of webhooks) {
      expect([...(await world.told(webhook)).keys()].sort()).toEqual(ids.toSorted());
      expect(await world.series(webhook)).toEqual(['error']);
    }
    const [times] = await world.sql(
      `SELECT count(DISTINCT body::json->>'timestamp') AS told, count(DISTINCT d.created_at) AS due
       FROM webhook_events e JOIN webhook_deliveries d ON d.event_id = e.id`,
    );
    expect(times).toEqual({ told: 1, due: 1 });
  });

  it(`leaves nothing behind for ${MAX_AT_ONCE} triggers, or without a webhook and the log`, async () => {
    await world.triggers(MAX_AT_ONCE);
    const webhook = await world.webhook();
    await world.disconnect();
    expect([await world.count('trigger_change_fan_outs'), (await world.told(webhook)).size]).toEqual([0, MAX_AT_ONCE]);
    await world.reset();
    await world.log(false);
    await world.triggers(MAX_AT_ONCE + 1);
    await world.disconnect();
    expect(await world.count('trigger_change_fan_outs')).toBe(0);
  });

  it('is in the log of events without any webhook, for each trigger', async () => {
    const ids = await world.triggers(MAX_AT_ONCE + 1);
    await world.disconnect();
    expect(await world.waiting()).toEqual([1]);
    while (await world.batch());
    const logged: string[] = [];
    for (let after = ''; ;) {
      const { data } = await world.expect(200, 'GET', `/events?types=trigger.updated&limit=100${after}`);
      if (data.length === 0) break;
      logged.push(...data.map((event: any) => event.data.id));
      after = `&after=${data.at(-1).id}`;
    }
    expect(logged.filter((id) => ids.includes(id)).toSorted()).toEqual(ids.toSorted());
  });

  it('counts the bytes of all events, with those of the rows, where they are recorded', async () => {
    for (let webhook = 0; webhook < 3; webhook += 1) await world.webhook({ events: ['trigger.updated'] });
    await world.triggers(MAX_AT_ONCE + 10);
    await world.log(false);
    const end = () => world.counted(() => world.disconnect());
    const rest = () => world.counted(world.batch);
    const bytes = [await end(), await rest()];
    const texts = await world.texts('webhook_events');
    const ofIntegration = EVENT_BYTES * 4;
    const least = (MAX_AT_ONCE + 10) * (EVENT_BYTES + 3 * DELIVERY_BYTES) + texts;
    expect(bytes[0]! + bytes[1]!).toBeGreaterThanOrEqual(least);
    expect(bytes[0]! + bytes[1]!).toBeLessThan(least + ofIntegration);
    expect(bytes[1]).toBeGreaterThan(10 * (EVENT_BYTES + 3 * DELIVERY_BYTES));
    await world.reset();
    await world.triggers(10);
    const logged = await end();
    expect(logged).toBeGreaterThan(10 * EVENT_BYTES);
    expect(logged).toBeLessThan(10 * EVENT_BYTES + 10 * texts);
  });

  it('waits for the events of more triggers until its account may store again', async () => {
    const webhook = await world.webhook();
    await world.triggers(MAX_AT_ONCE + 10);
    await world.disconnect();
    await world.changes(() => Promise.resolve(true)).run(undefined);
    expect([await world.waiting(), (await world.told(webhook)).size]).toEqual([[10], MAX_AT_ONCE]);
    await world.reconnect();
    await world.changes().run(undefined);
    expect([await world.waiting(), await world.series(webhook)]).toEqual([[], ['error active']]);
  });

  it('loses and duplicates nothing if a process dies during a batch, or several process batches at once', async () => {
    const webhook = await world.webhook();
    await world.triggers(3 * MAX_AT_ONCE);
    await world.disconnect();
    await world.sql(
      `ALTER TABLE trigger_change_fan_outs ADD CONSTRAINT dies CHECK (cardinality(triggers) > ${MAX_AT_ONCE}) NOT VALID`,
    );
    await expect(world.batch()).rejects.toThrow('dies');
    expect((await world.told(webhook)).size).toBe(MAX_AT_ONCE);
    await world.sql(`ALTER TABLE trigger_change_fan_outs DROP CONSTRAINT dies`);
    await until(async () => !(await Promise.all([world.batch(), world.batch(), world.batch()])).includes(true));
    expect([(await world.told(webhook)).size, await world.series(webhook)]).toEqual([3 * MAX_AT_ONCE, ['error']]);
  });

  it('is reported in order, also when several processes report returns and ends that follow', async () => {
    const webhooks = [await world.webhook(), await world.webhook()];
    await world.triggers(MAX_AT_ONCE + 20);
    await world.disconnect();
    await world.reconnect();
    await world.disconnect();
    expect(await world.waiting()).toEqual([20, MAX_AT_ONCE + 20, MAX_AT_ONCE + 20]);
    await until(async () => {
      await Promise.all([world.batch(), world.batch(), world.batch()]);
      return (await world.count('trigger_change_fan_outs')) === 0;
    });
    for (const webhook of webhooks) expect(await world.series(webhook)).toEqual(['error active error']);
  });

  it('is reported by a worker', async () => {
    const webhook = await world.webhook();
    await world.triggers(MAX_AT_ONCE + 3);
    await world.disconnect();
    const worker = await world.events.another({ ROLES: 'worker' });
    try {
      await until(async () => (await world.told(webhook)).size === MAX_AT_ONCE + 3);
      expect(await world.count('trigger_change_fan_outs')).toBe(0);
    } finally {
      await worker.close();
    }
  });
});

describe('the return of a connection', () => {
  /** Changes of another connection that are still to be reported. */
  const fill = (triggers: number) =>
    world.sql(
      `INSERT INTO trigger_change_fan_outs (account_id, triggers, status, hops, at, webhooks)
       SELECT account_id, ARRAY(SELECT gen_random_uuid() FROM generate_series(1, $1::int)), 'error', 0, now(), '{}'
       FROM integrations`,
      [triggers],
    );
  const path = () => `/integrations/${world.source.id}`;
  const again = () =>
    world.events.client.rest('POST', `${path()}/reconnect`, {
      body: { credentials: { api_key: 'sandbox_valid_key' } },
    });

  it(`is refused while ${MAX_WAITING_TRIGGERS} triggers wait; the end of one is not`, async () => {
    await world.webhook();
    await world.triggers(1);
    await fill(MAX_WAITING_TRIGGERS);
    await world.disconnect();
    await world.sql(`UPDATE trigger_change_fan_outs SET triggers = triggers[2:] WHERE cardinality(triggers) > 1`);
    const { status, body, headers } = await again();
    expect([status, body.code, headers.get('retry-after')]).toEqual([429, 'rate_limited', '5']);
    expect((await world.expect(200, 'GET', path())).status).toBe('disconnected');
    await world.sql(`UPDATE trigger_change_fan_outs SET triggers = triggers[2:] WHERE cardinality(triggers) > 1`);
    expect((await again()).status).toBe(200);
  });

  it('is not refused without a webhook for its triggers and without the log', async () => {
    await world.log(false);
    await world.triggers(1);
    await fill(MAX_WAITING_TRIGGERS);
    await world.disconnect();
    expect((await again()).status).toBe(200);
  });
});
