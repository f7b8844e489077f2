import pg from 'pg';
import { newUuid, toPublicId } from '../../src/platform/ids/ids.js';
import { Client } from '../support/http/client.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { signedIn } from '../support/worlds/people.js';
import { until } from '../support/until.js';

/** The pool of the service; an account uses all but two of it. */
const POOL = 20;

describe('the database connections of a process', () => {
  let server: TestServer;
  let accountA: string;
  let a: Client;
  let b: Client;
  /** A person of account A. */
  let ada: Client;
  /** Another database session, whose locks make statements wait. */
  let locker: pg.Client;

  beforeAll(async () => {
    server = await startTestServer({ env: { DATABASE_POOL: String(POOL) }, patience: 120_000 });
    a = new Client(server.baseUrl, await server.key('read-write', 'a'));
    b = new Client(server.baseUrl, await server.key('read-write', 'b'));
    ada = (await signedIn(server, { account: 'a' })).client;
    accountA = (await server.db.query<{ id: string }>(`SELECT id FROM accounts WHERE name = 'a'`))[0]!.id;
    locker = new pg.Client(server.database.url);
    await locker.connect();
  });
  afterEach(() => locker.query('ROLLBACK'));
  afterAll(async () => {
    await locker.end();
    await server.close();
  });

  const lock = async (table: string) => {
    await locker.query('BEGIN');
    await locker.query(`LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
  };
  /** The connections that account A uses and waits for. */
  const ofA = () => server.db.turns.of(accountA);
  /** The statuses of responses, in the order of their arrival. */
  function sent(count: number, ask: () => Promise<{ status: number }>) {
    const statuses: number[] = [];
    const done = Promise.all(Array.from({ length: count }, async () => statuses.push((await ask()).status)));
    return { statuses, done };
  }

  it('are at most 18 of 20 for one account, and others are served before it', async () => {
    const workflow = { name: 'hooked', status: 'active' };
    const workflow_id = (await b.rest('POST', '/workflows', { body: workflow })).body.id;
    const hook = (await b.rest('POST', '/triggers', { body: { workflow_id, type: 'webhook' } })).body;
    await lock('integrations');
    const attack = sent(45, () => a.rest('GET', `/integrations/${toPublicId('int', newUuid(new Date()))}`));
    await until(() => ofA().waits === 45 - 18);
    const others = await Promise.all([
      b.rest('GET', '/workflows'),
      b.rest('POST', '/workflows', { body: { name: 'mine' } }),
      b.graphql('{ viewer { account { name } } }'),
      fetch(hook.webhook_url as string, { method: 'POST', body: '1' }),
    ]);
    expect(others.map(({ status }) => status)).toEqual([200, 201, 200, 202]);
    expect(attack.statuses).toEqual([]);
    expect(ofA()).toEqual({ held: 18, heldExpensive: 0, waits: 45 - 18 });
    await locker.query('ROLLBACK');
    await attack.done;
    expect(new Set(attack.statuses)).toEqual(new Set([404]));
    expect(ofA()).toEqual({ held: 0, heldExpensive: 0, waits: 0 });
  });

  const statistics = '{ runStatistics(from: "2026-10-01T00:00:00Z") { sum { total } } }';
  const links = '{ workflows { items { triggers { meta { total } } } } }';
  it.each<[string, table: string, ask: () => Promise<{ status: number }>]>([
    ['a search', 'workflows', () => a.graphql('{ workflows(search: "x") { items { id } } }')],
    ['a far page', 'workflows', () => a.rest('GET', '/workflows?per_page=100&page=102')],
    ['a total of runs', 'runs', () => a.rest('GET', '/runs')],
    ['the totals of links', 'triggers', () => a.graphql(links)],
    ['statistics', 'runs', () => a.graphql(statistics)],
    ['runs of one status', 'runs', () => a.graphql('{ runs(status: FAILED) { items { id } } }')],
    ['a search of integrations', 'integrations', () => a.graphql('{ integrations(search: "x") { items { id } } }')],
    ['a total of integrations', 'integrations', () => a.rest('GET', '/integrations')],
    ['a total of triggers', 'triggers', () => a.rest('GET', '/triggers')],
    ['a total of keys', 'api_keys', () => ada.rest('GET', '/api_keys')],
    ['a far page of keys', 'api_keys', () => ada.graphql('{ apiKeys(page: 502) { items { id } } }')],
    ['a total of invitations', 'invitations', () => ada.graphql('{ invitations { meta { total } } }')],
  ])('are two at the most for %s', async (_, table, ask) => {
    await a.rest('POST', '/workflows', { body: { name: 'mine' } });
    await lock(table);
    const attack = sent(10, ask);
    await until(() => ofA().waits === 8);
    expect(ofA()).toMatchObject({ heldExpensive: 2, waits: 8 });
    // Its cheap statements continue.
    expect((await a.graphql('{ viewer { account { name } } }')).status).toBe(200);
    expect(attack.statuses).toEqual([]);
    await locker.query('ROLLBACK');
    await attack.done;
    expect(new Set(attack.statuses)).toEqual(new Set([200]));
  });

  it('are as many for a page with 10,000 rows before it as for the first', async () => {
    await lock('workflows');
    const attack = sent(10, () => a.rest('GET', '/workflows?per_page=100&page=101'));
    await until(() => ofA().held === 10);
    expect(ofA()).toEqual({ held: 10, heldExpensive: 0, waits: 0 });
    await locker.query('ROLLBACK');
    await attack.done;
  });

  it('are not waited for by a client that has disconnected', async () => {
    await lock('runs');
    const gone = new AbortController();
    const asked = Array.from({ length: 10 }, () =>
      fetch(`${server.baseUrl}/v1/runs?status=failed`, {
        headers: { authorization: `Bearer ${a.key}` },
        signal: gone.signal,
      }).catch(() => undefined),
    );
    await until(() => ofA().waits === 2 * 10 - 2);
    gone.abort();
    await Promise.all(asked);
    await until(() => ofA().waits === 0);
    expect(ofA().held).toBe(2);
  });
});

describe('statements that wait', () => {
  it('are refused with 429 and Retry-After after 5 seconds behind their own account', async () => {
    const server = await startTestServer({ env: { DATABASE_POOL: String(POOL) } });
    const a = new Client(server.baseUrl, await server.key());
    const locker = new pg.Client(server.database.url);
    await locker.connect();
    await locker.query('BEGIN; LOCK TABLE runs IN ACCESS EXCLUSIVE MODE');
    const answers = await Promise.all(Array.from({ length: 8 }, () => a.rest('GET', '/runs?status=failed')));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(0);
    expect(
      refused.every(({ headers, body }) => headers.get('retry-after') === '1' && body.code === 'rate_limited'),
    ).toBe(true);
    // The others got their turn, and PostgreSQL timed out on the lock.
    expect(answers.filter(({ status }) => status !== 429 && status !== 503)).toEqual([]);
    await locker.end();
    await server.close();
  });
});
