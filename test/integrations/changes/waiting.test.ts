import { type TestServer } from '../../support/server.js';
import { Client } from '../../support/http/client.js';
import { until } from '../../support/until.js';
import { IntegrationWorld } from '../world.js';
import { gauge } from '../../graphql/subscriptions/changes.js';

describe('GET /v1/integrations/:id?wait=', () => {
  let world: IntegrationWorld;
  let second: TestServer;

  beforeAll(async () => {
    world = await IntegrationWorld.open();
    second = await world.another();
  });
  beforeEach(() => world.provider.reset());
  afterAll(async () => {
    await second.close();
    await world.close();
  });

  /** Far less than the 30 s that a request would be held without a change, and far more than a busy machine takes. */
  const AT_ONCE_MS = 25_000;
  /** The response and its time in milliseconds. */
  async function timed(path: string, client = world.client) {
    const started = performance.now();
    const { status, body } = await client.rest('GET', `/integrations/${path}`);
    return { status, body, ms: performance.now() - started };
  }
  const grant = (state: string) => world.callback({ state, code: 'alice' });
  const listeners = (server = world.server) => gauge(server, 'change_listeners');
  /** Does the work once this process, or the one of that server, holds a request. */
  const soon = async (work: () => Promise<unknown>, server = world.server): Promise<void> => {
    await until(async () => (await listeners(server)) === 1);
    await work();
  };

  it('answers at once if the status is not pending', async () => {
    const id = await world.connected();
    const { status, body, ms } = await timed(`${id}?wait=30`);
    expect([status, body.status]).toEqual([200, 'connected']);
    expect(ms).toBeLessThan(AT_ONCE_MS);
  });

  it('answers at once if the version is already greater', async () => {
    const { id } = await world.start();
    const { body, ms } = await timed(`${id}?wait=30&after_version=0`);
    expect([body.version, body.status]).toEqual([1, 'pending']);
    expect(ms).toBeLessThan(AT_ONCE_MS);
  });

  it('answers as soon as the flow ends', async () => {
    const { id, state } = await world.start();
    const [waited] = await Promise.all([timed(`${id}?wait=30`), soon(() => grant(state))]);
    expect([waited.status, waited.body.status, waited.body.version]).toEqual([200, 'connected', 2]);
    expect(waited.ms).toBeLessThan(AT_ONCE_MS);
  });

  it('with after_version answers after each change, even one that keeps the status', async () => {
    const { id } = await world.start();
    const [waited] = await Promise.all([timed(`${id}?wait=30&after_version=1`), soon(() => world.restart(id))]);
    expect(waited.body.status).toBe('pending');
    expect(waited.body.version).toBeGreaterThan(1);
    expect(waited.ms).toBeLessThan(AT_ONCE_MS);
  });

  it('answers 200 with the current state when the time has passed', async () => {
    const { id } = await world.start();
    const { status, body, ms } = await timed(`${id}?wait=1`);
    expect([status, body.status]).toEqual([200, 'pending']);
    expect(ms).toBeGreaterThan(950);
  });

  it('answers 404 when the integration is deleted in between', async () => {
    const { id } = await world.start();
    const [waited] = await Promise.all([
      timed(`${id}?wait=30`),
      soon(() => world.client.rest('DELETE', `/integrations/${id}`)),
    ]);
    expect(waited.status).toBe(404);
    expect(waited.ms).toBeLessThan(AT_ONCE_MS);
  });

  it.each([
    'wait=0',
    'wait=31',
    'wait=-1',
    'wait=x',
    'wait=1.5',
    'wait=',
    'wait=1&after_version=-1',
    'after_version=x',
  ])('answers 400 to %s', async (query) => {
    const { id } = await world.start();
    expect((await timed(`${id}?${query}`)).status).toBe(400);
  });

  it('answers 404 and 401 at once, as without wait', async () => {
    const stranger = new Client(world.server.baseUrl, await world.server.key('read-write', 'stranger'));
    const { id } = await world.start();
    expect((await timed(`${id}?wait=30`, stranger)).status).toBe(401);
    expect((await timed('int_01h455vb4pex5vsknk084sn02q?wait=30')).status).toBe(404);
  });

  it('answers in one process when the flow ends in another', async () => {
    const { id, state } = await world.start();
    const there = new Client(second.url, world.client.key);
    const [waited] = await Promise.all([timed(`${id}?wait=30`, there), soon(() => grant(state), second)]);
    expect([waited.body.status, waited.body.version]).toEqual(['connected', 2]);
    expect(waited.ms).toBeLessThan(AT_ONCE_MS);
  });

  it('holds no connection: 60 wait over a pool of 5, and the service answers', async () => {
    const flows = await Promise.all(Array.from({ length: 20 }, () => world.start()));
    const waits = flows.flatMap(({ id }) => [1, 2, 3].map(() => timed(`${id}?wait=30`)));
    await until(async () => (await listeners()) === 60);
    expect((await timed('?per_page=100')).status).toBe(200);
    const [busy] = await world.server.db.query<{ count: number }>(
      `SELECT count(*) AS count FROM pg_stat_activity WHERE datname = current_database() AND state = 'active' AND pid <> pg_backend_pid()`,
    );
    expect(busy!.count).toBeLessThan(3);
    await Promise.all(flows.map(({ state }) => grant(state)));
    for (const { status, body } of await Promise.all(waits)) expect([status, body.status]).toEqual([200, 'connected']);
  });

  it('is refused with 429 beyond 100 of one key, until one of them is answered', async () => {
    const { id, state } = await world.start();
    const waits = Array.from({ length: 100 }, () => timed(`${id}?wait=30`));
    await until(async () => (await listeners()) === 100);
    const refused = await world.client.rest('GET', `/integrations/${id}?wait=30`);
    expect([refused.status, refused.body.code, refused.headers.get('retry-after')]).toEqual([429, 'rate_limited', '1']);
    const other = new Client(world.server.baseUrl, await world.server.key());
    expect((await timed(`${id}?wait=1`, other)).status).toBe(200);
    expect((await timed(id)).status).toBe(200);
    await grant(state);
    expect((await Promise.all(waits)).every(({ status }) => status === 200)).toBe(true);
    const next = await world.start();
    expect((await timed(`${next.id}?wait=1`)).status).toBe(200);
  });

  it('is forgotten when its client disconnects', async () => {
    const { id, state } = await world.start();
    await until(async () => (await listeners()) === 0);
    const before = world.server.logs.length;
    const gone = new AbortController();
    const call = fetch(`${world.server.baseUrl}/v1/integrations/${id}?wait=30`, {
      headers: { authorization: `Bearer ${world.client.key}` },
      signal: gone.signal,
    }).catch(() => 'gone');
    await until(async () => (await listeners()) === 1);
    gone.abort();
    expect(await call).toBe('gone');
    await until(async () => (await listeners()) === 0);
    await grant(state);
    expect(world.server.logs.slice(before).filter((line) => line.includes('"level":"error"'))).toEqual([]);
  });

  it('is answered when the service stops', async () => {
    const third = await world.another();
    const { id } = await world.start();
    const waiting = timed(`${id}?wait=30`, new Client(third.url, world.client.key));
    await until(async () => (await listeners(third)) === 1);
    const closed = third.close();
    const { status, body, ms } = await waiting;
    expect([status, body.status]).toEqual([200, 'pending']);
    expect(ms).toBeLessThan(AT_ONCE_MS);
    await closed;
  });
});
