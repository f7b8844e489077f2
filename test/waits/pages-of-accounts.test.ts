import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { type RunWorld } from '../support/worlds/run-world.js';
import { until } from '../support/until.js';
import { awaitConnection, openConnectionWorld } from './connection-world.js';
import { waiting } from './wait-world.js';

describe('the pages of the waits of an account', () => {
  let world: RunWorld;
  let account: string;
  /** Another database session, whose locks make statements wait. */
  let locker: pg.Client;

  beforeAll(async () => {
    world = await openConnectionWorld({ env: { DATABASE_POOL: '20' } });
    account = (await world.server.db.query<{ id: string }>(`SELECT id FROM accounts`))[0]!.id;
    locker = new pg.Client(world.server.database.url);
    await locker.connect();
  });
  afterEach(() => locker.query('ROLLBACK'));
  afterAll(async () => {
    await locker.end();
    await world.close();
  });

  const uses = (party: string) => world.server.db.turns.of(party).held;

  async function urlOf(action: object): Promise<string> {
    const { hook } = await world.workflow([action]);
    const [wait] = await waiting(world, await world.fire(hook, { user: 'u1' }));
    return (wait.url ?? wait.connect_url) as string;
  }

  async function expectOwn(statement: string, visit: () => Promise<Response>): Promise<void> {
    await locker.query('BEGIN');
    await locker.query(statement);
    const visits = Promise.all(Array.from({ length: 5 }, visit));
    await until(() => uses(account) === 5);
    expect(uses('callers')).toBe(0);
    await locker.query('ROLLBACK');
    expect((await visits).map(({ status }) => status < 400)).toEqual(Array.from({ length: 5 }, () => true));
  }

  it('use its connections to show an approval', async () => {
    const url = await urlOf({ name: 'ask', kind: 'wait_for_approval', config: { title: 'Ask' } });
    await expectOwn('LOCK TABLE waits IN ACCESS EXCLUSIVE MODE', () => fetch(url));
  });

  it('use its connections to show a connection, and to begin it', async () => {
    const url = await urlOf(awaitConnection());
    await expectOwn('LOCK TABLE integrations IN ACCESS EXCLUSIVE MODE', () => fetch(url));
    const body = new URLSearchParams({ type: 'sandbox_oauth' });
    const form = { method: 'POST', headers: { origin: world.server.baseUrl }, redirect: 'manual', body } as const;
    await expectOwn('LOCK TABLE connect_sessions IN SHARE MODE', () => fetch(url, form));
  });
});
