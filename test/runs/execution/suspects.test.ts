import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Database } from '../../../src/platform/db/database.js';
import { fromPublicId } from '../../../src/platform/ids/ids.js';
import { Client } from '../../support/http/client.js';
import { RunWorld } from '../../support/worlds/run-world.js';
import { startTestServer, type TestServer } from '../../support/server.js';
import { until } from '../../support/until.js';

const MANY = 20;

let world: RunWorld;
let other: Client;
let worker: TestServer | undefined;
beforeAll(async () => {
  world = await RunWorld.open({ env: { ROLES: 'api' } });
  other = new Client(world.server.baseUrl, await world.server.key('read-write', 'other'));
});
afterAll(() => world.close());
beforeEach(() => {
  world.received.length = 0;
});
afterEach(async () => {
  await worker?.close();
  worker = undefined;
});

const sql = (text: string, values: unknown[] = []) => world.server.db.query<any>(text, values);

async function start(): Promise<void> {
  const { database, clock } = world.server;
  worker = await startTestServer({ database, clock, env: { ROLES: 'worker', ALLOW_PRIVATE_NETWORK: 'true' } });
}

/** Runs of a workflow that calls the target by this name. @returns their uuids. */
async function queue(name: string, count: number, client = world.client): Promise<string[]> {
  const own = world.client;
  Object.assign(world, { client });
  const { hook } = await world.workflow([world.call(name)]);
  Object.assign(world, { client: own });
  const ids: string[] = [];
  for (let made = 0; made < count; made += 1) ids.push(fromPublicId('run', await world.fire(hook))!);
  return ids;
}

const succeeded = async (uuids: readonly string[]): Promise<number> =>
  (await sql(`SELECT 1 FROM runs WHERE id = ANY($1) AND status = 'succeeded'`, [uuids])).length;

/** Answers only when this many calls are running at the same time. */
function allAtOnce(count: number): void {
  const all = Promise.withResolvers<object>();
  world.reply = () => {
    if (world.underWay.size >= count) all.resolve({});
    return all.promise;
  };
}

describe('runs whose claims failed, but whose workers live', () => {
  it('are executed at the same time', async () => {
    allAtOnce(MANY);
    const runs = await queue('slow', MANY);
    await sql(`UPDATE pgboss.job SET retry_count = 5`);
    await start();
    await until(async () => (await succeeded(runs)) === MANY);
  });
});

describe('a run whose row another session has locked', () => {
  it('does not delay the claims of others, and is claimed once the row is free', async () => {
    allAtOnce(MANY);
    const [held] = await queue('held', 1);
    const runs = await queue('slow', MANY, other);
    const locked = Promise.withResolvers<void>();
    let isFree = false;
    const holding = world.server.db.transaction(async (tx) => {
      await tx.query(`SELECT 1 FROM runs WHERE id = $1 FOR UPDATE`, [held]);
      locked.resolve();
      // PostgreSQL ends a transaction that is idle for long.
      await until(async () => (await tx.query(`SELECT 1`)).length === 1 && isFree);
    });
    await locked.promise;
    await start();
    await until(async () => (await succeeded(runs)) === MANY);
    expect(world.received.map(({ url }) => url)).toEqual(Array(MANY).fill('/slow'));
    isFree = true;
    await holding;
    await until(async () => (await succeeded([held!])) === 1);
  });
});

describe('a run that fails in its claim while another session has locked its workflow', () => {
  it('delays the claims of others for a moment only, and fails once when the row is free', async () => {
    world.reply = () => ({});
    const fails = { path: 'trigger.body', operator: 'equals', value: '{{ trigger.body.nothing }}' };
    const { id, hook } = await world.workflow([{ name: 'fail', kind: 'condition', config: fails }]);
    const failing = fromPublicId('run', await world.fire(hook));
    const runs = await queue('free', 3, other);
    const locked = Promise.withResolvers<void>();
    let isFree = false;
    const holding = world.server.db.transaction(async (tx) => {
      await tx.query(`SELECT 1 FROM workflows WHERE id = $1 FOR UPDATE`, [fromPublicId('wf', id)]);
      locked.resolve();
      // PostgreSQL ends a transaction that is idle for long.
      await until(async () => (await tx.query(`SELECT 1`)).length === 1 && isFree);
    });
    await locked.promise;
    // How long the transactions that met the locked row waited for it.
    const limits: (number | undefined)[] = [];
    const { transaction } = Database.prototype;
    Database.prototype.transaction = function (this: Database, work, lockMs) {
      return transaction.call(this, work, lockMs).catch((error: unknown) => {
        limits.push(lockMs);
        throw error;
      }) as never;
    };
    await start();
    await until(async () => (await succeeded(runs)) === 3);
    const before = new Set(limits);
    Database.prototype.transaction = transaction;
    isFree = true;
    await holding;
    expect(before).toEqual(new Set([100]));
    const failures = `SELECT failures FROM workflow_failures WHERE workflow_id = $1`;
    await until(async () => (await sql(failures, [fromPublicId('wf', id)]))[0]?.failures === 1);
    expect(await sql(`SELECT status, version FROM runs WHERE id = $1`, [failing])).toEqual([
      { status: 'failed', version: 3 },
    ]);
  });
});

describe('runs that lost two workers', () => {
  it('are executed one at a time, in turns by account', async () => {
    let most = 0;
    world.reply = async () => {
      most = Math.max(most, world.underWay.size);
      await new Promise(setImmediate);
      return {};
    };
    const first = await queue('first', 6);
    const second = await queue('second', 2, other);
    await sql(`UPDATE runs SET workers_lost = 2 WHERE id = ANY($1)`, [[...first, ...second]]);
    await start();
    await until(async () => (await succeeded([...first, ...second])) === 8);
    expect(most).toBe(1);
    const order = world.received.map(({ url }) => url);
    expect(order.lastIndexOf('/second')).toBeLessThanOrEqual(4);
  });

  it('fail after a third lost worker, and otherwise start', async () => {
    const [lost, fresh] = await queue('any', 2);
    world.reply = () => ({});
    await sql(`UPDATE runs SET workers_lost = 3 WHERE id = $1`, [lost]);
    await start();
    await until(async () => (await succeeded([fresh!])) === 1);
    await until(
      async () =>
        (await sql(`SELECT 1 FROM runs WHERE id = $1 AND status_reason = 'worker_lost'`, [lost])).length === 1,
    );
    expect(world.received).toHaveLength(1);
  });
});
