import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fromPublicId } from '../../../src/platform/ids/ids.js';
import { Client } from '../../support/http/client.js';
import { until } from '../../support/until.js';
import { RunWorld } from '../../support/worlds/run-world.js';
import { bulkTurn } from './bulk-turn.js';
import { endOf, storeRuns } from './bulk-world.js';

let a: RunWorld;
let b: RunWorld;
beforeAll(async () => {
  a = await RunWorld.open({ env: { ROLES: 'api' } });
  const client = new Client(a.server.url, await a.server.key('read-write', 'b'));
  b = Object.assign(Object.create(a) as RunWorld, { client });
});
afterAll(() => a.close());

/** Requests a retry of failed runs. @returns the id of the operation and of its workflow. */
async function retried(world: RunWorld, count: number): Promise<{ id: string; workflow: string }> {
  const { id: workflow } = await world.workflow([]);
  await storeRuns(world, workflow, { count, status: 'failed' });
  const { body } = await world.client.rest('POST', '/runs/retry', { body: { workflow_id: workflow } });
  return { id: body.id, workflow };
}

const stateOf = async (world: RunWorld, id: string) => (await world.client.rest('GET', `/bulk/${id}`)).body;

describe('bulk operations of several accounts', () => {
  it('go on while the counter of one is locked, which is no failure of its batch', async () => {
    const [ofA, ofB] = [await retried(a, 3), await retried(b, 45)];
    const logs: string[] = [];
    const locked = await a.server.db.transaction(async (tx) => {
      await tx.query(
        `SELECT 1 FROM bulk_counters WHERE account_id = (SELECT account_id FROM workflows WHERE id = $1) FOR UPDATE`,
        [fromPublicId('wf', ofA.workflow)],
      );
      await bulkTurn(a.server, logs);
      return { a: await stateOf(a, ofA.id), b: await stateOf(b, ofB.id) };
    });
    expect(locked).toMatchObject({ a: { status: 'running', done: 0, failed: 0 }, b: { status: 'done', done: 45 } });
    expect(logs).toEqual([]);
    await bulkTurn(a.server);
    expect(await endOf(a, ofA.id)).toMatchObject({ status: 'done', done: 3, failed: 0 });
  });
});

describe('a request that searches', () => {
  /** Does `work` while the search of a request cannot store what it finds. @returns the operation. */
  async function whileSearching(world: RunWorld, work: () => Promise<unknown>): Promise<any> {
    const { id: workflow } = await world.workflow([]);
    await storeRuns(world, workflow, { count: 2, status: 'failed' });
    let asked: Promise<any>;
    await a.server.db.transaction(async (tx) => {
      await tx.query('LOCK TABLE bulk_items IN SHARE ROW EXCLUSIVE MODE');
      asked = world.client.rest('POST', '/runs/retry', { body: { workflow_id: workflow } });
      await until(async () => {
        const rows = await a.server.db.query(
          `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
           AND query LIKE '%INSERT INTO bulk_items%' AND pid <> pg_backend_pid()`,
        );
        return rows.length > 0;
      });
      await work();
    });
    return (await asked!).body;
  }

  it('does not lock the counter, which batches of the account need', async () => {
    const ofA = await retried(a, 1);
    const counter = `SELECT 1 FROM bulk_counters WHERE account_id = (SELECT account_id FROM workflows WHERE id = $1)
      FOR UPDATE SKIP LOCKED`;
    let free: unknown[] = [];
    const operation = await whileSearching(a, async () => {
      free = await a.server.db.query(counter, [fromPublicId('wf', ofA.workflow)]);
    });
    expect([free.length, operation.matched]).toEqual([1, 2]);
  });
});
