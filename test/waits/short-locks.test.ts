import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fromPublicId } from '../../src/platform/ids/ids.js';
import { type TestServer, startTestServer } from '../support/server.js';
import { until } from '../support/until.js';
import { type RunWorld } from '../support/worlds/run-world.js';
import { awaitConnection, connectKey, openConnectionWorld } from './connection-world.js';
import { waiting, waitsOf } from './wait-world.js';

let api: RunWorld;
let worker: TestServer;
beforeAll(async () => {
  api = await openConnectionWorld({ env: { ROLES: 'api' } });
  worker = await startTestServer({
    database: api.server.database,
    env: { ROLES: 'worker', ALLOW_PRIVATE_NETWORK: 'true', BASE_URL: api.server.baseUrl },
  });
});
afterAll(async () => {
  await worker.close();
  await api.close();
});

const BLOCKED = `SELECT query FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;

/**
 * Lets `work` run into a row that another transaction has locked. @returns its result, the statement that had to wait, and the
 * statements of the api process after that one.
 */
async function behind<T>(row: string, work: () => Promise<T>): Promise<{ result: T; blocked: string; later: number }> {
  const { db } = api.server;
  let working: Promise<T>;
  let blocked = '';
  let sent = 0;
  await worker.db.transaction(async (tx) => {
    await tx.query(`${row} FOR NO KEY UPDATE`);
    working = work();
    await until(async () => {
      const found = await worker.db.query<{ query: string }>(BLOCKED);
      blocked = found[0]?.query ?? '';
      return found.length === 1;
    });
    sent = db.statements;
  });
  const result = await working!;
  return { result, blocked, later: db.statements - sent };
}

const JOB = `SELECT id FROM pgboss.job WHERE id = $1 FOR UPDATE SKIP LOCKED`;

describe('what locks all connections or waits of an account', () => {
  it('comes late when a connection continues a run: the run has its next job before it', async () => {
    const { hook } = await api.workflow([awaitConnection({ type: 'sandbox_api_key' })]);
    const run = await api.fire(hook, { user: 'late' });
    await waiting(api, run);
    const { blocked, later } = await behind('SELECT 1 FROM accounts', () =>
      connectKey(api.client, { reference: 'late' }),
    );
    expect(blocked).toContain('UPDATE accounts');
    expect(later).toBeLessThanOrEqual(3);
    expect((await api.ended(run)).status).toBe('succeeded');
  });

  it('comes last when a callback continues a run', async () => {
    const { hook } = await api.workflow([{ name: 'paid', kind: 'wait_for_callback', config: {} }]);
    const run = await api.fire(hook);
    await waiting(api, run);
    const [wait] = await waitsOf(api, run);
    const { result, blocked, later } = await behind('SELECT 1 FROM wait_counters', () =>
      fetch(wait.url, { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } }),
    );
    expect(result.status).toBe(202);
    expect(blocked).toContain('wait_counters');
    expect(later).toBe(0);
    expect((await api.ended(run)).status).toBe('succeeded');
  });

  it('keeps a run that arrives at its wait waiting, but not its job locked, which the queue needs', async () => {
    const { hook } = await api.workflow([{ name: 'paid', kind: 'wait_for_callback', config: {} }]);
    await waiting(api, await api.fire(hook));
    let run = '';
    let free: { id: string }[] = [];
    await api.server.db.transaction(async (tx) => {
      await tx.query('SELECT 1 FROM wait_counters FOR NO KEY UPDATE');
      run = await api.fire(hook);
      await until(async () =>
        (await worker.db.query<{ query: string }>(BLOCKED)).some(({ query }) => query.includes('wait_counters')),
      );
      free = await worker.db.query<{ id: string }>(JOB, [fromPublicId('run', run)]);
    });
    expect(free).toHaveLength(1);
    await waiting(api, run);
    expect(await api.server.db.query(JOB, [fromPublicId('run', run)])).toEqual([]);
  });
});
