import { type App } from '../../../src/features/integrations/apps/app.js';
import { AppRegistry } from '../../../src/features/integrations/apps/registry.js';
import { CallBudget } from '../../../src/features/integrations/tokens/call-budget.js';
import { OAuthProtocol } from '../../../src/features/integrations/tokens/oauth-client.js';
import { Probe } from '../../../src/features/integrations/tokens/probe.js';
import { ByteRates } from '../../../src/platform/admission/byte-rates.js';
import { LongWork } from '../../../src/platform/admission/long-work.js';
import { createDataSource } from '../../../src/platform/db/data-source.js';
import { BoundWhatProvidersCause1795600000610 as Migration } from '../../../src/platform/db/migrations/integrations/1795600000610-bound-what-providers-cause.js';
import { createOutbound, type Outbound } from '../../../src/platform/http/outbound/outbound.js';
import { createLogger } from '../../../src/platform/logging/logger.js';
import { scriptedApps } from '../scripted-apps.js';
import { appsOf, IntegrationWorld } from '../world.js';

/** Records the turns that were asked for. */
class RecordingWork extends LongWork {
  readonly asked: [string, string, number?][] = [];
  override async turn(lane: string): Promise<void> {
    this.asked.push(['turn', lane]);
    await super.turn(lane);
  }
  override async piece(lane: string, bytes: number): Promise<void> {
    this.asked.push(['piece', lane, bytes]);
    await super.piece(lane, bytes);
  }
}

/** Records what accounts received. */
class RecordingRates extends ByteRates {
  readonly received = new Map<string, number>();
  override spend(account: string, bytes: number): void {
    this.received.set(account, (this.received.get(account) ?? 0) + bytes);
  }
}

describe('the responses of a provider to the service itself', () => {
  let world: IntegrationWorld;
  let outbound: Outbound;
  let app: App;
  let longWork: RecordingWork;
  let rates: RecordingRates;
  let protocol: OAuthProtocol;
  let probe: Probe;

  beforeAll(async () => {
    world = await IntegrationWorld.open({ env: { ROLES: 'api' } });
  });
  beforeEach(() => {
    world.provider.reset();
    const { baseUrl, db, clock } = world.server;
    [longWork, rates] = [new RecordingWork(), new RecordingRates(1e9)];
    outbound = createOutbound({ allowPrivateNetwork: true, userAgent: 'test', rates });
    const fileApps = appsOf(scriptedApps(world.provider.url));
    const apps = new AppRegistry({ baseUrl, sandbox: true, credentials: () => undefined, fileApps });
    app = apps.get('oauth_app')!;
    protocol = new OAuthProtocol(outbound, apps, baseUrl, longWork);
    probe = new Probe(outbound, new CallBudget(db, clock, createLogger('silent')), longWork);
  });
  afterEach(() => outbound.close());
  afterAll(() => world.close());

  const target = () => ({ app, parameters: {}, accountId: 'account' });
  const identify = () => probe.identify(target(), { accessToken: 't', refreshToken: null }, 5_000);

  it('count as pieces of work and received bytes of its account, when they have tokens', async () => {
    const body = JSON.stringify({ access_token: 't', token_type: 'bearer', x: 'x'.repeat(60_000) });
    world.provider.onToken = () => ({ body });
    await protocol.refresh(target(), 'r', 5_000);
    await protocol.exchange(target(), new URLSearchParams({ code: 'c' }), 'v'.repeat(43), 5_000);
    expect(longWork.asked.filter(([kind]) => kind === 'piece')).toEqual(
      Array(2).fill(['piece', 'account', body.length]),
    );
    expect(rates.received.get('account')).toBeGreaterThan(2 * body.length);
    await protocol.revoke(target(), 't', 'access_token', 5_000);
    expect([...rates.received.keys()]).toEqual(['account']);
  });

  it('wait for a turn of its account when they name the user with more than 64 kB', async () => {
    const identity = (bytes: number) => {
      const frame = JSON.stringify({ data: { id: '1', name: 'N' }, x: '' }).length;
      world.provider.onIdentity = () => ({ body: { data: { id: '1', name: 'N' }, x: 'x'.repeat(bytes - frame) } });
      return identify();
    };
    expect(await identity(65_536)).toEqual({ id: '1', name: 'N' });
    expect(await identity(65_537)).toEqual({ id: '1', name: 'N' });
    expect(longWork.asked.slice(0, 2)).toEqual([
      ['piece', 'account', 65_536],
      ['turn', 'account'],
    ]);
    expect([...rates.received.keys()]).toEqual(['account']);
    expect(await identity(1_048_576)).toEqual({ id: '1', name: 'N' });
    await expect(identity(1_048_577)).rejects.toMatchObject({ reason: 'too_large' });
  });

  it('name a user by an id of 255 characters at most, and by the first 255 of a name', async () => {
    const named = (id: string, name: string) => {
      world.provider.onIdentity = () => ({ body: { data: { id, name } } });
      return identify();
    };
    expect(await named('i'.repeat(255), '🙂'.repeat(255))).toEqual({ id: 'i'.repeat(255), name: '🙂'.repeat(255) });
    expect(await named('i', '🙂'.repeat(256))).toEqual({ id: 'i', name: '🙂'.repeat(255) });
    await expect(named('i'.repeat(256), 'n')).rejects.toMatchObject({ name: 'RefusedError' });
  });
});

describe('an update of the service', () => {
  it('cuts what providers sent before that was bounded', async () => {
    const world = await IntegrationWorld.open({ env: { ROLES: 'api' } });
    const { db } = world.server;
    const ids = [await world.connected(), await world.connected('b'), await world.connected('c')];
    const many = Array.from({ length: 200_000 }, (_, index) => `s${index}`);
    const long = ['a', 'b', 'c', 'd', 'e'].map((letter) => letter.repeat(4_096));
    const set = (id: string, scopes: string[], length: number) =>
      db.query(`UPDATE integrations SET scopes = $2, external_id = $3, external_name = $3 WHERE external_id = $1`, [
        id,
        scopes,
        'x'.repeat(length),
      ]);
    await set('alice', many, 255);
    await set('b', long, 256);
    await set('c', many.slice(0, 200), 255);
    const source = createDataSource({ url: world.server.database.url, poolSize: 1 }, []);
    const runner = (await source.initialize()).createQueryRunner();
    await new Migration().down(runner);
    await new Migration().up(runner);
    await runner.release();
    await source.destroy();
    const found = await Promise.all(ids.map((id) => world.get(id)));
    expect(found.map(({ scopes }) => scopes as string[])).toEqual([
      many.slice(0, 200),
      long.slice(0, 4),
      many.slice(0, 200),
    ]);
    for (const { account } of found) expect(account).toEqual({ id: 'x'.repeat(255), name: 'x'.repeat(255) });
    await world.close();
  });
});
