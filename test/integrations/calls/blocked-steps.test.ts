import { StillClock } from '../../support/clock.js';
import { until } from '../../support/until.js';
import { AppCalls } from '../tokens/app-calls.js';
import { IntegrationWorld } from '../world.js';

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;

describe('a step whose application asks to wait', () => {
  let world: IntegrationWorld;
  let calls: AppCalls;
  beforeAll(async () => {
    world = await IntegrationWorld.open({ env: { ALLOW_PRIVATE_NETWORK: 'true' }, clock: new StillClock() });
    calls = new AppCalls(world);
  });
  beforeEach(() => world.provider.reset());
  afterAll(() => world.close());

  const connected = async (key = 'good-ada'): Promise<string> =>
    (await world.post('/integrations/connect', { type: 'key_app', credentials: { api_key: key } })).body.id as string;
  const refuse = (headers: Record<string, string> = {}, status = 429) => {
    world.provider.onCall = () => ({ status, headers });
  };
  /** Waits until a run pauses. @returns its step. */
  const paused = async (run: string) => {
    await until(async () => (await calls.step(run))?.error?.code === 'rate_limited');
    return calls.step(run);
  };
  /** Lets time pass until a run ends: of several that wait for one connection, one goes first. */
  const goneOn = async (run: string) => {
    await until(async () => {
      await world.server.advance(60 * SECOND);
      return (await calls.step(run))!.status !== 'running';
    });
    return calls.ended(run);
  };
  const sent = () => world.provider.calls.length;

  it('pauses without using up an attempt, and goes on after that time', async () => {
    const id = await connected();
    refuse({ 'retry-after': '60' });
    const run = await calls.start(id);
    expect(await paused(run)).toMatchObject({ status: 'running', attempt: 0, error: { code: 'rate_limited' } });
    const now = world.server.clock.now().getTime();
    expect((await world.get(id)).blocked_until).toBe(new Date(now + 60 * SECOND).toISOString());
    world.provider.onCall = undefined;
    await world.server.advance(59 * SECOND);
    expect(await calls.step(run)).toMatchObject({ status: 'running', attempt: 0 });
    await world.server.advance(60 * SECOND);
    expect(await calls.ended(run)).toMatchObject({ status: 'succeeded', attempt: 1, error: null });
    expect(sent()).toBe(2);
    expect(await world.get(id)).not.toHaveProperty('blocked_until');
    expect((await world.get(id)).version).toBe(1);
  });

  it('sends nothing if another call was answered 429, and delays no other integration', async () => {
    const [blocked, free] = [await connected('good-one'), await connected('good-two')];
    world.provider.onCall = ({ token }) =>
      token === 'good-one' ? { status: 429, headers: { 'retry-after': '60' } } : {};
    await paused(await calls.start(blocked));
    const second = await calls.start(blocked);
    expect(await paused(second)).toMatchObject({ attempt: 0 });
    expect(sent()).toBe(1);
    expect(await calls.call(free)).toMatchObject({ status: 'succeeded', attempt: 1 });
    world.provider.onCall = undefined;
    expect(await goneOn(second)).toMatchObject({ status: 'succeeded', attempt: 1 });
  });

  it('uses up an attempt by a 503, whose time the connection waits, too', async () => {
    const id = await connected();
    refuse({ 'retry-after': '60' }, 503);
    const run = await calls.start(id);
    await until(async () => (await calls.step(run))?.error?.code === 'http_503');
    expect(await calls.step(run)).toMatchObject({ status: 'running', attempt: 1 });
    expect(await world.get(id)).toHaveProperty('blocked_until');
    world.provider.onCall = undefined;
    await world.server.advance(2 * 60 * SECOND);
    expect(await calls.ended(run)).toMatchObject({ status: 'succeeded', attempt: 2 });
  });

  it('fails after 24 hours of nothing else', async () => {
    const id = await connected();
    refuse({ 'retry-after': '3600' });
    const run = await calls.start(id);
    await paused(run);
    await world.server.advance(23 * HOUR);
    await until(async () => sent() === 2 && (await world.get(id)).blocked_until !== undefined);
    await world.server.advance(2 * HOUR);
    expect(await calls.ended(run)).toMatchObject({ status: 'failed', attempt: 0, error: { code: 'rate_limited' } });
    expect(sent()).toBe(3);
  });
});
