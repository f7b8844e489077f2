import { StillClock } from '../../support/clock.js';
import { IntegrationWorld } from '../world.js';

const SECOND = 1_000;

describe('the budget of a connection', () => {
  let world: IntegrationWorld;
  beforeAll(async () => {
    world = await IntegrationWorld.open({ env: { ROLES: 'api' }, clock: new StillClock() });
  });
  beforeEach(() => world.provider.reset());
  afterAll(() => world.close());

  const connect = async (key = 'good-ada', reference?: string): Promise<string> => {
    const body = { type: 'key_app', credentials: { api_key: key }, ...(reference !== undefined && { reference }) };
    return (await world.post('/integrations/connect', body)).body.id as string;
  };
  const call = (id: string, more: object = {}) => world.post(`/integrations/${id}/call`, { path: '/api/x', ...more });
  const refuse = (status: number, retryAfter?: string) => {
    const headers: Record<string, string> = retryAfter === undefined ? {} : { 'retry-after': retryAfter };
    world.provider.onCall = () => ({ status, headers });
  };
  const sent = () => world.provider.calls.length;
  /** The seconds until which a connection is blocked; undefined if it is not. */
  const blockedFor = async (id: string): Promise<number | undefined> => {
    const { blocked_until: end } = await world.get(id);
    return end === undefined ? undefined : (Date.parse(end as string) - world.server.clock.now().getTime()) / SECOND;
  };
  const inSeconds = (seconds: number) => new Date(world.server.clock.now().getTime() + seconds * SECOND).toUTCString();

  it.each([
    ['429 without a time', 429, () => undefined, 1],
    ['429 with seconds', 429, () => '7', 7],
    ['429 with a date', 429, () => inSeconds(9), 9],
    ['429 with a date that is over', 429, () => inSeconds(-9), 1],
    ['429 with 0', 429, () => '0', 1],
    ['429 with a negative number', 429, () => '-5', 1],
    ['429 with garbage', 429, () => 'in 2090', 1],
    ['429 with a very long time', 429, () => '99999999999999999999', 3_600],
    ['503 with seconds', 503, () => '7', 7],
    ['503 without a time', 503, () => undefined, undefined],
    ['503 with 0', 503, () => '0', undefined],
    ['503 with garbage', 503, () => 'soon', undefined],
    ['500 with seconds', 500, () => '7', undefined],
  ])('is used up by a %s', async (_, status, header, seconds) => {
    const id = await connect();
    refuse(status, header());
    expect(await call(id)).toMatchObject({ status: 200, body: { status } });
    // A date has whole seconds.
    if (seconds === undefined) expect(await blockedFor(id)).toBeUndefined();
    else expect(Math.abs((await blockedFor(id))! - seconds)).toBeLessThan(1);
  });

  it('refuses every call, the proxy and the test until then, and sends nothing', async () => {
    const id = await connect();
    refuse(429, '7');
    await call(id);
    world.provider.onCall = undefined;
    const probes = world.provider.probes.length;
    await world.server.advance(6 * SECOND + 999);
    const refused = await call(id);
    expect([refused.status, refused.body.code, refused.headers.get('retry-after')]).toEqual([429, 'rate_limited', '1']);
    const proxied = await world.client.send('GET', `/v1/integrations/${id}/proxy/api/x`);
    expect([proxied.status, proxied.headers.get('proxy-status')]).toEqual([
      429,
      'workflow-gateway; error=connection_limit_reached',
    ]);
    expect((await world.post(`/integrations/${id}/test`)).body).toEqual({ ok: false, reason: 'rate_limited' });
    expect([sent(), world.provider.probes.length]).toEqual([1, probes]);
    await world.server.advance(1);
    expect(await blockedFor(id)).toBeUndefined();
    expect((await call(id)).body.status).toBe(200);
    expect((await call(id)).body.status).toBe(200);
  });

  it('lets one call go first after that time, whose answer decides', async () => {
    const id = await connect();
    refuse(429, '2');
    await call(id);
    await world.server.advance(2 * SECOND);
    const gate = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    world.provider.onCall = async () => {
      begun.resolve();
      await gate.promise;
      return { status: 500 };
    };
    const first = call(id);
    await begun.promise;
    const second = await call(id);
    expect([second.status, second.headers.get('retry-after')]).toEqual([429, '1']);
    gate.resolve();
    expect((await first).body.status).toBe(500);
    expect((await call(id)).body.status).toBe(500);
    expect(sent()).toBe(3);
  });

  it('waits no longer for a first call whose process has died than 40 seconds', async () => {
    const id = await connect();
    refuse(429, '2');
    await call(id);
    await world.server.advance(2 * SECOND);
    world.provider.onCall = undefined;
    await world.server.db.query(
      `UPDATE integrations SET trial_id = gen_random_uuid(), trial_until = clock_now() + interval '40 s'`,
      [],
    );
    expect((await call(id)).status).toBe(429);
    await world.server.advance(40 * SECOND);
    expect((await call(id)).body.status).toBe(200);
  });

  it('is used up by a test and a probe, too', async () => {
    const id = await connect();
    world.provider.onVerify = () => ({ status: 429, headers: { 'retry-after': '7' } });
    expect((await world.post(`/integrations/${id}/test`)).body).toEqual({ ok: false, reason: 'rate_limited' });
    expect((await call(id)).status).toBe(429);
    expect(await world.get(id)).toMatchObject({ status: 'connected', version: 1 });
  });

  it('makes a call with retries wait, as long as that fits', async () => {
    const id = await connect();
    refuse(429, '3600');
    const answer = await call(id, { retries: 5 });
    expect([answer.status, answer.body.status, sent()]).toEqual([200, 429, 1]);
    expect((await call(id, { retries: 5 })).status).toBe(429);
  });

  it('is of one connection alone, which a reference and a type find', async () => {
    const [first, second] = [await connect('good-first', 'user-1'), await connect('good-second', 'user-1')];
    await connect('good-other', 'user-10');
    await world.server.advance(SECOND);
    const called = async (reference: string, type = 'key_app') => {
      const { status, body } = await world.post('/integrations/call', {
        connection: { type, reference },
        path: '/api/x',
      });
      return status === 200 ? [body.integration_id, world.provider.calls.at(-1)!.token] : [status, body.code];
    };
    expect(await called('user-1')).toEqual([second, 'good-second']);
    await world.post(`/integrations/${first}/reconnect`, { credentials: { api_key: 'good-first-2' } });
    expect(await called('user-1')).toEqual([first, 'good-first-2']);
    refuse(429);
    await call(first);
    world.provider.onCall = undefined;
    expect(await called('user-1')).toEqual([429, 'rate_limited']);
    expect(await called('user-10')).toEqual([expect.any(String), 'good-other']);
    await world.post(`/integrations/${first}/disconnect`);
    expect(await called('user-1')).toEqual([second, 'good-second']);
    await world.client.rest('DELETE', `/integrations/${second}`);
    for (const reference of ['user-1', 'User-10', 'user-10 ', 'caf\u00e9'])
      expect(await called(reference)).toEqual([404, 'not_found']);
    expect(await called('user-10', 'other_app')).toEqual([404, 'not_found']);
    const other = await world.client.rest('GET', '/integrations?reference=user-10');
    expect(other.body.data).toHaveLength(1);
  });
});
