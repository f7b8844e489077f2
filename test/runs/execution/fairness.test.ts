import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Client } from '../../support/http/client.js';
import { RunWorld } from '../../support/worlds/run-world.js';
import { until } from '../../support/until.js';

/** More than a worker executes at once. */
const FLOOD = 300;

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

async function ended(account: 'default' | 'modest', status = '%'): Promise<number> {
  const [row] = await world.server.db.query<{ total: number }>(
    `SELECT count(*) AS total FROM runs r JOIN accounts a ON a.id = r.account_id
     WHERE a.name = $1 AND r.finished_at IS NOT NULL AND r.status LIKE $2`,
    [account, status],
  );
  return row!.total;
}

/** The claimed runs: a call that gets no turn within 10 s returns its run to the queue for a while. */
async function held(): Promise<number> {
  const [row] = await world.server.db.query<{ total: number }>(
    `SELECT count(*) AS total FROM runs WHERE claim IS NOT NULL`,
  );
  return row!.total;
}

describe('a flood of runs of one account', () => {
  it('executes another account’s runs while the flood hangs at its target', async () => {
    const answered = Promise.withResolvers<void>();
    world.reply = ({ url }) => (url === '/hanging' ? answered.promise.then(() => ({})) : {});
    const { hook } = await world.workflow([world.call('hanging')]);
    await fireMany(hook, FLOOD);
    // The maximum calls of an account to one host. A call may time out after 30 s and be repeated, so running ones are
    // counted.
    const hanging = () => [...world.underWay].filter(({ url }) => url === '/hanging').length;
    await until(() => hanging() === 60);
    let [mostHanging, mostHeld] = [0, 0];
    const isSeen = async (holds: () => Promise<boolean>) => {
      mostHanging = Math.max(mostHanging, hanging());
      mostHeld = Math.max(mostHeld, await held());
      return holds();
    };
    // More runs wait for a turn to call than may call.
    await until(() => isSeen(async () => mostHeld > 120));
    const ten = await modestHook([world.call('quick')]);
    await fireMany(ten, 10);
    await until(() => isSeen(async () => (await ended('modest')) === 10));
    expect(await ended('default', 'succeeded')).toBe(0);
    expect(mostHanging).toBe(60);
    // Two thirds of a worker's places, and the ten.
    expect(mostHeld).toBeLessThanOrEqual(170);
    answered.resolve();
    await until(async () => (await ended('default')) === FLOOD);
  });

  it('executes another account’s ten runs before most of the flood, also when the flood is quick', async () => {
    world.reply = () => ({});
    const before = await ended('default');
    const { hook } = await world.workflow([{ name: 'hold', kind: 'delay', config: { seconds: 60 } }]);
    const ids = await fireMany(hook, 3 * FLOOD);
    const waiting = `SELECT count(*) AS held FROM runs WHERE resume_at IS NOT NULL`;
    await until(async () => (await world.server.db.query(waiting))[0]!.held === ids.length);
    const ten = await modestHook([world.call('quick')]);
    // All of the flood is due at once, and queued ahead of the ten.
    await world.server.advance(61_000);
    await until(async () => (await world.server.db.query(waiting))[0]!.held === 0);
    await fireMany(ten, 10);
    await until(async () => (await ended('default')) - before === ids.length);
    const [late] = await world.server.db.query<{ runs: number }>(
      `SELECT count(*) AS runs FROM runs r, (
         SELECT m.account_id, max(m.finished_at) AS at FROM runs m JOIN accounts a ON a.id = m.account_id
         WHERE a.name = 'modest' GROUP BY m.account_id) ten
       WHERE r.account_id <> ten.account_id AND r.finished_at > ten.at`,
    );
    expect(late!.runs).toBeGreaterThan(ids.length / 10);
  });
});
