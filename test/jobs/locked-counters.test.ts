import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { fromPublicId } from '../../src/platform/ids/ids.js';
import { Client } from '../support/http/client.js';
import { RunWorld } from '../support/worlds/run-world.js';
import { waiting, waitsOf } from '../waits/wait-world.js';

let a: RunWorld;
let b: RunWorld;
beforeAll(async () => {
  a = await RunWorld.open();
  const client = new Client(a.server.url, await a.server.key('read-write', 'b'));
  b = Object.assign(Object.create(a) as RunWorld, { client });
});
afterAll(() => a.close());

const PAID = { name: 'paid', kind: 'wait_for_callback', config: { timeout_seconds: 60 } };

interface Flow {
  workflow: string;
  run: string;
}

/** A run of each account that waits. A's comes first in every order. */
let flows: { a: Flow; b: Flow };
beforeEach(async () => {
  flows = { a: await flowOf(a), b: await flowOf(b) };
});

async function flowOf(world: RunWorld): Promise<Flow> {
  const { id, hook } = await world.workflow([PAID]);
  const run = await world.fire(hook);
  await waiting(world, run);
  return { workflow: id, run };
}

/** Does `work` while a transaction keeps the counter of A's waits locked, as a request with an Idempotency-Key may. */
function whileLocked(work: () => Promise<void>): Promise<void> {
  return a.server.db.transaction(async (tx) => {
    await tx.query(
      `SELECT 1 FROM wait_counters WHERE account_id = (SELECT account_id FROM runs WHERE id = $1) FOR NO KEY UPDATE`,
      [fromPublicId('run', flows.a.run)],
    );
    await work();
  });
}

describe('the locked counter of an account', () => {
  it('keeps no wait of another account from its expiry', async () => {
    await whileLocked(async () => {
      await a.server.advance(61_000);
      expect(await b.ended(flows.b.run)).toMatchObject({ error: { code: 'wait_expired' } });
      expect(await waitsOf(a, flows.a.run)).toMatchObject([{ status: 'pending' }]);
    });
    expect(await a.ended(flows.a.run)).toMatchObject({ error: { code: 'wait_expired' } });
  });

  it('keeps no run of a deleted workflow of another account from its end', async () => {
    await whileLocked(async () => {
      await a.server.db.query(
        `INSERT INTO deleted_workflows (workflow_id, account_id, deleted_at, has_open_runs)
         SELECT id, account_id, clock_now(), true FROM workflows WHERE id = ANY ($1)`,
        [[flows.a, flows.b].map(({ workflow }) => fromPublicId('wf', workflow))],
      );
      expect(await b.ended(flows.b.run)).toMatchObject({ status_reason: 'workflow_deleted' });
      expect(await waitsOf(a, flows.a.run)).toMatchObject([{ status: 'pending' }]);
    });
    expect(await a.ended(flows.a.run)).toMatchObject({ status_reason: 'workflow_deleted' });
  });
});
