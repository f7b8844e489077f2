import { until } from '../../support/until.js';
import { Secrets } from '../../../src/platform/encryption/secrets.js';
import { StillClock } from '../../support/clock.js';
import { AppCalls } from '../tokens/app-calls.js';
import { ScriptedProvider } from '../scripted-provider.js';
import { IntegrationWorld } from '../world.js';

const HOUR = 3_600_000;
const ACCOUNT = { body: { data: { id: 'alice', name: 'Alice' } } };

describe('an application whose token response names the host of its API', () => {
  let world: IntegrationWorld;
  let calls: AppCalls;
  /** Hosts of the API. Sign-in and tokens are at `world.provider`, which serves no API here. */
  let first: ScriptedProvider;
  let second: ScriptedProvider;

  beforeAll(async () => {
    world = await IntegrationWorld.open({ env: { ALLOW_PRIVATE_NETWORK: 'true' }, clock: new StillClock() });
    calls = new AppCalls(world);
    [first, second] = [await ScriptedProvider.start(), await ScriptedProvider.start()];
  });
  beforeEach(async () => {
    // The clock moves on: connections of earlier tests would be renewed in later ones.
    await world.server.db.query('DELETE FROM integrations');
    for (const provider of [world.provider, first, second]) provider.reset();
    world.provider.onIdentity = world.provider.onCall = () => ({ status: 500 });
    for (const host of [first, second]) {
      host.onIdentity = () => ACCOUNT;
      host.onCall = () => ({ body: {} });
    }
  });
  afterAll(async () => {
    await world.close();
    await first.stop();
    await second.stop();
  });

  const name = (domain: unknown): void => void (world.provider.extra = { expires_in: 3600, api: { domain } });
  const connected = (host: ScriptedProvider): Promise<string> => {
    name(host.url);
    return world.connected('alice', 'company_app');
  };
  const reached = () => [world.provider, first, second].map(({ calls: { length } }) => length);
  const renewed = () => world.provider.requests('refresh_token').length;

  it('asks that host for the account, and sends each call there with the token', async () => {
    const id = await connected(first);
    expect((await world.get(id)).account).toEqual({ id: 'alice', name: 'Alice' });
    expect((await calls.call(id)).status).toBe('succeeded');
    expect([reached(), first.probes.length]).toEqual([[0, 1, 0], 1]);
    expect(first.calls[0]).toMatchObject({ path: '/api/things', token: expect.stringMatching(/^at-alice-/) as string });
    expect((await world.post(`/integrations/${id}/test`)).body).toEqual({ ok: true, reason: null });
    expect([first.probes.length, world.provider.probes.length]).toEqual([2, 0]);
  });

  it('keeps the host of each connection apart', async () => {
    const [one, two] = [await connected(first), await connected(second)];
    await calls.call(one);
    await calls.call(two);
    await calls.call(one);
    expect(reached()).toEqual([0, 2, 1]);
  });

  it('follows a renewal that names another host', async () => {
    const id = await connected(first);
    await calls.call(id);
    name(second.url);
    await world.server.advance(HOUR);
    await calls.call(id);
    expect([reached(), renewed()]).toEqual([[0, 1, 1], 1]);
    await world.post(`/integrations/${id}/test`);
    expect([first.probes.length, second.probes.length]).toEqual([1, 1]);
  });

  it('follows a renewal after a 401, in the same call', async () => {
    const id = await connected(first);
    first.onCall = () => ({ status: 401 });
    name(second.url);
    expect((await calls.call(id)).status).toBe('succeeded');
    expect([reached(), renewed()]).toEqual([[0, 1, 1], 1]);
  });

  it.each([
    ['no host', undefined],
    ['a foreign host', 'http://attacker.example'],
  ])('keeps the host and stores the new tokens when a renewal names %s', async (_, domain) => {
    const id = await connected(first);
    name(domain);
    await world.server.advance(HOUR);
    await calls.call(id);
    await world.server.advance(HOUR);
    expect((await calls.call(id)).status).toBe('succeeded');
    expect([reached(), renewed()]).toEqual([[0, 2, 0], 2]);
    expect(new Set(first.calls.map(({ token }) => token)).size).toBe(2);
    expect(await world.get(id)).toMatchObject({ status: 'connected', version: 2 });
    const warnings = world.server.logs.filter((line) => line.includes('a token response lacks captures'));
    expect(warnings.length).toBeGreaterThan(0);
    expect(warnings.join()).not.toContain('attacker');
  });

  it('follows a reconnect that names another host', async () => {
    const id = await connected(first);
    name(second.url);
    const { state } = await world.restart(id);
    await world.callback({ state, code: 'alice' }, { type: 'company_app' });
    await calls.call(id);
    expect([reached(), await world.history(id)]).toEqual([
      [0, 0, 1],
      ['>pending:awaiting_authorization', 'pending>connected:connected', 'connected>connected:reconnected'],
    ]);
  });

  it.each<[string, (good: string) => unknown]>([
    ['none', () => undefined],
    ['a list', (good) => [good]],
    ['a foreign host', () => 'https://attacker.example'],
    ['a foreign host behind a user name', (good) => `${good}@attacker.example`],
    ['a path', (good) => `${good}/api`],
    ['the metadata service of a cloud', () => 'http://169.254.169.254'],
  ])('does not connect if it names %s: the tokens are revoked, and nothing is sent there', async (_, bad) => {
    name(bad(first.url));
    const { id, state } = await world.start('company_app');
    expect((await world.callback({ state, code: 'alice' }, { type: 'company_app' })).status).toBe(200);
    expect(await world.get(id)).toMatchObject({ status: 'disconnected', status_reason: 'exchange_failed', version: 2 });
    await until(() => world.provider.revoked.length === 2);
    expect(world.provider.revoked).toEqual([expect.stringMatching(/^rt-alice/), expect.stringMatching(/^at-alice/)]);
    expect([...first.probes, ...second.probes, ...world.provider.probes]).toEqual([]);
  });

  it('calls nothing while the host is unknown, as for connections of before the application had captures', async () => {
    const id = await connected(first);
    const seal = new Secrets([Buffer.alloc(32)]);
    const [row] = await world.server.db.query<{ id: string; account: string; credentials: string }>(
      'SELECT id, account_id AS account, credentials FROM integrations',
    );
    const context = { accountId: row!.account, table: 'integrations', id: row!.id };
    const { captured, ...tokens } = JSON.parse(seal.open(row!.credentials, context)) as Record<string, unknown>;
    expect(captured).toEqual({ company: first.url });
    await world.server.db.query('UPDATE integrations SET credentials = $1', [
      seal.seal(JSON.stringify(tokens), context),
    ]);
    expect((await calls.call(id)).error).toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('reconnect') as string,
    });
    expect((await world.post(`/integrations/${id}/test`)).body).toEqual({ ok: false, reason: 'conflict' });
    await world.server.advance(HOUR);
    expect((await calls.call(id)).status).toBe('succeeded');
    expect(reached()).toEqual([0, 1, 0]);
  });

  it('inserts a value without a pattern into the path, encoded', async () => {
    world.provider.onCall = () => ({ body: {} });
    world.provider.extra = { shard: 'eu/1 ä' };
    const id = await world.connected('alice', 'shard_app');
    await calls.call(id);
    expect(world.provider.calls.map(({ path }) => path)).toEqual(['/api/eu%2F1%20%C3%A4/api/things']);
  });
});
