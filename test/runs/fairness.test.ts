import 'reflect-metadata';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Client } from '../support/client.js';
import { RunWorld } from '../support/run-world.js';
import { until } from '../support/until.js';

/** More than a worker carries out at once. */
const FLOOD = 600;

let world: RunWorld;
let modest: Client;
beforeAll(async () => {
  world = await RunWorld.open({ env: { DATABASE_POOL: '10' } });
  modest = new Client(world.server.baseUrl, await world.server.key('read-write', 'modest'));
});
afterAll(() => world.close());
beforeEach(() => {
  world.received.length = 0;
});

/** An active workflow of another account. @returns its hook. */
async function modestHook(actions: readonly object[]): Promise<string> {
  const { body } = await modest.rest('POST', '/workflows', { body: { name: 'Modest', status: 'active' } });
  await modest.rest('PUT', `/workflows/${body.id}/actions`, { body: { actions } });
  const trigger = await modest.rest('POST', '/triggers', { body: { workflow_id: body.id, type: 'webhook' } });
  return new URL(trigger.body.webhook_url as string).pathname;
}

const fireMany = (hook: string, count: number) => Promise.all(Array.from({ length: count }, () => world.fire(hook)));

async function ended(account: 'default' | 'modest'): Promise<number> {
  const [row] = await world.server.db.query<{ total: number }>(
    `SELECT count(*) AS total FROM runs r JOIN accounts a ON a.id = r.account_id
     WHERE a.name = $1 AND r.finished_at IS NOT NULL`,
    [account],
  );
  return row!.total;
}

describe('a flood of runs of one account', () => {
  it('leaves another account its turn while the flood hangs at its target', async () => {
    const answered = Promise.withResolvers<void>();
    world.reply = ({ url }) => (url === '/hanging' ? answered.promise.then(() => ({})) : {});
    const { hook } = await world.workflow([world.call('hanging')]);
    await fireMany(hook, FLOOD);
    // As many as may call a host for one account.
    await until(() => world.received.length === 60);
    const ten = await modestHook([world.call('quick')]);
    await fireMany(ten, 10);
    await until(async () => (await ended('modest')) === 10);
    expect(await ended('default')).toBe(0);
    expect(world.received.filter(({ url }) => url === '/hanging')).toHaveLength(60);
    answered.resolve();
    await until(async () => (await ended('default')) === FLOOD, 20_000);
  });

  it('lets another account’s ten runs go before most of the flood, also when the flood is quick', async () => {
    world.reply = () => ({});
    const before = await ended('default');
    const { hook } = await world.workflow([{ name: 'hold', kind: 'delay', config: { seconds: 60 } }]);
    const ids = await fireMany(hook, 5 * FLOOD);
    const held = `SELECT count(*) AS held FROM runs WHERE resume_at IS NOT NULL`;
    await until(async () => (await world.server.db.query(held))[0]!.held === ids.length, 20_000);
    const ten = await modestHook([world.call('quick')]);
    // All of the flood is due at once, and queued ahead of the ten.
    await world.server.advance(61_000);
    await until(async () => (await world.server.db.query(held))[0]!.held < ids.length - 2 * FLOOD);
    const turn = await fireMany(ten, 10);
    await until(async () => (await ended('modest')) === 20);
    expect(turn).toHaveLength(10);
    expect((await ended('default')) - before).toBeLessThan(ids.length * 0.9);
    await until(async () => (await ended('default')) - before === ids.length, 30_000);
  });
});
