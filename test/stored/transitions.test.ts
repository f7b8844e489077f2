import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RUN_TRANSITIONS, RunStatus } from '../../src/features/runs/run-status.js';
import { WAIT_TRANSITIONS, WaitStatus } from '../../src/features/waits/wait-status.js';
import { DELIVERY_TRANSITIONS, DeliveryStatus } from '../../src/features/webhooks/webhook-status.js';
import { fromPublicId } from '../../src/platform/ids/ids.js';
import { MailWorld } from '../mail/mail-world.js';
import {
  allowedTransitions,
  recordedTransitions,
  recordTransitions,
} from '../support/database/recorded-transitions.js';
import { RunWorld } from '../support/worlds/run-world.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { until } from '../support/until.js';
import { pathOf, waiting as pendingWaits } from '../waits/wait-world.js';

const DAY_MS = 86_400_000;
const HOLDS = { path: 'trigger.body', operator: 'exists' };

const statusOf = (url: string | undefined): number => (url === '/fails' ? 404 : url === '/gone' ? 410 : 200);

describe('runs and deliveries', () => {
  let world: RunWorld;
  let worker: TestServer | undefined;

  beforeAll(async () => {
    world = await RunWorld.open({ env: { ROLES: 'api' } });
    await recordTransitions(world.server.db, 'runs', 'webhook_deliveries', 'waits');
    world.reply = ({ url }) => ({ status: statusOf(url) });
  });
  afterAll(async () => {
    await worker?.close();
    await world.close();
  });

  const webhook = async (path: string): Promise<string> => {
    const body = { url: `${world.targetUrl}/${path}`, events: ['run.succeeded'] };
    return (await world.client.rest('POST', '/webhooks', { body })).body.id;
  };
  const cancel = async (id: string) =>
    expect((await world.client.rest('POST', `/runs/${id}/cancel`)).body).toMatchObject({ status: 'canceled' });

  /** An answer that comes before its run waits: the step before it posts it. */
  const answerEarly = async () => {
    world.reply = async ({ url, body }) => {
      if (url === '/order')
        await world.client.send('POST', pathOf((JSON.parse(body) as { url: string }).url), { body: '1' });
      // The webhooks may be sent only now.
      return { status: statusOf(url) };
    };
    const order = world.call('order', { method: 'POST', body: { url: '{{ waits.paid.url }}' } });
    const early = await world.workflow([order, { name: 'paid', kind: 'wait_for_callback', config: {} }]);
    expect(await world.ended(await world.fire(early.hook))).toMatchObject({ status: 'succeeded' });
  };

  /** Of three waits one is answered, one canceled, and one expires. */
  const endWaits = async (hook: string) => {
    const runs = [await world.fire(hook), await world.fire(hook), await world.fire(hook)];
    const waits = await Promise.all(runs.map((run) => pendingWaits(world, run)));
    await world.client.send('POST', pathOf(waits[0]![0].url), { body: '1' });
    await world.ended(runs[0]!);
    await cancel(runs[1]!);
    await worker!.advance(2 * DAY_MS);
    await world.ended(runs[2]!);
    expect(await recordedTransitions(world.server.db, 'waits')).toEqual(allowedTransitions('waits'));
  };

  it('take every allowed transition, and no other', async () => {
    const { db, clock, database } = world.server;
    const well = await webhook('well');
    await webhook('gone');
    const good = await world.workflow([world.call('well')]);
    const bad = await world.workflow([world.call('fails')]);
    const short = await world.workflow([{ name: 'only', kind: 'condition', config: HOLDS }]);
    const long = await world.workflow([{ name: 'pause', kind: 'delay', config: { seconds: 3_600 } }]);
    const asks = await world.workflow([{ name: 'paid', kind: 'wait_for_callback', config: {} }]);
    const sealed = await world.workflow([world.call('never')]);
    const paused = await world.workflow([]);
    await world.client.rest('PUT', `/workflows/${paused.id}`, { body: { status: 'paused' } });

    // Without a worker, all runs but the skipped one stay queued.
    expect(await world.run(await world.fire(paused.hook))).toMatchObject({ status: 'skipped' });
    await cancel(await world.fire(good.hook));
    const unreadable = await world.fire(sealed.hook);
    await db.query(`UPDATE action_lists SET body = 'v1.lost' WHERE workflow_id = $1`, [fromPublicId('wf', sealed.id)]);
    const ids = [await world.fire(good.hook), await world.fire(bad.hook), await world.fire(short.hook, {})];
    const waiting = await world.fire(long.hook);

    worker = await startTestServer({ database, clock, env: { ROLES: 'worker', ALLOW_PRIVATE_NETWORK: 'true' } });
    const ended = await Promise.all([...ids, unreadable].map((id) => world.ended(id)));
    expect(ended.map(({ status }) => status)).toEqual(['succeeded', 'failed', 'succeeded', 'failed']);
    await until(async () => (await db.query(`SELECT 1 FROM runs WHERE resume_at IS NOT NULL`)).length > 0);
    await cancel(waiting);
    await answerEarly();
    await endWaits(asks.hook);
    expect(await recordedTransitions(db, 'runs')).toEqual(allowedTransitions('runs'));

    await until(
      async () => (await db.query(`SELECT 1 FROM webhook_deliveries WHERE completed_at IS NULL`)).length === 0,
    );
    // Disabling ends the pending deliveries, and must leave the ended ones as they are.
    await world.client.rest('PUT', `/webhooks/${well}`, { body: { status: 'disabled' } });
    expect(await recordedTransitions(db, 'webhook_deliveries')).toEqual(allowedTransitions('webhook_deliveries'));
  });
});

describe('mails', () => {
  let world: MailWorld;
  beforeAll(async () => {
    world = await MailWorld.open();
    await recordTransitions(world.server.db, 'mails');
  });
  afterAll(() => world.close());

  /** Queues a mail and lets a process send it once; the server answers its recipient with this status. */
  const send = async (code?: number, sender = world.sender()) => {
    world.office.script = (stage) => (stage === 'rcpt' ? code : undefined);
    await world.mail();
    await world.turn(sender);
  };

  it('take every allowed transition, and no other', async () => {
    await send();
    await send(undefined, world.sender(null));
    await send(550);
    await send(450);
    await world.server.advance(4 * DAY_MS);
    await world.turn(world.sender());
    expect(await recordedTransitions(world.server.db, 'mails')).toEqual(allowedTransitions('mails'));
  });
});

describe('the transitions lead to each status', () => {
  it.each([
    ['runs', RUN_TRANSITIONS, RunStatus],
    ['deliveries', DELIVERY_TRANSITIONS, DeliveryStatus],
    ['waits', WAIT_TRANSITIONS, WaitStatus],
  ])('of %s', (_, transitions, statuses) => {
    const reached = Object.values(transitions).flatMap(({ to }): string[] => [...to]);
    expect(new Set(reached)).toEqual(new Set<string>(Object.values(statuses)));
  });
});
