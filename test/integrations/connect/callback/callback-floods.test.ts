import pg from 'pg';
import { MAX_OPEN_FLOWS } from '../../../../src/features/integrations/connect/authorization-flow.js';
import {
  CALLBACKS_AT_ONCE,
  MAX_IN_HAND,
} from '../../../../src/features/integrations/connect/callback/callback-turns.js';
import { Client } from '../../../support/http/client.js';
import { until } from '../../../support/until.js';
import { IntegrationWorld, type Landing, type Started } from '../../world.js';

const CALLBACKS = 30;

describe('many OAuth callbacks of one account', () => {
  let world: IntegrationWorld;
  let b: Client;
  let accountA: string;
  /** Another database session, whose locks make statements wait. */
  let locker: pg.Client;

  beforeAll(async () => {
    world = await IntegrationWorld.open({ env: { DATABASE_POOL: '20' }, patience: 120_000 });
    b = new Client(world.server.baseUrl, await world.server.key('read-write', 'b'));
    accountA = (await world.server.db.query<{ id: string }>(`SELECT id FROM accounts WHERE name = 'default'`))[0]!.id;
    locker = new pg.Client(world.server.database.url);
    await locker.connect();
  });
  beforeEach(() => world.provider.reset());
  afterEach(() => locker.query('ROLLBACK'));
  afterAll(async () => {
    await locker.end();
    await world.close();
  });

  const uses = (party: string) => world.server.db.turns.of(party);
  const NOTHING = { held: 0, heldExpensive: 0, waits: 0 };
  const HAS_ALL = { held: CALLBACKS_AT_ONCE, heldExpensive: 0, waits: 0 };

  async function lock(statement: string): Promise<void> {
    await locker.query('BEGIN');
    await locker.query(statement);
  }

  function flows(count: number): Promise<Started[]> {
    return Promise.all(Array.from({ length: count }, () => world.start()));
  }

  function denied(started: readonly Started[]): Promise<Landing[]> {
    return Promise.all(started.map(({ state }) => world.callback({ state, error: 'access_denied' })));
  }

  /** Repeats a callback that got no turn, as the page that it gets does. */
  async function landed(state: string): Promise<Landing> {
    const landing = await world.callback({ state, code: 'alice' });
    return landing.status === 503 ? landed(state) : landing;
  }

  async function consumed(): Promise<number> {
    const [row] = await locker
      .query<{ total: string }>(`SELECT count(*) AS total FROM authorizations WHERE consumed_at IS NOT NULL`)
      .then(({ rows }) => rows);
    return Number(row!.total);
  }

  it('store their outcomes two at a time, and the callback of another account arrives in between', async () => {
    const [own, other] = [await flows(CALLBACKS), await world.start('oauth_app', {}, b)];
    await lock(`SELECT 1 FROM accounts WHERE id = '${accountA}' FOR UPDATE`);
    const landings = denied(own);
    await until(async () => (await consumed()) === CALLBACKS);
    await until(() => uses(accountA).held === CALLBACKS_AT_ONCE);
    expect(uses(accountA)).toEqual(HAS_ALL);
    expect(uses('callers')).toEqual(NOTHING);
    expect((await world.callback({ state: other.state, code: 'bob' })).status).toBe(200);
    const found = await b.rest('GET', `/integrations/${other.id}`);
    expect(found.body.status).toBe('connected');
    expect(uses(accountA)).toEqual(HAS_ALL);
    await locker.query('ROLLBACK');
    expect((await landings).map(({ status }) => status)).toEqual(own.map(() => 200));
    const reasons = await Promise.all(own.map(async ({ id }) => (await world.get(id)).status_reason as string));
    expect(new Set(reasons)).toEqual(new Set(['access_denied']));
  });

  it('consume no further state while 50 have yet to store their outcomes, and none is lost', async () => {
    const other = await world.start('oauth_app', {}, b);
    const own: Started[] = [];
    while (own.length < 4 * MAX_IN_HAND) own.push(...(await flows(20)));
    await lock(`SELECT 1 FROM accounts WHERE id = '${accountA}' FOR UPDATE`);
    const landings = Promise.all(own.map(({ state }) => landed(state)));
    await until(async () => (await consumed()) >= MAX_IN_HAND);
    await until(() => world.provider.tokenRequests.length >= MAX_IN_HAND);
    expect((await world.callback({ state: other.state, code: 'bob' })).status).toBe(200);
    expect([await consumed(), world.provider.tokenRequests.length]).toEqual([MAX_IN_HAND, MAX_IN_HAND + 1]);
    await locker.query('ROLLBACK');
    expect((await landings).map(({ status }) => status)).toEqual(own.map(() => 200));
    const reasons = await Promise.all(own.map(async ({ id }) => (await world.get(id)).status as string));
    expect(new Set(reasons)).toEqual(new Set(['connected']));
    expect(world.provider.requests('authorization_code')).toHaveLength(own.length + 1);
  });

  it('consume their states two at a time', async () => {
    const own = await flows(CALLBACKS);
    await lock(`LOCK TABLE authorizations IN SHARE MODE`);
    const landings = denied(own);
    await until(() => uses(accountA).held === CALLBACKS_AT_ONCE);
    // Its lookups are over: each callback has found its account, and waits.
    await until(() => uses('callers').held === 0);
    expect([uses(accountA), uses('callers')]).toEqual([HAS_ALL, NOTHING]);
    await locker.query('ROLLBACK');
    expect((await landings).map(({ status }) => status)).toEqual(own.map(() => 200));
  });

  it('look their accounts up in two statements at a time, also with unknown states', async () => {
    await lock(`LOCK TABLE authorizations IN ACCESS EXCLUSIVE MODE`);
    const landings = Promise.all(
      Array.from({ length: 300 }, (_, index) => world.callback({ state: `unknown-${index}`, code: 'x' })),
    );
    const hooks = () => fetch(`${world.server.baseUrl}/hooks/${'x'.repeat(43)}`, { method: 'POST' });
    await until(() => uses('callers').held === 2);
    expect((await hooks()).status).toBe(404);
    expect(uses('callers')).toEqual({ held: 2, heldExpensive: 0, waits: 0 });
    await locker.query('ROLLBACK');
    expect(new Set((await landings).map(({ status }) => status))).toEqual(new Set([400]));
  });

  it('and the start pages of its flows use its own connections', async () => {
    const [flow] = await flows(1);
    await lock(`SELECT 1 FROM authorizations FOR UPDATE`);
    const form = { method: 'POST', headers: { origin: world.server.baseUrl }, redirect: 'manual' } as const;
    const posts = Promise.all(Array.from({ length: 5 }, () => fetch(flow!.connectUrl, form)));
    await until(() => uses(accountA).held === 5);
    expect(uses('callers')).toEqual(NOTHING);
    await locker.query('ROLLBACK');
    expect((await posts).map(({ status }) => status)).toEqual(Array.from({ length: 5 }, () => 303));
  });

  it('and the pages of its connect sessions, too', async () => {
    const session = await world.post('/connect_sessions', { type: 'oauth_app' });
    await lock(`LOCK TABLE integrations IN ACCESS EXCLUSIVE MODE`);
    const pages = Promise.all(Array.from({ length: 5 }, () => fetch(session.body.connect_url as string)));
    await until(() => uses(accountA).held === 5);
    expect(uses('callers')).toEqual(NOTHING);
    await locker.query('ROLLBACK');
    expect((await pages).map(({ status }) => status)).toEqual(Array.from({ length: 5 }, () => 200));
    await lock(`SELECT 1 FROM accounts WHERE id = '${accountA}' FOR UPDATE`);
    const form = { method: 'POST', headers: { origin: world.server.baseUrl }, redirect: 'manual' } as const;
    const posted = fetch(session.body.connect_url as string, form);
    await until(() => uses(accountA).held === 1);
    expect(uses('callers')).toEqual(NOTHING);
    await locker.query('ROLLBACK');
    expect((await posted).status).toBe(303);
  });
});

describe('the open flows of an account', () => {
  it('are 10,000 at most: one more is refused with 429, and a flow that begins again needs no place', async () => {
    const world = await IntegrationWorld.open();
    try {
      const flow = await world.start();
      await world.server.db.query(
        `WITH i AS (
           INSERT INTO integrations (id, account_id, type, auth, name, status, version, parameters, events_digest, events_token,
             events_secret, created_at)
           SELECT gen_random_uuid(), account_id, type, auth, name, status, version, parameters,
             sha256(n::text::bytea), events_token, events_secret, created_at
           FROM integrations, generate_series(1, $1::int) n RETURNING id, account_id)
         INSERT INTO authorizations (id, account_id, integration_id, state_digest, ticket_digest, secrets, resume_status,
           created_at, expires_at)
         SELECT gen_random_uuid(), i.account_id, i.id, sha256(i.id::text::bytea), sha256(i.id::text::bytea), f.secrets,
           f.resume_status, f.created_at, f.expires_at FROM i, authorizations f`,
        [MAX_OPEN_FLOWS - 2],
      );
      const last = await world.start();
      const beyond = await world.post('/integrations/connect', { type: 'oauth_app' });
      expect([beyond.status, beyond.body.code]).toEqual([429, 'rate_limited']);
      expect(beyond.headers.get('retry-after')).toBe('60');
      await world.restart(flow.id);
      await world.callback({ state: last.state, code: 'alice' });
      expect((await world.get(last.id)).status).toBe('connected');
      await world.start();
    } finally {
      await world.close();
    }
  });
});
