import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { redeliverJob } from '../../src/features/webhooks/redelivery/redeliver.job.js';
import { fromPublicId } from '../../src/platform/ids/ids.js';
import { createLogger } from '../../src/platform/logging/logger.js';
import { until } from '../support/until.js';
import { messageId, status } from './receiver.js';
import { WebhookWorld } from './webhook-world.js';

const DAY_MS = 86_400_000;

let world: WebhookWorld;
/** Processes of the api role: the test decides when workers send again. */
beforeAll(async () => {
  world = await WebhookWorld.open({ env: { ROLES: 'api' } });
  world.startSender();
});
afterAll(() => world.close());
beforeEach(() => {
  world.receiver.answer = status(204);
});

const work = () => redeliverJob(world.server.db, world.server.clock, createLogger('silent')).run();
const redeliver = (id: string, body: object) => world.client.rest('POST', `/webhooks/${id}/redeliver`, { body });
const now = () => world.server.clock.now();
const ago = (milliseconds: number) => new Date(now().getTime() - milliseconds).toISOString();
const idsAt = (path: string) => world.receiver.at(path).map(messageId);
const sent = async (id: string): Promise<any[]> =>
  (await world.deliveries(id)).filter(({ status }) => status !== 'pending');

/** A webhook that has received events, of which the receiver has refused those that its `answer` refuses. */
async function received(path: string, count: number) {
  const { id } = await world.webhook(path, ['workflow.created']);
  for (let n = 0; n < count; n += 1) await world.workflow(`${path} ${n}`);
  await until(() => world.receiver.at(path).length === count);
  await until(async () => (await world.deliveries(id)).every(({ attempts }) => attempts > 0));
  return id;
}

/** Ends pending deliveries as failed. */
const giveUp = (id: string) =>
  world.server.db.query(
    `UPDATE webhook_deliveries SET status = 'failed', next_attempt_at = NULL, completed_at = clock_now()
     WHERE webhook_id = $1 AND status = 'pending'`,
    [fromPublicId('wh', id)],
  );

describe('POST /v1/webhooks/{id}/redeliver', () => {
  it('sends every event of the range again, once each and with its webhook-id', async () => {
    const id = await received('/all', 3);
    await until(async () => (await sent(id)).length === 3);
    const first = idsAt('/all');
    const since = ago(60_000);
    const { status: code, body } = await redeliver(id, { since });
    expect([code, body]).toEqual([202, { deliveries: 3 }]);
    expect(await redeliver(id, { since })).toMatchObject({ status: 409, body: { code: 'conflict' } });
    await work();
    await until(() => world.receiver.at('/all').length === 6);
    expect(idsAt('/all').slice(3).toSorted()).toEqual(first.toSorted());
    await until(async () => (await sent(id)).length === 6);
    // Repetitions are not repeated: an event is sent again once, by its first delivery.
    expect((await redeliver(id, { since })).body).toEqual({ deliveries: 3 });
    await work();
    await until(() => world.receiver.at('/all').length === 9);
  });

  it('with `failed` leaves out what has arrived, also by hand, and attempts pending ones at once', async () => {
    world.receiver.answer = status(500);
    const id = await received('/failed', 3);
    await giveUp(id);
    await world.workflow('/failed pending');
    await until(() => world.receiver.at('/failed').length === 4);
    await until(async () => (await world.deliveries(id))[0].next_attempt_at !== null);
    world.receiver.answer = status(204);
    await world.workflow('/failed fine');
    await until(async () => (await world.deliveries(id))[0].status === 'succeeded');
    const byHand = (await world.deliveries(id)).at(-1);
    await world.client.rest('POST', `/webhooks/${id}/deliveries/${byHand.id}/redeliver`);
    await until(() => world.receiver.at('/failed').length === 6);
    await until(async () => (await world.deliveries(id))[0].status === 'succeeded');
    const refused = idsAt('/failed').slice(1, 4);
    expect((await redeliver(id, { since: ago(60_000), status: 'failed' })).body).toEqual({ deliveries: 3 });
    await work();
    await until(() => world.receiver.at('/failed').length === 9);
    expect(idsAt('/failed').slice(6).toSorted()).toEqual(refused.toSorted());
    await until(async () => (await world.deliveries(id)).every((one) => one.status !== 'pending'));
    expect((await redeliver(id, { since: ago(60_000), status: 'failed' })).body).toEqual({ deliveries: 0 });
  });

  it('takes a range by its beginning and its end', async () => {
    const id = await received('/range', 1);
    await world.server.advance(2 * DAY_MS);
    await world.workflow('/range later');
    await until(async () => (await sent(id)).length === 2);
    const [earlier, later] = idsAt('/range') as [string, string];
    const ranges: [object, string[]][] = [
      [{ since: ago(3 * DAY_MS) }, [earlier, later]],
      [{ since: ago(3 * DAY_MS), until: ago(DAY_MS) }, [earlier]],
      [{ since: ago(DAY_MS) }, [later]],
      [{ since: ago(3 * DAY_MS), until: ago(2.5 * DAY_MS) }, []],
    ];
    for (const [range, inRange] of ranges) {
      const before = idsAt('/range').length;
      expect((await redeliver(id, range)).body).toEqual({ deliveries: inRange.length });
      await work();
      await until(async () => (await world.deliveries(id)).every((one) => one.status !== 'pending'));
      expect(idsAt('/range').slice(before).toSorted()).toEqual(inRange.toSorted());
    }
  });

  it('refuses a range that is too old, upside down or of a disabled webhook', async () => {
    const { id } = await world.webhook('/refused', ['workflow.created']);
    const refusal = async (body: object) => (await redeliver(id, body)).body;
    expect(await refusal({})).toMatchObject({ details: [{ field: 'since' }] });
    expect(await refusal({ since: ago(31 * DAY_MS) })).toMatchObject({ details: [{ field: 'since' }] });
    expect(await refusal({ since: ago(1_000), until: ago(2_000) })).toMatchObject({ details: [{ field: 'until' }] });
    expect(await refusal({ since: ago(1_000), status: 'succeeded' })).toMatchObject({ details: [{ field: 'status' }] });
    await world.client.rest('PUT', `/webhooks/${id}`, { body: { status: 'disabled' } });
    expect(await refusal({ since: ago(1_000) })).toMatchObject({ code: 'conflict' });
  });

  it('counts at most 100,000 and sends in batches, of which none is lost or repeated when a worker dies', async () => {
    const id = await received('/many', 1);
    await until(async () => (await sent(id)).length === 1);
    await copies(id, 2_300);
    // Not sent while it is counted: only the work of the workers is looked at.
    await world.server.db.query(`UPDATE webhooks SET host = 'nowhere.example' WHERE id = $1`, [fromPublicId('wh', id)]);
    expect((await redeliver(id, { since: ago(3_600_000) })).body).toEqual({ deliveries: 2_301 });
    const stop = new AbortController();
    const { transaction } = world.server.db;
    let batches = 0;
    // The third batch dies before its commit.
    world.server.db.transaction = (run) =>
      transaction.call(world.server.db, async (tx) => {
        const result = await run(tx);
        if ((batches += 1) === 3) {
          stop.abort();
          throw new Error('The process died.');
        }
        return result;
      }) as never;
    await redeliverJob(world.server.db, world.server.clock, createLogger('silent')).run(stop.signal);
    world.server.db.transaction = transaction;
    expect(await repeated(id)).toEqual({ total: 1_000, distinct: 1_000 });
    await Promise.all([work(), work()]);
    expect(await repeated(id)).toEqual({ total: 2_301, distinct: 2_301 });
    await copies(id, 100_100);
    expect((await redeliver(id, { since: ago(3_600_000) })).body).toMatchObject({
      code: 'validation_error',
      details: [{ field: 'until' }],
    });
  });
});

/** Adds copies of a webhook's first delivery, each of an event of its own. */
async function copies(id: string, count: number): Promise<void> {
  // A statement has a time limit.
  for (let rest = count; rest > 0; rest -= 5_000) await copy(id, Math.min(rest, 5_000));
}

async function copy(id: string, count: number): Promise<void> {
  await world.server.db.query(
    `WITH made AS (
       INSERT INTO webhook_events (id, account_id, hops, body, keep_until)
       SELECT gen_random_uuid(), e.account_id, 0, '{}', e.keep_until FROM generate_series(1, $2::int), webhook_events e
       WHERE e.id = (SELECT event_id FROM webhook_deliveries WHERE webhook_id = $1 AND first_id IS NULL LIMIT 1) RETURNING *)
     INSERT INTO webhook_deliveries
       (id, account_id, webhook_id, event_id, names_event, type, status, attempts, created_at, completed_at)
     SELECT uuid_at(clock_now() - interval '1 min'), account_id, $1, id, true, 'workflow.created', 'failed', 1,
       clock_now(), clock_now() FROM made`,
    [fromPublicId('wh', id), count],
  );
}

async function repeated(id: string) {
  const [row] = await world.server.db.query(
    `SELECT count(*) AS total, count(DISTINCT first_id) AS distinct FROM webhook_deliveries
     WHERE webhook_id = $1 AND first_id IS NOT NULL`,
    [fromPublicId('wh', id)],
  );
  return row;
}
